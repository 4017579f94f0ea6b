// Names the field of the format that a byte of the file belongs to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/array_index.h"

#include <QtCore/QString>

#include <map>
#include <vector>

/// One field: its bytes, its name ("tokenizer.ggml.tokens, element 12: length"), and what it holds.
struct Field
{
    engine::gguf::ByteSpan span; ///< size 0 past the end of the file
    QString name; ///< translated
    QString value; ///< in words; empty for raw data
};

/// Lives on the GUI thread, since it indexes an array when a byte in it is first asked for.
class FieldFinder
{
public:
    using File = ArrayIndex::File;

    explicit FieldFinder(File file);

    [[nodiscard]] Field at(std::uint64_t offset) const;
    /// In file order, without gaps.
    [[nodiscard]] const std::vector<engine::gguf::Section>& sections() const { return m_sections; }
    /// The section that holds a byte; null past the end.
    [[nodiscard]] const engine::gguf::Section* sectionAt(std::uint64_t offset) const;

private:
    [[nodiscard]] Field inPart(const engine::gguf::Part& part, std::uint64_t offset) const;
    [[nodiscard]] Field inHeader(std::uint64_t offset) const;
    [[nodiscard]] Field inMetadata(std::uint64_t offset) const;
    [[nodiscard]] Field inValue(const QString& key, const engine::gguf::Value& value,
                                std::uint64_t offset) const;
    [[nodiscard]] Field inArray(const QString& key, std::size_t entry, std::uint64_t offset) const;
    [[nodiscard]] Field inDirectory(std::uint64_t offset) const;
    [[nodiscard]] Field inWeights(const engine::gguf::TensorInfo& tensor,
                                  std::uint64_t offset) const;
    [[nodiscard]] const engine::gguf::TensorInfo* weightsAt(std::uint64_t offset) const;

    File m_file;
    std::vector<engine::gguf::Section> m_sections;
    std::vector<const engine::gguf::TensorInfo*> m_byOffset;
    mutable std::map<std::size_t, std::shared_ptr<const ArrayIndex>> m_arrays; ///< by entry
    mutable std::map<std::uint64_t, std::shared_ptr<const FieldFinder>> m_parts; ///< by offset
};
