// The words that choose tensors: "blk.*.attn_q type:Q4_K >100MB".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <QtCore/QList>
#include <QtCore/QRegularExpression>
#include <QtCore/QString>

#include <functional>

/// Terms between spaces, all of which have to hold; "!" before one turns it around.
///
/// attn_q            part of the name
/// blk.*.attn_q      the name, or its start up to a dot (* any text, ? one character)
/// type:Q4_K,Q6_*    one of these types
/// >100MB  <=4KiB    size in bytes (B, kB, MB, GB, TB, KiB, MiB, GiB)
/// bits:<5           bits per weight
/// layer:3  layer:0-7
/// shape:576         one of the lengths
class TensorFilter
{
public:
    TensorFilter() = default;
    explicit TensorFilter(const QString& text);

    [[nodiscard]] bool isEmpty() const { return m_terms.isEmpty(); }
    /// What is wrong with the text, translated; empty when all is well. Terms that are wrong choose
    /// nothing out.
    [[nodiscard]] const QString& complaint() const { return m_complaint; }
    [[nodiscard]] bool matches(const engine::gguf::TensorInfo& tensor) const;

private:
    using Test = std::function<bool(const engine::gguf::TensorInfo&)>;
    [[nodiscard]] static Test testFor(const QString& term);

    QList<Test> m_terms;
    QString m_complaint;
};
