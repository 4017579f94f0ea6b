// Draws the bytes of the file, rows of sixteen, whatever its size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/hex_view_model.h"

#include <QtCore/QPointer>
#include <QtGui/QColor>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/QQuickPaintedItem>

/// Only the rows in view are read. Scrolls by rows, since pixels of a large file do not fit a
/// number. Colours and the font come from QML.
class HexPane : public QQuickPaintedItem
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(HexViewModel* hex READ hex WRITE setHex NOTIFY hexChanged)
    /// The first row in view; whole.
    Q_PROPERTY(double topRow READ topRow WRITE setTopRow NOTIFY topRowChanged)
    Q_PROPERTY(double rowCount READ rowCount NOTIFY rowsChanged)
    Q_PROPERTY(int rowsInView READ rowsInView NOTIFY rowsChanged)
    Q_PROPERTY(QString family MEMBER m_family NOTIFY lookChanged)
    Q_PROPERTY(int fontSize MEMBER m_fontSize NOTIFY lookChanged)
    Q_PROPERTY(QColor text MEMBER m_text NOTIFY lookChanged)
    Q_PROPERTY(QColor dim MEMBER m_dim NOTIFY lookChanged)
    Q_PROPERTY(QColor selected MEMBER m_selected NOTIFY lookChanged)
    Q_PROPERTY(QColor field MEMBER m_field NOTIFY lookChanged)
    Q_PROPERTY(QColor cursorColor MEMBER m_cursorColor NOTIFY lookChanged)
    Q_PROPERTY(QColor header MEMBER m_header NOTIFY lookChanged)
    Q_PROPERTY(QColor metadata MEMBER m_metadata NOTIFY lookChanged)
    Q_PROPERTY(QColor directory MEMBER m_directory NOTIFY lookChanged)
    /// What one row needs.
    Q_PROPERTY(double contentWidth READ contentWidth NOTIFY rowsChanged)
    /// The row of the cursor, for screen readers.
    Q_PROPERTY(QString spoken READ spoken NOTIFY spokenChanged)

public:
    explicit HexPane(QQuickItem* parent = nullptr);

    void paint(QPainter* painter) override;

    [[nodiscard]] HexViewModel* hex() const { return m_hex; }
    void setHex(HexViewModel* hex);
    [[nodiscard]] double topRow() const { return static_cast<double>(m_topRow); }
    void setTopRow(double row);
    [[nodiscard]] double rowCount() const;
    [[nodiscard]] int rowsInView() const;
    [[nodiscard]] double contentWidth() const;
    [[nodiscard]] QString spoken() const;

    /// The byte at a point of the item, the nearest one of its row; below 0 where there is none.
    Q_INVOKABLE double byteAt(double x, double y) const;

Q_SIGNALS:
    void hexChanged();
    void topRowChanged();
    void rowsChanged();
    void lookChanged();
    void spokenChanged();

protected:
    void geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) override;

private:
    /// Where things stand in a row.
    struct Columns
    {
        int digits = 0; ///< of an offset
        double cell = 0; ///< width of a character
        double height = 0;
        double bytes = 0; ///< x of the first byte
        double characters = 0;

        [[nodiscard]] double byteX(int column) const;
    };
    [[nodiscard]] int addressDigits() const;
    [[nodiscard]] Columns columns() const;
    [[nodiscard]] QFont font() const;
    void follow();
    void paintRow(QPainter& painter, const Columns& columns, quint64 row, double y) const;
    void paintMarks(QPainter& painter, const Columns& columns, quint64 start, int count,
                    double y) const;
    [[nodiscard]] QColor inkAt(quint64 offset) const;

    QPointer<HexViewModel> m_hex;
    quint64 m_topRow = 0;
    QString m_family;
    int m_fontSize = 12;
    QColor m_text;
    QColor m_dim;
    QColor m_selected;
    QColor m_field;
    QColor m_cursorColor;
    QColor m_header;
    QColor m_metadata;
    QColor m_directory;
};
