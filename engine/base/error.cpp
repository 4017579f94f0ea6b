#include "engine/base/result.h"

#include <array>

namespace engine {

namespace {

struct ErrorText
{
    std::string_view slug;
    std::string_view pattern;
};

constexpr auto kErrorTexts = std::to_array<ErrorText>({
#define VITRINE_ERROR(name, slug, text) { slug, text },
#include "engine/base/error_codes.inc"
#undef VITRINE_ERROR
});

} // namespace

std::string_view errorSlug(ErrorCode code)
{
    return kErrorTexts[static_cast<std::size_t>(code)].slug;
}

std::string_view errorPattern(ErrorCode code)
{
    return kErrorTexts[static_cast<std::size_t>(code)].pattern;
}

std::string fillPattern(std::string_view pattern, const std::vector<std::string>& arguments)
{
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool isPlace = pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}'
            && pattern[i + 1] >= '0' && pattern[i + 1] <= '9';
        if (!isPlace) {
            out += pattern[i];
            continue;
        }
        const auto index = static_cast<std::size_t>(pattern[i + 1] - '0');
        if (index < arguments.size()) {
            out += arguments[index];
        }
        i += 2;
    }
    return out;
}

std::string englishSentence(const Error& error)
{
    std::string out;
    if (!error.where.file.empty()) {
        out += error.where.file + ": ";
    }
    if (!error.where.subject.empty()) {
        out += error.where.subject + ": ";
    }
    out += fillPattern(errorPattern(error.code), error.arguments);
    if (error.where.offset) {
        out += " (at byte " + std::to_string(*error.where.offset) + ")";
    }
    return out;
}

} // namespace engine
