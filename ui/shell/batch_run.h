// Runs without somebody in front of the window: the answer on standard output, a picture of the
// window, then the end. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/chat_view_model.h"
#include "ui/inspector/inspector_view_model.h"
#include "ui/shell/options.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

class QQuickWindow;

/// Ends the application by itself when everything asked for is done. Lives on the GUI thread.
class BatchRun : public QObject
{
    Q_OBJECT

public:
    /// The options, the view model and the window outlive it.
    BatchRun(const Options& options, ChatViewModel& chat, QQuickWindow& window,
             QObject* parent = nullptr);

    /// Call when the window is shown and the loading of the model has begun.
    void start();
    /// Nor ends before the inspector shows what it was asked for. It outlives the run.
    void waitFor(const InspectorViewModel& inspector);

private:
    void print(const QString& text);
    void onAnswered(const QString& error);
    void onIdleChanged();
    void finish();
    [[nodiscard]] bool takePicture();

    const Options& m_options;
    ChatViewModel& m_chat;
    QQuickWindow& m_window;
    const InspectorViewModel* m_inspector = nullptr;
    QTimer m_settle; ///< fonts, icons and layout get a moment after the last change
    bool m_started = false;
    bool m_failed = false;
};
