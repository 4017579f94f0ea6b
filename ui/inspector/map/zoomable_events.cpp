// What mouse, wheel, fingers and keys do to a map.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/zoomable_item.h"

#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>
#include <QtGui/QNativeGestureEvent>
#include <QtGui/QStyleHints>
#include <QtQuick/QQuickWindow>

#include <cmath>

namespace {

constexpr double kWheelStep = 1.0015; // to the power of eighths of a degree: 1.2 a notch
constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.15; // of the view
constexpr double kPagePan = 0.85;

} // namespace

void ZoomableItem::zoomAt(QPointF point, double factor)
{
    if (!canZoom()) {
        return;
    }
    limitZoom(point);
    changeView([&](ViewTransform& view) { view.zoomAt({ point.x(), point.y() }, factor); });
}

void ZoomableItem::pan(QPointF pixels)
{
    changeView([&](ViewTransform& view) { view.panBy({ pixels.x(), pixels.y() }); });
}

void ZoomableItem::setKeyboard(bool isKeyboard)
{
    if (isKeyboard != m_isKeyboard) {
        m_isKeyboard = isKeyboard;
        update();
        Q_EMIT visualFocusChanged();
    }
}

bool ZoomableItem::event(QEvent* event)
{
    if (event->type() == QEvent::NativeGesture) { // of a touchpad
        auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoomAt(inPlot(gesture->position()), 1 + gesture->value());
            gesture->accept();
            return true;
        }
    }
    return QQuickItem::event(event);
}

void ZoomableItem::wheelEvent(QWheelEvent* event)
{
    if (!canZoom()) {
        event->ignore();
        return;
    }
    const QPoint turned = event->angleDelta();
    const bool isShifted = event->modifiers().testFlag(Qt::ShiftModifier);
    if (isShifted || std::abs(turned.x()) > std::abs(turned.y())) {
        const QPoint pixels = event->pixelDelta().isNull() ? turned / 2 : event->pixelDelta();
        pan(isShifted && pixels.x() == 0 ? QPointF(pixels.y(), 0) : QPointF(pixels.x(), 0));
    } else if (turned.y() < 0 && !isZoomed()) {
        event->ignore(); // the page scrolls
        return;
    } else {
        zoomAt(inPlot(event->position()), std::pow(kWheelStep, turned.y()));
    }
    hoverAt(inPlot(event->position()));
    event->accept();
}

void ZoomableItem::pressedAt(QPointF position)
{
    m_isPressed = true;
    m_isPanning = false;
    m_press = position;
    m_last = position;
    forceActiveFocus(Qt::MouseFocusReason);
    setKeyboard(false);
}

void ZoomableItem::draggedTo(QPointF position)
{
    const double distance = QGuiApplication::styleHints()->startDragDistance();
    if (!m_isPressed) {
        return;
    }
    if (!m_isPanning && (position - m_press).manhattanLength() >= distance) {
        m_isPanning = true;
        setKeepMouseGrab(true);
        setKeepTouchGrab(true);
        hoverNowhere();
        if (isZoomed()) {
            setCursor(Qt::ClosedHandCursor);
        }
    }
    if (m_isPanning) {
        pan(position - m_last);
        m_last = position;
    }
}

void ZoomableItem::releasedAt(QPointF position)
{
    const bool isClick = m_isPressed && !m_isPanning;
    m_isPressed = false;
    m_isPanning = false;
    m_spread = 0;
    setKeepMouseGrab(false);
    setKeepTouchGrab(false);
    unsetCursor();
    if (isClick) {
        pickAt(inPlot(position));
    }
}

void ZoomableItem::mousePressEvent(QMouseEvent* event)
{
    pressedAt(event->position());
    event->accept();
}

void ZoomableItem::mouseMoveEvent(QMouseEvent* event)
{
    draggedTo(event->position());
}

void ZoomableItem::mouseReleaseEvent(QMouseEvent* event)
{
    releasedAt(event->position());
}

void ZoomableItem::mouseUngrabEvent()
{
    m_isPressed = false;
    m_isPanning = false;
    unsetCursor();
}

