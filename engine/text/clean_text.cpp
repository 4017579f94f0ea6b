#include "engine/text/clean_text.h"

namespace engine::text {

namespace {

/// Drops the space in front of each of ? ! . ,
std::string joinPunctuation(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool mark = std::string_view("?!.,").find(text[i]) != std::string_view::npos;
        if (mark && i > 0 && text[i - 1] == ' ' && out.size() > 0) {
            out.pop_back();
        }
        out += text[i];
    }
    return out;
}

/// Drops both spaces around an apostrophe that stands alone.
std::string joinApostrophes(std::string_view text)
{
    std::string out;
    bool afterSpace = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool alone =
            text[i] == '\'' && afterSpace && i + 1 < text.size() && text[i + 1] == ' ';
        if (alone) {
            out.back() = '\'';
            ++i;
            afterSpace = false; // the space behind is used up
            continue;
        }
        out += text[i];
        afterSpace = text[i] == ' ';
    }
    return out;
}

/// Drops the space in front of 's 'm 're 've.
std::string joinContractions(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\'' && i > 0 && text[i - 1] == ' ') {
            const std::string_view next = text.substr(i + 1, 2);
            if (next.starts_with('s') || next.starts_with('m') || next == "re" || next == "ve") {
                out.pop_back();
            }
        }
        out += text[i];
    }
    return out;
}

} // namespace

std::string cleanSpaces(std::string_view text)
{
    return joinContractions(joinApostrophes(joinPunctuation(text)));
}

} // namespace engine::text
