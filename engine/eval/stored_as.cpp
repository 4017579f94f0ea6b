#include "engine/eval/stored_as.h"

#include "engine/quant/codec.h"

#include <algorithm>
#include <cmath>

namespace engine::eval {

namespace {

/// The absolute error, as a double; 0 for two NaN and for two equal infinities.
double errorOf(float value, float stored)
{
    if (value == stored || (std::isnan(value) && std::isnan(stored))) {
        return 0;
    }
    return std::fabs(static_cast<double>(stored) - static_cast<double>(value));
}

void measure(StoredWeights& stored, std::span<const float> values)
{
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double error = errorOf(values[i], stored.values[i]);
        squares += error * error;
        if (!(error <= stored.maxError)) { // NaN stays
            stored.maxError = error;
        }
    }
    stored.rmse = values.empty() ? 0 : std::sqrt(squares / static_cast<double>(values.size()));
}

} // namespace

std::vector<StoredWeights> storedAs(std::span<const float> values, gguf::TensorType own,
                                    std::span<const std::byte> ownBytes)
{
    std::vector<StoredWeights> all;
    for (const quant::Codec& codec : quant::codecs()) {
        const auto& info = gguf::tensorTypeInfo(codec.type);
        const std::size_t blocks = values.size() / info.blockSize;
        if (codec.type == own || !codec.encode || blocks * info.blockSize != values.size()) {
            continue;
        }
        StoredWeights stored { .type = codec.type };
        stored.bytes.resize(blocks * info.typeSize);
        stored.values.resize(values.size());
        codec.encode(values.data(), stored.bytes.data(), blocks);
        codec.decode(stored.bytes.data(), stored.values.data(), blocks);
        measure(stored, values);
        all.push_back(std::move(stored));
    }
    all.push_back({ .type = own,
                    .isOwn = true,
                    .bytes = { ownBytes.begin(), ownBytes.end() },
                    .values = { values.begin(), values.end() } });
    std::ranges::stable_sort(all, std::ranges::greater(),
                             [](const StoredWeights& stored) { return stored.bytes.size(); });
    return all;
}

} // namespace engine::eval
