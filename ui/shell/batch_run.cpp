// Runs without somebody in front of the window.
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/batch_run.h"

#include <QtCore/QSaveFile>
#include <QtGui/QGuiApplication>
#include <QtGui/QImage>
#include <QtGui/QStyleHints>
#include <QtQuick/QQuickWindow>

#include <cstdio>

namespace {

constexpr int kSettleMs = 400;

void complain(const QString& message)
{
    std::fprintf(stderr, "vitrine: %s\n", qUtf8Printable(message.simplified()));
}

} // namespace

BatchRun::BatchRun(const Options& options, ChatViewModel& chat, QQuickWindow& window,
                   QObject* parent)
    : QObject(parent)
    , m_options(options)
    , m_chat(chat)
    , m_window(window)
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(options.screenshot.isEmpty() ? 0 : kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &BatchRun::finish);
    connect(&chat, &ChatViewModel::idleChanged, this, &BatchRun::onIdleChanged);
    connect(&chat, &ChatViewModel::answered, this, &BatchRun::onAnswered);
    if (options.printAnswer) {
        connect(&chat, &ChatViewModel::answerText, this, &BatchRun::print);
    }
    if (!options.screenshot.isEmpty()) {
        // Pictures of the same thing are the same: no blinking.
        QGuiApplication::styleHints()->setCursorFlashTime(0);
    }
}

void BatchRun::start()
{
    m_started = true;
    onIdleChanged();
}

void BatchRun::waitFor(const InspectorViewModel& inspector)
{
    m_inspector = &inspector;
    connect(&inspector, &InspectorViewModel::busyChanged, this, &BatchRun::onIdleChanged);
}

void BatchRun::print(const QString& text)
{
    const QByteArray bytes = text.toUtf8();
    if (std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stdout)
            != static_cast<std::size_t>(bytes.size())
        || std::fflush(stdout) != 0) {
        // Nobody reads any more (a closed pipe): no use in going on.
        m_failed = true;
        m_chat.stop();
    }
}

void BatchRun::onAnswered(const QString& error)
{
    if (!error.isEmpty()) {
        m_failed = m_failed || m_options.printAnswer;
        complain(error);
    } else if (m_options.printAnswer && !m_failed) {
        print(QStringLiteral("\n"));
    }
}

void BatchRun::onIdleChanged()
{
    const bool isInspecting = m_inspector != nullptr && m_inspector->isBusy();
    if (m_started && m_chat.isIdle() && !isInspecting) {
        m_settle.start();
    } else {
        m_settle.stop();
    }
}

void BatchRun::finish()
{
    if (!m_options.screenshot.isEmpty() && !takePicture()) {
        m_failed = true;
    }
    QGuiApplication::exit(m_failed ? 1 : 0);
}

bool BatchRun::takePicture()
{
    const QImage picture = m_window.grabWindow();
    if (picture.isNull()) {
        complain(QStringLiteral("The window's picture could not be taken."));
        return false;
    }
    QSaveFile file(m_options.screenshot);
    if (!file.open(QIODevice::WriteOnly) || !picture.save(&file, "PNG") || !file.flush()
        || !file.commit()) {
        complain(QStringLiteral("%1 cannot be written (%2). Choose another place for the picture.")
                     .arg(m_options.screenshot, file.errorString()));
        return false;
    }
    return true;
}
