// One quantization block down to its bits: bytes, fields, weights, and which belongs to which.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/tensor_type.h"
#include "engine/quant/block_fields.h"

#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include <span>
#include <vector>

/// Lives on the GUI thread. Numbers of a plain type are shown several at once, each a block of its
/// own. Looking at a byte, a field or a weight lights all that belongs to it.
class BlockExplorer : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// Maps of hex, name ("qs[3]") and kind; in file order.
    Q_PROPERTY(QVariantList bytes READ bytes NOTIFY shownChanged)
    /// What belongs to more than one weight: maps of name, kind, kindName, value and raw.
    Q_PROPERTY(QVariantList parts READ parts NOTIFY shownChanged)
    Q_PROPERTY(QList<double> values READ values NOTIFY shownChanged)
    /// "w = d · q + m"
    Q_PROPERTY(QString formula READ formula NOTIFY shownChanged)
    /// The same weights in other types: maps of type, bytes, rmse, largest, share (of the worst
    /// rmse) and own.
    Q_PROPERTY(QVariantList alternatives READ alternatives NOTIFY shownChanged)
    /// The weight that was chosen.
    Q_PROPERTY(int weight READ weight WRITE setWeight NOTIFY lookChanged)
    /// What belongs to what is looked at, or to the weight that was chosen.
    Q_PROPERTY(QList<int> litBytes READ litBytes NOTIFY lookChanged)
    Q_PROPERTY(QList<int> litParts READ litParts NOTIFY lookChanged)
    Q_PROPERTY(int litWeight READ litWeight NOTIFY lookChanged)
    /// What is looked at, in words: "qs[3] = 0xf3: lo[3] = 3, hi[19] = 15".
    Q_PROPERTY(QString about READ about NOTIFY lookChanged)
    /// How the lit weight is made, with this block's numbers.
    Q_PROPERTY(QString recipe READ recipe NOTIFY lookChanged)

public:
    using QObject::QObject;

    /// So many numbers of a plain type are shown at once.
    static constexpr std::uint64_t kPlainNumbers = 32;

    /// `bytes`: one block, or several of a type whose blocks are single numbers.
    void show(engine::gguf::TensorType type, std::span<const std::byte> bytes,
              std::span<const float> values);
    void clear();

    [[nodiscard]] const QVariantList& bytes() const { return m_byteList; }
    [[nodiscard]] const QVariantList& parts() const { return m_partList; }
    [[nodiscard]] const QList<double>& values() const { return m_values; }
    [[nodiscard]] QString formula() const;
    [[nodiscard]] const QVariantList& alternatives() const { return m_alternatives; }
    [[nodiscard]] int weight() const { return m_weight; }
    void setWeight(int weight);
    [[nodiscard]] const QList<int>& litBytes() const { return m_litBytes; }
    [[nodiscard]] const QList<int>& litParts() const { return m_litParts; }
    [[nodiscard]] int litWeight() const { return m_litWeight; }
    [[nodiscard]] const QString& about() const { return m_about; }
    [[nodiscard]] const QString& recipe() const { return m_recipe; }

    Q_INVOKABLE void lookAtByte(int byte);
    Q_INVOKABLE void lookAtPart(int part);
    Q_INVOKABLE void lookAtWeight(int weight);
    /// Back to the weight that was chosen.
    Q_INVOKABLE void lookAway() { lookAtWeight(m_weight); }

Q_SIGNALS:
    void shownChanged();
    void lookChanged();

private:
    using Fields = std::vector<engine::quant::BlockField>;

    [[nodiscard]] std::span<const std::byte> blockOf(int byte) const;
    [[nodiscard]] std::size_t blockBytes() const;
    [[nodiscard]] std::size_t blockWeights() const;
    void listBytes();
    void listParts();
    void listAlternatives(std::span<const float> values);
    /// Lights these fields of the block that begins at byte `first`.
    void light(const Fields& fields, const std::vector<std::size_t>& chosen, std::size_t first);
    void tellRecipe(int weight);

    engine::gguf::TensorType m_type = engine::gguf::TensorType::F32;
    std::vector<std::byte> m_bytes;
    Fields m_fields; ///< of the first block
    std::vector<std::size_t> m_partFields; ///< indices into m_fields
    QVariantList m_byteList;
    QVariantList m_partList;
    QVariantList m_alternatives;
    QList<double> m_values;
    int m_weight = 0;
    QList<int> m_litBytes;
    QList<int> m_litParts;
    int m_litWeight = -1;
    QString m_about;
    QString m_recipe;
};
