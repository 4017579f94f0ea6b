#include "ui/inspector/type_totals.h"

#include "ui/inspector/figures.h"

#include <algorithm>

using engine::gguf::TensorInfo;

TypeTotals::TypeTotals(const engine::gguf::GgufFile& file)
{
    for (const TensorInfo& tensor : file.tensors()) {
        add(tensor);
    }
    close();
}

TypeTotals::TypeTotals(const engine::gguf::GgufFile& file, std::span<const std::uint32_t> tensors)
{
    for (const std::uint32_t number : tensors) {
        add(file.tensors()[number]);
    }
    close();
}

void TypeTotals::add(const TensorInfo& tensor)
{
    auto found = std::find_if(m_types.begin(), m_types.end(), [&tensor](const TypeTotal& each) {
        return each.typeNumber == tensor.typeNumber;
    });
    if (found == m_types.end()) {
        found = m_types.insert(m_types.end(),
                               { .name = figures::type(tensor), .typeNumber = tensor.typeNumber });
    }
    ++found->tensors;
    found->bytes += tensor.data.size;
    m_bytes += tensor.data.size;
    if (tensor.typeInfo() != nullptr) {
        found->elements += tensor.elements;
        m_elements += tensor.elements;
    }
}

void TypeTotals::close()
{
    std::stable_sort(
        m_types.begin(), m_types.end(),
        [](const TypeTotal& left, const TypeTotal& right) { return left.bytes > right.bytes; });
}

double TypeTotals::bitsPerWeight() const
{
    constexpr double kBits = 8;
    return m_elements == 0 ? 0
                           : kBits * static_cast<double>(m_bytes) / static_cast<double>(m_elements);
}