void ZoomableItem::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_isPressed = false;
    openAt(inPlot(event->position()));
    event->accept();
}

void ZoomableItem::touchEvent(QTouchEvent* event)
{
    const auto& points = event->points();
    if (points.size() >= 2) {
        const QPointF first = points[0].position();
        const QPointF second = points[1].position();
        const QPointF middle = (first + second) / 2;
        const double spread =
            std::max(1.0, std::hypot(first.x() - second.x(), first.y() - second.y()));
        if (m_spread > 0) {
            pan(middle - m_last);
            zoomAt(inPlot(middle), spread / m_spread);
        }
        m_spread = spread;
        m_last = middle;
        m_isPressed = false; // no click when the fingers go
        setKeepTouchGrab(true);
    } else if (points.size() == 1) {
        switch (points[0].state()) {
        case QEventPoint::Pressed:
            pressedAt(points[0].position());
            break;
        case QEventPoint::Updated:
            draggedTo(points[0].position());
            break;
        case QEventPoint::Released:
            releasedAt(points[0].position());
            break;
        default:
            break;
        }
    }
    if (event->type() == QEvent::TouchEnd || event->type() == QEvent::TouchCancel) {
        m_spread = 0;
        m_isPressed = false;
    }
    event->accept();
}

void ZoomableItem::touchUngrabEvent()
{
    m_spread = 0;
    mouseUngrabEvent();
}

void ZoomableItem::hoverMoveEvent(QHoverEvent* event)
{
    const QPointF point = inPlot(event->position());
    if (!m_isPanning) {
        plot().contains(event->position()) ? hoverAt(point) : hoverNowhere();
    }
}

void ZoomableItem::hoverLeaveEvent(QHoverEvent* /*event*/)
{
    hoverNowhere();
}

void ZoomableItem::focusInEvent(QFocusEvent* event)
{
    switch (event->reason()) {
    case Qt::TabFocusReason:
    case Qt::BacktabFocusReason:
    case Qt::ShortcutFocusReason:
        setKeyboard(true);
        break;
    default:
        break;
    }
    Q_EMIT visualFocusChanged();
    update();
}

void ZoomableItem::focusOutEvent(QFocusEvent* /*event*/)
{
    Q_EMIT visualFocusChanged();
    update();
}

void ZoomableItem::keyPressEvent(QKeyEvent* event)
{
    const auto others = event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
    if (others != Qt::NoModifier || !(zoomsByKey(*event) || movesByKey(*event))) {
        event->ignore();
        return;
    }
    setKeyboard(true);
    event->accept();
}

bool ZoomableItem::zoomsByKey(const QKeyEvent& event)
{
    if (!canZoom()) {
        return false;
    }
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(kKeyZoom);
        return true;
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
        zoomBy(1 / kKeyZoom);
        return true;
    case Qt::Key_0:
        fit();
        return true;
    default:
        return false;
    }
}

bool ZoomableItem::movesByKey(const QKeyEvent& event)
{
    const glm::dvec2 size = m_view.viewport();
    const bool isShifted = event.modifiers().testFlag(Qt::ShiftModifier);
    const auto go = [&](Step step, QPointF direction) {
        isShifted ? pan({ direction.x() * size.x * kKeyPan, direction.y() * size.y * kKeyPan })
                  : moveCursor(step);
    };
    switch (event.key()) {
    case Qt::Key_Left:
        go(Step::Left, { 1, 0 });
        return true;
    case Qt::Key_Right:
        go(Step::Right, { -1, 0 });
        return true;
    case Qt::Key_Up:
        go(Step::Up, { 0, 1 });
        return true;
    case Qt::Key_Down:
        go(Step::Down, { 0, -1 });
        return true;
    case Qt::Key_Home:
        moveCursor(Step::First);
        return true;
    case Qt::Key_End:
        moveCursor(Step::Last);
        return true;
    case Qt::Key_PageUp:
        pan({ size.x * kPagePan, 0 });
        return true;
    case Qt::Key_PageDown:
        pan({ -size.x * kPagePan, 0 });
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        pickCursor();
        return true;
    default:
        return false;
    }
}
