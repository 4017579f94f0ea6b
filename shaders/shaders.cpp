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

} // namespace shaders
