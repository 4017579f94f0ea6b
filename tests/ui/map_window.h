// One map of the inspector in a window of its own, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/inspected_file.h"

#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QStyleHints>
#include <QTest>
#include <QWheelEvent>

#include <memory>

namespace tests {

struct MapWindow
{
    QQmlEngine engine;
    QQuickWindow window;
    std::unique_ptr<QObject> object;
    QString error;

    /// `body`: QML of one item, of Vitrine.Inspector.
    explicit MapWindow(const QByteArray& body)
    {
        engine.addImportPath("qrc:/qt/qml");
        QQmlComponent component(&engine);
        component.setData("import QtQuick\nimport Vitrine.Inspector\n" + body, {});
        object.reset(component.create());
        error = component.errorString();
        if (item() == nullptr) {
            return;
        }
        item()->setParentItem(window.contentItem());
        window.resize(item()->size().toSize());
        window.show();
        window.requestActivate();
    }
    [[nodiscard]] QQuickItem* item() const { return qobject_cast<QQuickItem*>(object.get()); }
    template <typename Map>
    [[nodiscard]] Map& as() const
    {
        return *qobject_cast<Map*>(object.get());
    }
    [[nodiscard]] bool show() { return QTest::qWaitForWindowActive(&window); }
    void click(double x, double y)
    {
        QTest::mouseClick(&window, Qt::LeftButton, {}, QPointF(x, y).toPoint());
        QTest::qWait(QGuiApplication::styleHints()->mouseDoubleClickInterval() + 20);
    }
    void wheel(double x, double y, int angle, Qt::KeyboardModifiers modifiers = {})
    {
        const QPointF at(x, y);
        QWheelEvent event(at, window.mapToGlobal(at), {}, { 0, angle }, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&window, &event);
    }
    void drag(QPoint from, QPoint to)
    {
        QTest::mousePress(&window, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 4; ++i) {
            QTest::mouseMove(&window, from + (to - from) * i / 4);
        }
        QTest::mouseRelease(&window, Qt::LeftButton, {}, to);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&window, key, modifiers);
    }
};

} // namespace tests
