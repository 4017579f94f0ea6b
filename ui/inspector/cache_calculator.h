// What the KV cache of the file's model takes: by context length and number type, with the formula.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/cache_size.h"
#include "ui/inspector/inspected_file.h"

#include <QtCore/QObject>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include <optional>

/// Lives on the GUI thread; reads a few metadata values.
class CacheCalculator : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(InspectedFile file READ file WRITE setFile NOTIFY changed)
    /// Tokens; begins with what the model was trained for.
    Q_PROPERTY(int context READ context WRITE setContext NOTIFY changed)
    Q_PROPERTY(int trained READ trained NOTIFY changed)
    /// Maps of type, size and perToken.
    Q_PROPERTY(QVariantList rows READ rows NOTIFY changed)
    /// "2 × 30 layers × 3 heads × 64 × 8,192 tokens"; empty where layers differ.
    Q_PROPERTY(QString formula READ formula NOTIFY changed)
    /// Why there is no number, or what it leaves out.
    Q_PROPERTY(QString note READ note NOTIFY changed)

public:
    using QObject::QObject;

    static constexpr int kLongest = 1 << 28;

    [[nodiscard]] InspectedFile file() const { return m_file; }
    void setFile(const InspectedFile& file);
    [[nodiscard]] int context() const { return m_context; }
    void setContext(int tokens);
    [[nodiscard]] int trained() const
    {
        return m_shape ? static_cast<int>(m_shape->trainedContext) : 0;
    }
    [[nodiscard]] QVariantList rows() const;
    [[nodiscard]] QString formula() const;
    [[nodiscard]] QString note() const;

Q_SIGNALS:
    void changed();

private:
    InspectedFile m_file;
    std::optional<engine::model::CacheShape> m_shape;
    QString m_error;
    int m_context = 0;
};
