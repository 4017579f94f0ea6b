// The whole file as a strip: sections, selection, problems, and which parts are in memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/inspected_file.h"
#include "ui/inspector/map/strip_bars.h"
#include "ui/inspector/map/strip_layout.h"
#include "ui/inspector/map/zoomable_item.h"

#include <QtCore/QByteArray>

/// Zooms from the whole file to single bytes, which then show their values. Byte ranges in and out
/// are absolute in the file; FileMap.qml gives it colours, a focus ring and its name.
class FileMapItem : public ZoomableItem
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(InspectedFile file READ file WRITE setFile NOTIFY fileChanged)
    Q_PROPERTY(Scale mode READ mode WRITE setMode NOTIFY modeChanged)
    /// The selection: framed, and brought into view when it changes. Size 0: a place without width.
    Q_PROPERTY(
        qreal selectedOffset READ selectedOffset WRITE setSelectedOffset NOTIFY selectionChanged)
    Q_PROPERTY(qreal selectedSize READ selectedSize WRITE setSelectedSize NOTIFY selectionChanged)
    /// Offsets of problems: a mark above the strip at each.
    Q_PROPERTY(QList<qreal> marks READ marks WRITE setMarks NOTIFY marksChanged)
    /// Equal parts of the file from begin to end, each with how much of it is in memory, 0 … 255.
    /// Shown as a row of cells below the strip; empty: no row.
    Q_PROPERTY(QByteArray residency READ residency WRITE setResidency NOTIFY residencyChanged)
    /// The bytes in view.
    Q_PROPERTY(qreal firstByte READ firstByte NOTIFY viewChanged)
    Q_PROPERTY(qreal lastByte READ lastByte NOTIFY viewChanged)

public:
    enum Scale { ToScale, Logarithmic };
    Q_ENUM(Scale)

    explicit FileMapItem(QQuickItem* parent = nullptr);

    [[nodiscard]] InspectedFile file() const { return m_file; }
    void setFile(const InspectedFile& file);
    [[nodiscard]] Scale mode() const { return m_mode; }
    void setMode(Scale mode);
    [[nodiscard]] qreal selectedOffset() const { return m_selectedOffset; }
    void setSelectedOffset(qreal offset);
    [[nodiscard]] qreal selectedSize() const { return m_selectedSize; }
    void setSelectedSize(qreal size);
    [[nodiscard]] QList<qreal> marks() const { return m_marks; }
    void setMarks(const QList<qreal>& marks);
    [[nodiscard]] QByteArray residency() const { return m_residency; }
    void setResidency(const QByteArray& residency);
    [[nodiscard]] qreal firstByte() const;
    [[nodiscard]] qreal lastByte() const;

    /// Zooms so that these bytes take half of the view.
    Q_INVOKABLE void showRange(qreal offset, qreal size);
    /// Where a byte is drawn, in the item's coordinates; outside of it when out of view.
    Q_INVOKABLE qreal xOf(qreal offset) const;

Q_SIGNALS:
    void fileChanged();
    void modeChanged();
    void selectionChanged();
    void marksChanged();
    void residencyChanged();
    /// Click or Enter: a section's bytes; tensorIndex −1 where it is no tensor's.
    void picked(qreal offset, qreal size, int tensorIndex);
    /// The byte under the pointer (or the keyboard's cursor) and the section that owns it. at −1
    /// when there is none any more.
    void hovered(qreal at, qreal offset, qreal size, const QString& name, int tensorIndex);

protected:
    [[nodiscard]] QRectF plot() const override;
    void limitZoom(QPointF point) override;
    void hoverAt(QPointF point) override;
    void hoverNowhere() override;
    void pickAt(QPointF point) override;
    void openAt(QPointF point) override;
    void moveCursor(Step step) override;
    void pickCursor() override;
    void colorsTaken() override;
    void draw(TriangleBatch& shapes, QList<MapLabel>& labels) override;

private:
    void rebuild();
    void updateHeight();
    void select();
    void emitHovered(std::uint64_t at, std::size_t section);
    void pick(std::size_t section);
    [[nodiscard]] std::optional<std::size_t> sectionAt(QPointF point) const;
    [[nodiscard]] double screenX(double position) const;
    [[nodiscard]] QColor barColor(const StripBar& bar) const;
    [[nodiscard]] QString nameOf(const StripSection& part) const;
    [[nodiscard]] QString typeOf(const StripSection& part) const;
    void drawBars(TriangleBatch& shapes, QList<MapLabel>& labels) const;
    void labelBar(const StripBar& bar, const QColor& ground, QList<MapLabel>& labels) const;
    [[nodiscard]] bool drawBytes(const StripBar& bar, const QColor& ground, TriangleBatch& shapes,
                                 QList<MapLabel>& labels) const;
    void drawMarks(TriangleBatch& shapes) const;
    void drawSelection(TriangleBatch& shapes) const;
    void drawResidency(TriangleBatch& shapes) const;

    InspectedFile m_file;
    StripLayout m_layout;
    std::vector<QColor> m_sectionColors;
    Scale m_mode = ToScale;
    qreal m_selectedOffset = -1;
    qreal m_selectedSize = 0;
    QList<qreal> m_marks;
    QByteArray m_residency;
    std::vector<double> m_resident; // sums of the shares before each part
    std::optional<std::size_t> m_hovered;
    std::optional<std::size_t> m_cursor;
};
