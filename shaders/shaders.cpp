#include "shaders/shaders.h"

#include <algorithm>
#include <iterator>

namespace shaders {

namespace {

struct Row
{
    std::string_view name;
    const std::uint32_t* begin;
    const std::uint32_t* end;
};

#include "shader_externs.inc"

const Row kRows[] = {
#include "shader_table.inc"
};

} // namespace

std::span<const std::uint32_t> find(std::string_view name)
{
    const auto row = std::ranges::find(kRows, name, &Row::name);
    return row == std::end(kRows) ? std::span<const std::uint32_t> {}
                                  : std::span(row->begin, row->end);
}

std::uint64_t digest()
{
    static const std::uint64_t value = [] {
        std::uint64_t hash = 0xCBF29CE484222325U; // FNV-1a, by words
        for (const auto& row : kRows) {
            for (const auto* word = row.begin; word != row.end; ++word) {
                hash = (hash ^ *word) * 0x100000001B3U;
            }
        }
        return hash;
    }();
    return value;
}

} // namespace shaders
