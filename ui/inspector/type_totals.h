// What the tensors of a file add up to, by type.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <QtCore/QList>
#include <QtCore/QString>

#include <cstdint>
#include <span>

/// All tensors of one type.
struct TypeTotal
{
    QString name;
    quint32 typeNumber = 0;
    quint64 tensors = 0;
    quint64 elements = 0;
    quint64 bytes = 0;
};

class TypeTotals
{
public:
    /// Of all tensors of the file.
    explicit TypeTotals(const engine::gguf::GgufFile& file);
    /// Of those with these numbers.
    TypeTotals(const engine::gguf::GgufFile& file, std::span<const std::uint32_t> tensors);

    /// Most bytes first.
    [[nodiscard]] const QList<TypeTotal>& types() const { return m_types; }
    [[nodiscard]] quint64 bytes() const { return m_bytes; }
    [[nodiscard]] quint64 elements() const { return m_elements; }
    /// Of all weights whose type is known together; 0 without any.
    [[nodiscard]] double bitsPerWeight() const;

private:
    void add(const engine::gguf::TensorInfo& tensor);
    void close();

    QList<TypeTotal> m_types;
    quint64 m_bytes = 0;
    quint64 m_elements = 0;
};
