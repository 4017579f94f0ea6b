#include "engine/gguf/foreign_format.h"

#include "engine/base/byte_reader.h"
#include "engine/gguf/printable.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace engine::gguf {

namespace {

using namespace std::string_view_literals;

struct Signature
{
    std::string_view start;
    std::string_view format;
};

// The old magics are stored as little-endian numbers, hence reversed.
constexpr auto kOldFormats = std::to_array<Signature>({
    { "lmgg"sv, "GGML"sv },
    { "fmgg"sv, "GGMF"sv },
    { "tjgg"sv, "GGJT"sv },
    { "algg"sv, "GGLA (a LoRA adapter)"sv },
});

constexpr auto kOtherFormats = std::to_array<Signature>({
    { "PK\x03\x04"sv, "a ZIP archive (a PyTorch checkpoint, perhaps)"sv },
    { "\x80\x02"sv, "a Python pickle (a PyTorch checkpoint, perhaps)"sv },
    { "\x1f\x8b"sv, "a gzip archive"sv },
    { "\x28\xb5\x2f\xfd"sv, "a zstd archive"sv },
    { "\xfd"
      "7zXZ"sv,
      "an xz archive"sv },
    { "7z\xbc\xaf"sv, "a 7-Zip archive"sv },
    { "Rar!"sv, "a RAR archive"sv },
    { "\x89HDF"sv, "an HDF5 file"sv },
    { "%PDF"sv, "a PDF document"sv },
    { "{\""sv, "JSON text (a configuration or an error of the site)"sv },
    { "{\n"sv, "JSON text (a configuration or an error of the site)"sv },
});

constexpr std::uint64_t kLooked = 256;

std::string_view firstText(std::span<const std::byte> bytes)
{
    ByteReader reader(bytes);
    return reader.readText(std::min<std::uint64_t>(bytes.size(), kLooked))
        .value_or(std::string_view());
}

bool isHtml(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF")) { // byte order mark
        text.remove_prefix(3);
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    std::string lower(text.substr(0, 16));
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return lower.starts_with("<!doctype html") || lower.starts_with("<html")
        || lower.starts_with("<head") || lower.starts_with("<body");
}

/// A safetensors file: the length of a JSON header, then that header.
bool isSafetensors(std::span<const std::byte> bytes, std::string_view text)
{
    ByteReader reader(bytes);
    const auto length = reader.read<std::uint64_t>();
    return length && *length <= reader.remaining() && text.substr(8, 1) == "{";
}

} // namespace

Error foreignFormatError(std::span<const std::byte> bytes, const std::string& file)
{
    const std::string_view text = firstText(bytes);
    const auto error = [&file](ErrorCode code, std::vector<std::string> arguments = {}) {
        return Error { code, std::move(arguments), { .file = file, .offset = 0 } };
    };
    if (isHtml(text)) {
        return error(ErrorCode::GgufIsHtml);
    }
    if (text.starts_with("version https://git-lfs")) {
        return error(ErrorCode::GgufIsLfsPointer);
    }
    const std::string magic = '"' + printable(text.substr(0, 4)) + '"';
    const auto matches = [text](const Signature& row) { return text.starts_with(row.start); };
    if (const auto* old = std::ranges::find_if(kOldFormats, matches); old != kOldFormats.end()) {
        return error(ErrorCode::GgufIsOldFormat, { magic, std::string(old->format) });
    }
    if (isSafetensors(bytes, text)) {
        return error(ErrorCode::GgufIsOtherFormat, { "a safetensors file" });
    }
    if (const auto* other = std::ranges::find_if(kOtherFormats, matches);
        other != kOtherFormats.end()) {
        return error(ErrorCode::GgufIsOtherFormat, { std::string(other->format) });
    }
    return error(ErrorCode::GgufMagic, { magic });
}

} // namespace engine::gguf
