// What the desktop says about the look.
// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/system_look.h"

#include <QtCore/QEvent>
#include <QtGui/QFont>
#include <QtGui/QFontDatabase>
#include <QtGui/QGuiApplication>
#include <QtGui/QPalette>

namespace {

QString familyOr(const char* wanted, QFontDatabase::SystemFont fallback)
{
    const QString family = QString::fromLatin1(wanted);
    return QFontDatabase::hasFamily(family) ? family : QFontDatabase::systemFont(fallback).family();
}

} // namespace

SystemLook::SystemLook(QObject* parent)
    : QObject(parent)
    , m_sansFamily(familyOr("Inter", QFontDatabase::GeneralFont))
    , m_monoFamily(familyOr("JetBrains Mono", QFontDatabase::FixedFont))
{
    readPalette();
    qApp->installEventFilter(this);
}

bool SystemLook::isMotionReduced() const
{
    return qEnvironmentVariableIntValue("VITRINE_REDUCED_MOTION") != 0;
}

bool SystemLook::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ApplicationPaletteChange) {
        readPalette();
    }
    return QObject::eventFilter(watched, event);
}

void SystemLook::readPalette()
{
    const QPalette palette = QGuiApplication::palette();
    const bool dark = palette.color(QPalette::Window).lightness()
        < palette.color(QPalette::WindowText).lightness();
    if (dark != m_dark) {
        m_dark = dark;
        Q_EMIT darkChanged();
    }
}
