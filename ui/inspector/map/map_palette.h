// The colours of the maps, as Theme gives them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "ui/inspector/map/color_map.h"

#include <QtCore/QObject>
#include <QtGui/QColor>
#include <QtQml/qqmlregistration.h>

#define VITRINE_COLOR(name)                                                                        \
    Q_PROPERTY(QColor name MEMBER name NOTIFY changed)                                             \
public:                                                                                            \
    QColor name

/// Filled by InspectorColors.qml, shared by all maps and by what explains them. Lives on the GUI
/// thread; the items read it while that waits for the scene graph.
class MapPalette : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    VITRINE_COLOR(surface);
    VITRINE_COLOR(sunken);
    VITRINE_COLOR(line);
    VITRINE_COLOR(text);
    VITRINE_COLOR(dim);
    VITRINE_COLOR(accent);
    VITRINE_COLOR(error);
    // Sections that are no tensors.
    VITRINE_COLOR(header);
    VITRINE_COLOR(metadata);
    VITRINE_COLOR(directory);
    VITRINE_COLOR(padding);
    VITRINE_COLOR(unowned); // gaps, past the end, unread
    // Tensor types by family.
    VITRINE_COLOR(f32);
    VITRINE_COLOR(f16);
    VITRINE_COLOR(bf16);
    VITRINE_COLOR(q2);
    VITRINE_COLOR(q3);
    VITRINE_COLOR(q4);
    VITRINE_COLOR(q5);
    VITRINE_COLOR(q6);
    VITRINE_COLOR(q8);
    VITRINE_COLOR(iqLow); // IQ1 …
    VITRINE_COLOR(iqHigh); // … IQ4
    VITRINE_COLOR(otherType);
    // Stops of the maps of numbers: diverging around zero, and sequential.
    Q_PROPERTY(QList<QColor> diverging MEMBER diverging NOTIFY changed)
    Q_PROPERTY(QList<QColor> sequential MEMBER sequential NOTIFY changed)
    Q_PROPERTY(QString family MEMBER family NOTIFY changed)
    Q_PROPERTY(int fontSize MEMBER fontSize NOTIFY changed)

public:
    QList<QColor> diverging;
    QList<QColor> sequential;
    QString family; ///< of the names and numbers in the maps
    int fontSize = 11; ///< in pixels

    explicit MapPalette(QObject* parent = nullptr)
        : QObject(parent)
    {
    }

    /// Of a ggml type number, known or not. Types of one family differ a little.
    Q_INVOKABLE QColor typeColor(uint typeNumber) const;
    /// On a scale from 1 to 32 bits.
    Q_INVOKABLE QColor bitsColor(double bitsPerWeight) const;
    [[nodiscard]] QColor sectionColor(const engine::gguf::Section& section, uint typeNumber) const;
    /// Of numbers: made anew after each change of the stops.
    [[nodiscard]] ColorMap divergingMap() const { return ColorMap(diverging); }
    [[nodiscard]] ColorMap sequentialMap() const { return ColorMap(sequential); }

Q_SIGNALS:
    void changed();
};

#undef VITRINE_COLOR
