#include "engine/gguf/parser.h"

#include "engine/gguf/foreign_format.h"
#include "engine/gguf/printable.h"

#include <limits>

namespace engine::gguf {

namespace {

constexpr std::uint64_t kHeaderSize = 24;
constexpr std::uint64_t kHeaderSizeV1 = 16;
constexpr std::uint64_t kTensorCountAt = 8;
constexpr std::uint64_t kMetadataCountAt = 16;

// What an entry takes at the very least: a key's length, with all behind it cut off; a tensor with
// an empty name and no dimensions.
constexpr std::uint64_t kSmallestEntry = 8;
constexpr std::uint64_t kSmallestTensor = 24;

constexpr std::size_t kMaxListedProblems = 500; // of errors, and again of warnings and notes

/// A count as people read it: damaged files hold small negative numbers.
std::string countText(std::uint64_t count)
{
    return std::to_string(static_cast<std::int64_t>(count));
}

} // namespace

std::optional<std::uint64_t> alignedUp(std::uint64_t offset, std::uint64_t alignment)
{
    const std::uint64_t over = offset % alignment;
    if (over == 0) {
        return offset;
    }
    const std::uint64_t step = alignment - over;
    if (offset > std::numeric_limits<std::uint64_t>::max() - step) {
        return std::nullopt;
    }
    return offset + step;
}

Result<std::shared_ptr<GgufFile>> Parser::run(std::span<const std::byte> bytes, std::string name,
                                              std::shared_ptr<const MappedFile> map)
{
    std::shared_ptr<GgufFile> file(new GgufFile);
    file->m_path = std::move(name);
    file->m_map = std::move(map);
    file->m_bytes = bytes;
    file->m_parts.push_back({ file->m_path, { 0, bytes.size() } });

    StageClock clock;
    LoadTimes& times = file->m_times;
    Parser parser(file);
    const auto readable = parser.readHeader();
    if (!readable) {
        return tl::unexpected(readable.error());
    }
    times.header = clock.lap();
    if (*readable) {
        parser.checkCounts();
        const bool whole = parser.readMetadata();
        parser.readAlignment();
        parser.checkSplit();
        times.metadata = clock.lap();
        file->m_complete = whole && parser.readDirectory();
        times.directory = clock.lap();
        parser.placeTensors();
        times.checks = clock.lap();
    }
    parser.closeProblems();
    return file;
}

Parser::Parser(std::shared_ptr<GgufFile> file)
    : m_file(std::move(file))
    , m_index(std::make_shared<GgufFile::Index>())
    , m_reader(m_file->m_bytes)
{
    m_file->m_index = m_index;
}

/// False for a header that says all there is to show.
Result<bool> Parser::readHeader()
{
    const auto fail = [this](ErrorCode code, std::vector<std::string> arguments, std::uint64_t at) {
        return failure(code, std::move(arguments), { .file = m_file->m_path, .offset = at });
    };
    const auto bytes = m_file->m_bytes;
    if (bytes.empty()) {
        return failure(ErrorCode::FileEmpty, {}, { .file = m_file->m_path });
    }
    if (m_reader.readText(4) != "GGUF") {
        return tl::unexpected(foreignFormatError(bytes, m_file->m_path));
    }
    const auto stored = m_reader.read<std::uint32_t>();
    if (!stored) {
        return fail(ErrorCode::GgufHeaderShort,
                    { std::to_string(bytes.size()), std::to_string(kHeaderSize) }, 4);
    }
    Header& header = m_file->m_header;
    const std::uint32_t swapped = __builtin_bswap32(*stored);
    header.bigEndian = swapped >= 1 && swapped <= 3;
    header.version = header.bigEndian ? swapped : *stored;
    if (header.version < 1 || header.version > 3) {
        return fail(ErrorCode::GgufVersion, { std::to_string(header.version) }, 4);
    }
    m_reader =
        ByteReader(bytes, header.bigEndian ? ByteReader::Endian::Big : ByteReader::Endian::Little);
    const std::uint64_t size = header.version == 1 ? kHeaderSizeV1 : kHeaderSize;
    if (bytes.size() < size || !m_reader.seek(kTensorCountAt)) {
        return fail(ErrorCode::GgufHeaderShort,
                    { std::to_string(bytes.size()), std::to_string(size) }, bytes.size());
    }
    header.span = { 0, size };
    m_file->m_metadataEnd = m_file->m_directoryEnd = m_file->m_dataOffset = size;
    if (header.version == 1) { // its lengths have 32 bits, everywhere
        header.tensorCount = m_reader.read<std::uint32_t>().value_or(0);
        header.metadataCount = m_reader.read<std::uint32_t>().value_or(0);
        report(Severity::Error, ErrorCode::GgufVersionOld, {}, 4);
        return false;
    }
    header.tensorCount = m_reader.read<std::uint64_t>().value_or(0);
    header.metadataCount = m_reader.read<std::uint64_t>().value_or(0);
    if (header.bigEndian) {
        report(Severity::Error, ErrorCode::GgufBigEndian, {}, 4);
    }
    return true;
}

void Parser::checkCounts()
{
    const Header& header = m_file->m_header;
    const std::string size = std::to_string(m_file->m_bytes.size());
    if (header.tensorCount > m_reader.remaining() / kSmallestTensor) {
        m_tensorCountPossible = false;
        report(Severity::Error, ErrorCode::GgufTensorCount, { countText(header.tensorCount), size },
               kTensorCountAt);
    } else if (header.tensorCount > kMaxTensors) {
        report(Severity::Error, ErrorCode::GgufTooManyEntries,
               { countText(header.tensorCount), std::to_string(kMaxTensors) }, kTensorCountAt);
    }
    if (header.metadataCount > m_reader.remaining() / kSmallestEntry) {
        m_metadataCountPossible = false;
        report(Severity::Error, ErrorCode::GgufMetadataCount,
               { countText(header.metadataCount), size }, kMetadataCountAt);
    } else if (header.metadataCount > kMaxMetadata) {
        report(Severity::Error, ErrorCode::GgufTooManyEntries,
               { countText(header.metadataCount), std::to_string(kMaxMetadata) }, kMetadataCountAt);
    }
}

void Parser::report(Severity severity, ErrorCode code, std::vector<std::string> arguments,
                    std::uint64_t offset, std::string_view subject)
{
    std::size_t& listed = severity == Severity::Error ? m_errors : m_mild;
    if (listed == kMaxListedProblems) {
        ++m_omitted;
        return;
    }
    ++listed;
    m_file->m_problems.push_back(
        { severity,
          { code,
            std::move(arguments),
            { .file = m_file->m_path, .offset = offset, .subject = printable(subject) } } });
}

void Parser::closeProblems()
{
    if (m_omitted > 0) {
        m_file->m_problems.push_back({ Severity::Note,
                                       { ErrorCode::GgufProblemsOmitted,
                                         { std::to_string(m_omitted) },
                                         { .file = m_file->m_path } } });
    }
}

} // namespace engine::gguf
