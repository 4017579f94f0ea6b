#include "engine/model/architectures/architecture.h"
#include "engine/model/architectures/compose.h"

#include <array>
#include <string>

namespace engine::model {

namespace {

constexpr std::array kArchitectures {
    Architecture { "afmoe", composeAfmoe },
    Architecture { "apertus", composeApertus },
    Architecture { "arcee", composeArcee },
    Architecture { "baichuan", composeBaichuan },
    Architecture { "bailingmoe", composeBailingMoe },
    Architecture { "bailingmoe2", composeBailingMoe2 },
    Architecture { "bloom", composeBloom },
    Architecture { "chatglm", composeChatGlm },
    Architecture { "cohere2", composeCohere2 },
    Architecture { "command-r", composeCommandR },
    Architecture { "deci", composeDeci },
    Architecture { "deepseek", composeDeepseek },
    Architecture { "deepseek2", composeDeepseek2 },
    Architecture { "dots1", composeDots1 },
    Architecture { "ernie4_5", composeErnie45 },
    Architecture { "ernie4_5-moe", composeErnie45 },
    Architecture { "exaone", composeExaone },
    Architecture { "exaone4", composeExaone4 },
    Architecture { "falcon", composeFalcon },
    Architecture { "falcon-h1", composeFalconH1 },
    Architecture { "gemma", composeGemma },
    Architecture { "gemma2", composeGemma2 },
    Architecture { "gemma3", composeGemma3 },
    Architecture { "gemma3n", composeGemma3n },
    Architecture { "gemma4", composeGemma4 },
    Architecture { "glm4", composeGlm4 },
    Architecture { "glm4moe", composeGlm4Moe },
    Architecture { "gpt-oss", composeGptOss },
    Architecture { "gpt2", composeGpt2 },
    Architecture { "gptneox", composeGptNeox },
    Architecture { "granite", composeGranite },
    Architecture { "granitehybrid", composeGraniteHybrid },
    Architecture { "granitemoe", composeGranite },
    Architecture { "hunyuan-dense", composeHunyuan },
    Architecture { "hunyuan-moe", composeHunyuan },
    Architecture { "internlm2", composeInternlm2 },
    Architecture { "jamba", composeJamba },
    Architecture { "lfm2", composeLfm2 },
    Architecture { "lfm2moe", composeLfm2 },
    Architecture { "llama", composeLlama },
    Architecture { "llama4", composeLlama4 },
    Architecture { "mamba", composeMamba },
    Architecture { "mamba2", composeMamba2 },
    Architecture { "minicpm", composeMinicpm },
    Architecture { "minicpm3", composeMinicpm3 },
    Architecture { "minimax-m2", composeMinimaxM2 },
    Architecture { "mistral3", composeMistral3 },
    Architecture { "mistral4", composeDeepseek2 },
    Architecture { "mpt", composeMpt },
    Architecture { "nemotron", composeNemotron },
    Architecture { "nemotron_h", composeNemotronH },
    Architecture { "nemotron_h_moe", composeNemotronH },
    Architecture { "olmo", composeOlmo },
    Architecture { "olmo2", composeOlmo2 },
    Architecture { "olmoe", composeOlmoe },
    Architecture { "orion", composeOrion },
    Architecture { "phi2", composePhi2 },
    Architecture { "phi3", composePhi3 },
    Architecture { "qwen", composeQwen },
    Architecture { "qwen2", composeQwen2 },
    Architecture { "qwen2moe", composeQwen2Moe },
    Architecture { "qwen2vl", composeQwen2 },
    Architecture { "qwen3", composeQwen3 },
    Architecture { "qwen35", composeQwen35 },
    Architecture { "qwen35moe", composeQwen35 },
    Architecture { "qwen3moe", composeQwen3 },
    Architecture { "qwen3next", composeQwen3Next },
    Architecture { "qwen3vl", composeQwen3 },
    Architecture { "qwen3vlmoe", composeQwen3 },
    Architecture { "seed_oss", composeSeedOss },
    Architecture { "smallthinker", composeSmallThinker },
    Architecture { "smollm3", composeSmollm3 },
    Architecture { "stablelm", composeStablelm },
    Architecture { "starcoder", composeStarcoder },
    Architecture { "starcoder2", composeStarcoder2 },
    Architecture { "xverse", composeInternlm2 },
};

/// Known, but out of reach.
struct Refused
{
    std::string_view name;
    std::string_view part;
};

constexpr std::array kRefused {
    Refused { "arwkv7", "RWKV's time mixing" },
    Refused { "bitnet", "the ternary layers' own scales" },
    Refused { "deepseek32", "attention to chosen tokens" },
    Refused { "deepseek4", "attention to compressed tokens" },
    Refused { "glm-dsa", "attention to chosen tokens" },
    Refused { "kimi-k3", "Kimi's delta attention" },
    Refused { "kimi-linear", "Kimi's delta attention" },
    Refused { "minimax-01", "lightning attention" },
    Refused { "minimax-m3", "attention to chosen tokens" },
    Refused { "phimoe", "norms with biases around its experts" },
    Refused { "plamo2", "PLaMo's state spaces" },
    Refused { "rwkv6", "RWKV's time mixing" },
    Refused { "rwkv6qwen2", "RWKV's time mixing" },
    Refused { "rwkv7", "RWKV's time mixing" },
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

std::string_view missingPart(std::string_view name)
{
    for (const auto& refused : kRefused) {
        if (refused.name == name) {
            return refused.part;
        }
    }
    return {};
}

std::string knownArchitectures()
{
    return std::to_string(kArchitectures.size())
        + " others, llama, qwen3, gemma3 and gpt-oss among them";
}

} // namespace engine::model
