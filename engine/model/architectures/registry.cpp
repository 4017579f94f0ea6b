#include "engine/model/architectures/architecture.h"
#include "engine/model/architectures/compose.h"

#include <array>
#include <string>

namespace engine::model {

namespace {

constexpr std::array kArchitectures {
    Architecture { "bloom", composeBloom },
    Architecture { "command-r", composeCommandR },
    Architecture { "deepseek2", composeDeepseek2 },
    Architecture { "falcon", composeFalcon },
    Architecture { "gemma", composeGemma },
    Architecture { "gemma2", composeGemma2 },
    Architecture { "gemma3", composeGemma3 },
    Architecture { "glm4", composeGlm4 },
    Architecture { "gpt-oss", composeGptOss },
    Architecture { "gpt2", composeGpt2 },
    Architecture { "gptneox", composeGptNeox },
    Architecture { "granite", composeGranite },
    Architecture { "lfm2", composeLfm2 },
    Architecture { "llama", composeLlama },
    Architecture { "mistral3", composeMistral3 },
    Architecture { "mpt", composeMpt },
    Architecture { "olmo2", composeOlmo2 },
    Architecture { "phi2", composePhi2 },
    Architecture { "phi3", composePhi3 },
    Architecture { "qwen2", composeQwen2 },
    Architecture { "qwen3", composeQwen3 },
    Architecture { "qwen35", composeQwen35 },
    Architecture { "qwen3moe", composeQwen3 },
    Architecture { "qwen3next", composeQwen3Next },
    Architecture { "smollm3", composeSmollm3 },
    Architecture { "stablelm", composeStablelm },
    Architecture { "starcoder2", composeStarcoder2 },
};

} // namespace

std::span<const Architecture> architectures()
{
    return kArchitectures;
}

const Architecture* architecture(std::string_view name)
{
    for (const auto& candidate : kArchitectures) {
        if (candidate.name == name) {
            return &candidate;
        }
    }
    return nullptr;
}

std::string architectureNames()
{
    std::string names;
    for (const auto& known : kArchitectures) {
        names += names.empty() ? "" : ", ";
        names += known.name;
    }
    return names;
}

} // namespace engine::model
