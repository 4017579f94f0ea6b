// The real window on a scripted engine, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/chat_bench.h"
#include "ui/chat/keeping_view_model.h"
#include "ui/chat/model_view_model.h"
#include "ui/inspector/inspector_view_model.h"
#include "ui/settings/settings_view_model.h"

#include <QAccessible>
#include <QQmlApplicationEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

namespace tests {

/// `item` and what lies in it, as far as it is shown.
inline void visit(QQuickItem* item, const std::function<void(QQuickItem*)>& visitor)
{
    if (!item->isVisible()) {
        return;
    }
    visitor(item);
    for (QQuickItem* child : item->childItems()) {
        visit(child, visitor);
    }
}

/// How many buttons, fields, lists and rows are shown in `root`. Fails where one has no name to be
/// read aloud.
[[nodiscard]] inline int namedControls(QQuickItem* root)
{
    int controls = 0;
    visit(root, [&controls](QQuickItem* item) {
        const auto* interface = QAccessible::queryAccessibleInterface(item);
        const auto role = interface != nullptr ? interface->role() : QAccessible::NoRole;
        if (role == QAccessible::PushButton || role == QAccessible::EditableText
            || role == QAccessible::List || role == QAccessible::ListItem) {
            ++controls;
            QVERIFY2(!interface->text(QAccessible::Name).isEmpty(),
                     item->metaObject()->className());
        }
    });
    return controls;
}

struct WindowBench : ChatBench
{
    app::Settings settings { directory.path() };
    SettingsViewModel settingsViewModel { settings };
    ModelViewModel model { service, settings };
    KeepingViewModel keeping { store };
    app::InspectionService inspection;
    InspectorViewModel inspector { inspection };
    QStringList warnings; ///< of QML
    QQmlApplicationEngine engine;
    QQuickWindow* window = nullptr;

    explicit WindowBench(const QString& page = QStringLiteral("chat"),
                         std::unique_ptr<app::InferenceEngine> engineOfModel = {})
        : ChatBench(std::move(engineOfModel))
    {
        QObject::connect(&engine, &QQmlEngine::warnings, &engine,
                         [this](const QList<QQmlError>& errors) {
                             for (const QQmlError& error : errors) {
                                 warnings << error.toString();
                             }
                         });
        inspector.bookmarks()->keepIn(settings);
        engine.addImportPath(QStringLiteral("qrc:/qt/qml"));
        engine.setInitialProperties({ { "chat", QVariant::fromValue(&chat) },
                                      { "model", QVariant::fromValue(&model) },
                                      { "settings", QVariant::fromValue(&settingsViewModel) },
                                      { "chats", QVariant::fromValue(&chats) },
                                      { "steering", QVariant::fromValue(&steering) },
                                      { "keeping", QVariant::fromValue(&keeping) },
                                      { "inspector", QVariant::fromValue(&inspector) },
                                      { "page", page } });
        engine.load(QUrl(QStringLiteral("qrc:/qt/qml/Vitrine/Shell/Main.qml")));
        if (!engine.rootObjects().isEmpty()) {
            window = qobject_cast<QQuickWindow*>(engine.rootObjects().constFirst());
        }
    }

    /// Shows the window and gives it the keyboard.
    bool show(const QSize& size = { 1024, 640 })
    {
        if (window == nullptr) {
            return false;
        }
        window->resize(size);
        window->show();
        window->requestActivate();
        return QTest::qWaitForWindowActive(window);
    }
    bool load(const QString& path = QStringLiteral("/models/a.gguf"))
    {
        QSignalSpy ready(&model, &ModelViewModel::ready);
        model.open(path);
        return ready.wait(5000);
    }
    /// An item in a row of a list: made by the view, it is no child of the window.
    [[nodiscard]] bool hasFocus(const char* name) const
    {
        const QQuickItem* focused = window->activeFocusItem();
        return focused != nullptr && focused->objectName() == QLatin1String(name);
    }
    [[nodiscard]] QQuickItem* item(const char* name) const
    {
        return window->findChild<QQuickItem*>(QLatin1String(name));
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const
    {
        QTest::keyClick(window, key, modifiers);
    }
    void type(const char* text) const
    {
        for (; *text != 0; ++text) {
            QTest::keyClick(window, *text);
        }
    }
};

} // namespace tests
