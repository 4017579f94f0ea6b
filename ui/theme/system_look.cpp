// What the desktop says about the look.
// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/system_look.h"

#include <QtCore/QEvent>
#include <QtGui/QFont>
#include <QtGui/QFontDatabase>
#include <QtGui/QGuiApplication>
#include <QtGui/QPalette>

namespace {

constexpr auto kReducedMotion = "VITRINE_REDUCED_MOTION";

QString familyOr(const char* wanted, QFontDatabase::SystemFont fallback)
{
    const QString family = QString::fromLatin1(wanted);
    return QFontDatabase::hasFamily(family) ? family : QFontDatabase::systemFont(fallback).family();
}

bool isPaletteDark()
{
    const QPalette palette = QGuiApplication::palette();
    return palette.color(QPalette::Window).lightness()
        < palette.color(QPalette::WindowText).lightness();
}

} // namespace

SystemLook::SystemLook(QObject* parent)
    : QObject(parent)
    , m_sansFamily(familyOr("Inter", QFontDatabase::GeneralFont))
    , m_monoFamily(familyOr("JetBrains Mono", QFontDatabase::FixedFont))
{
    update();
    connect(&m_desktop, &app::DesktopLook::changed, this, &SystemLook::update);
    qApp->installEventFilter(this);
}

bool SystemLook::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ApplicationPaletteChange) {
        update();
    }
    return QObject::eventFilter(watched, event);
}

void SystemLook::update()
{
    using Scheme = app::DesktopLook::Scheme;
    const Scheme scheme = m_desktop.scheme();
    const bool isDark = scheme == Scheme::Unknown ? isPaletteDark() : scheme == Scheme::Dark;
    if (isDark != m_isDark) {
        m_isDark = isDark;
        Q_EMIT darkChanged();
    }
    const bool isReduced = qEnvironmentVariableIsSet(kReducedMotion)
        ? qEnvironmentVariableIntValue(kReducedMotion) != 0
        : m_desktop.reducedMotion().value_or(false);
    if (isReduced != m_isMotionReduced) {
        m_isMotionReduced = isReduced;
        Q_EMIT reducedMotionChanged();
    }
}
