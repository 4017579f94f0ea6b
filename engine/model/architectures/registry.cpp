#include "engine/model/architectures/architecture.h"

#include <array>
#include <string>

namespace engine::model {

namespace {

const std::array kArchitectures { &kLlama };

} // namespace

std::span<const Architecture* const> architectures()
{
    return kArchitectures;
}

const Architecture* architecture(std::string_view name)
{
    for (const auto* candidate : kArchitectures) {
        if (candidate->name == name) {
            return candidate;
        }
    }
    return nullptr;
}

std::string architectureNames()
{
    std::string names;
    for (const auto* known : kArchitectures) {
        names += names.empty() ? "" : ", ";
        names += known->name;
    }
    return names;
}

} // namespace engine::model
