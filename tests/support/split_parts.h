// An answer cut into pieces and split into reasoning and answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/reasoning_splitter.h"

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// Everything that came out of a splitter so far.
struct SplitParts
{
    std::string reasoning;
    std::string answer;

    void add(const engine::chat::SplitText& text)
    {
        if (text.turned) {
            reasoning += answer;
            answer.clear();
        }
        reasoning += text.reasoning;
        answer += text.answer;
    }
    friend bool operator==(const SplitParts&, const SplitParts&) = default;
};

[[nodiscard]] inline SplitParts splitPieces(const engine::chat::ReasoningMarks& marks,
                                            std::string_view promptEnd,
                                            const std::vector<std::string_view>& pieces)
{
    const auto splitter = engine::chat::makeReasoningSplitter(marks, promptEnd);
    SplitParts parts;
    for (const auto piece : pieces) {
        parts.add(splitter->push(piece));
    }
    parts.add(splitter->finish());
    return parts;
}

/// The first way of cutting `text` that gives other parts than the whole text, as words joined by
/// "|"; empty when there is none. Every byte, every two pieces, and many pieces at random.
[[nodiscard]] inline std::string cutThatDiffers(const engine::chat::ReasoningMarks& marks,
                                                std::string_view promptEnd, std::string_view text,
                                                std::mt19937& random)
{
    const SplitParts whole = splitPieces(marks, promptEnd, { text });
    const auto differs = [&](const std::vector<std::string_view>& pieces) -> std::string {
        if (splitPieces(marks, promptEnd, pieces) == whole) {
            return {};
        }
        std::string out;
        for (const auto piece : pieces) {
            out += std::string(piece) + "|";
        }
        return out;
    };
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        bytes.push_back(text.substr(at, 1));
        if (auto cut = differs({ text.substr(0, at), text.substr(at) }); !cut.empty()) {
            return cut;
        }
    }
    if (auto cut = differs(bytes); !cut.empty()) {
        return cut;
    }
    for (int round = 0; round < 8; ++round) {
        std::vector<std::string_view> pieces;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = random() % 7;
            pieces.push_back(text.substr(at, length));
            at += length;
        }
        if (auto cut = differs(pieces); !cut.empty()) {
            return cut;
        }
    }
    return {};
}

/// A text made of `count` of these words at random.
[[nodiscard]] inline std::string textOf(const std::vector<std::string>& words, int count,
                                        std::mt19937& random)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += words[random() % words.size()];
    }
    return text;
}

} // namespace tests
