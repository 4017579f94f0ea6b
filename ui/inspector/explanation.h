// What is selected, explained: texts on what it is for, with pictures of its layout.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/hex_view_model.h"

#include <QtCore/QObject>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; the bytes and their selection outlive it.
class Explanation : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// One after the other: maps of title, text, mistake (mostly empty) and strip (a list, see
    /// format_strip::listed; may be empty). Empty without a file.
    Q_PROPERTY(QVariantList parts READ parts NOTIFY changed)
    /// The first text.
    Q_PROPERTY(QString brief READ brief NOTIFY changed)

public:
    explicit Explanation(const HexViewModel& hex, QObject* parent = nullptr);

    [[nodiscard]] const QVariantList& parts() const { return m_parts; }
    [[nodiscard]] QString brief() const;

Q_SIGNALS:
    void changed();

private:
    using File = engine::gguf::GgufFile;
    void follow();
    void explainEntry(const engine::gguf::MetadataEntry& entry);
    void explainTensor(const engine::gguf::TensorInfo& tensor,
                       const engine::gguf::Section* section);
    void explainSection(const File& file, const engine::gguf::Section& section);
    void explainFile(const File& file);

    const HexViewModel& m_hex;
    QVariantList m_parts;
};
