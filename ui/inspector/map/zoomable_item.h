// What all maps share: zoom and pan by wheel, touch, mouse and keyboard, hover, a cursor, drawing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/map/label_layer.h"
#include "ui/inspector/map/map_palette.h"
#include "ui/inspector/map/triangle_batch.h"
#include "ui/inspector/map/view_transform.h"

#include <QtCore/QPointer>
#include <QtQuick/QQuickItem>

/// An item that draws a plane through a ViewTransform. Wheel and pinch zoom at the pointer,
/// dragging pans, double click fits; + − 0 zoom and fit, arrows, Home and End move a cursor, with
/// Shift they pan, Enter, Return and Space pick what is under the cursor. Nothing animates.
class ZoomableItem : public QQuickItem
{
    Q_OBJECT
    QML_ANONYMOUS
    Q_PROPERTY(MapPalette* colors READ colors WRITE setColors NOTIFY colorsChanged)
    /// True while it is focused by keyboard, or was handled by one: when a focus ring belongs
    /// around.
    Q_PROPERTY(bool visualFocus READ hasVisualFocus NOTIFY visualFocusChanged)
    /// False while all of it is in view.
    Q_PROPERTY(bool zoomed READ isZoomed NOTIFY viewChanged)
    /// What the cursor is on, for screen readers.
    Q_PROPERTY(QString spoken READ spoken NOTIFY spokenChanged)

public:
    explicit ZoomableItem(QQuickItem* parent = nullptr);
    ~ZoomableItem() override;

    [[nodiscard]] MapPalette* colors() const { return m_colors; }
    void setColors(MapPalette* colors);
    [[nodiscard]] bool hasVisualFocus() const { return m_isKeyboard && hasActiveFocus(); }
    [[nodiscard]] bool isZoomed() const { return !m_view.isFitted(); }
    [[nodiscard]] QString spoken() const { return m_spoken; }

    /// At the middle of the view.
    Q_INVOKABLE void zoomBy(double factor);
    Q_INVOKABLE void fit();

Q_SIGNALS:
    void colorsChanged();
    void visualFocusChanged();
    void viewChanged();
    void spokenChanged();

protected:
    enum class Step { Left, Right, Up, Down, First, Last };

    /// Where the plane is shown, in the item. All points below are relative to its corner.
    [[nodiscard]] virtual QRectF plot() const { return boundingRect(); }
    [[nodiscard]] virtual bool canZoom() const { return true; }
    /// The plane's size and limits of zoom follow the item's size, where an item wants that.
    virtual void resized() { }
    /// Before each zoom at that point.
    virtual void limitZoom(QPointF /*point*/) { }
    virtual void hoverAt(QPointF point) = 0;
    virtual void hoverNowhere() = 0;
    virtual void pickAt(QPointF point) = 0;
    virtual void openAt(QPointF /*point*/) { fit(); }
    virtual void moveCursor(Step step) = 0;
    virtual void pickCursor() = 0;
    /// Shapes, and texts over them. GUI thread waits, render thread runs.
    virtual void draw(TriangleBatch& shapes, QList<MapLabel>& labels) = 0;
    /// Textures below the shapes: `group` holds them between calls.
    virtual void updatePictures(QSGNode* /*group*/) { }
    virtual void colorsTaken() { } ///< colours set or changed

    [[nodiscard]] const ViewTransform& view() const { return m_view; }
    [[nodiscard]] double pixelRatio() const;
    [[nodiscard]] QFont labelFont() const;
    void setPlane(glm::dvec2 size);
    /// Any change of the view goes through here.
    template <typename Change>
    void changeView(Change change)
    {
        change(m_view);
        viewMoved();
    }
    void say(const QString& spoken);

    QSGNode* updatePaintNode(QSGNode* node, UpdatePaintNodeData* data) override;
    void geometryChange(const QRectF& now, const QRectF& before) override;
    bool event(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseUngrabEvent() override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void touchEvent(QTouchEvent* event) override;
    void touchUngrabEvent() override;
    void hoverMoveEvent(QHoverEvent* event) override;
    void hoverLeaveEvent(QHoverEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void viewMoved();
    void takeColors();
    void zoomAt(QPointF point, double factor);
    void pan(QPointF pixels);
    void setKeyboard(bool isKeyboard);
    void pressedAt(QPointF position);
    void draggedTo(QPointF position);
    void releasedAt(QPointF position);
    [[nodiscard]] bool zoomsByKey(const QKeyEvent& event);
    [[nodiscard]] bool movesByKey(const QKeyEvent& event);
    [[nodiscard]] QPointF inPlot(QPointF position) const { return position - plot().topLeft(); }

    QPointer<MapPalette> m_colors;
    ViewTransform m_view;
    LabelLayer m_labels;
    QString m_spoken;
    QPointF m_press;
    QPointF m_last;
    double m_spread = 0; // of two fingers
    bool m_isPressed = false;
    bool m_isPanning = false;
    bool m_isKeyboard = false;
};
