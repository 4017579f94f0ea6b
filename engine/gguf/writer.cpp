#include "engine/gguf/writer.h"

#include "engine/gguf/value.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <system_error>
#include <unordered_set>

namespace engine::gguf {

namespace {

constexpr std::uint32_t kVersion = 3;
constexpr std::uint32_t kDefaultAlignment = 32;
constexpr std::size_t kBufferSize = 1U << 20U;
constexpr std::size_t kMaxDimensions = 4;

/// Appends little-endian numbers and texts as the format stores them.
class Encoder
{
public:
    template <typename T>
    void number(T value)
    {
        auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
        if constexpr (std::endian::native == std::endian::big) {
            std::ranges::reverse(raw);
        }
        m_bytes.append(raw.data(), raw.size());
    }

    void text(std::string_view value)
    {
        number<std::uint64_t>(value.size());
        m_bytes.append(value);
    }

    void type(ValueType type) { number(static_cast<std::uint32_t>(type)); }
    [[nodiscard]] std::string& bytes() { return m_bytes; }

private:
    std::string m_bytes;
};

/// What the file will say about one tensor.
struct Declared
{
    std::string name;
    TensorType type;
    std::vector<std::uint64_t> shape;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
};

/// The bytes of a tensor; nothing where its shape cannot be written.
std::optional<std::uint64_t> sizeOf(const Declared& tensor)
{
    const TensorTypeInfo& type = tensorTypeInfo(tensor.type);
    if (tensor.shape.size() > kMaxDimensions
        || (!tensor.shape.empty() && tensor.shape[0] % type.blockSize != 0)
        || (tensor.shape.empty() && type.blockSize != 1)) {
        return std::nullopt;
    }
    std::uint64_t elements = 1;
    for (const std::uint64_t length : tensor.shape) {
        if (__builtin_mul_overflow(elements, length, &elements)) {
            return std::nullopt;
        }
    }
    std::uint64_t size = 0;
    if (__builtin_mul_overflow(elements / type.blockSize, type.typeSize, &size)) {
        return std::nullopt;
    }
    return size;
}

} // namespace

struct Writer::Impl
{
    std::string path;
    std::string part;
    std::uint32_t alignment;
    Encoder metadata;
    std::uint64_t metadataCount = 0;
    std::unordered_set<std::string> keys;
    std::unordered_set<std::string> names;
    std::vector<Declared> tensors;
    std::string misuse; ///< the first thing that the caller did wrong; told by begin

    int fd = -1;
    bool begun = false;
    std::string buffer;
    std::uint64_t written = 0; ///< bytes of the file, the buffer included
    std::size_t current = 0; ///< the tensor that data go to
    std::uint64_t inCurrent = 0;

    ~Impl() { discard(); }

    void addKey(std::string_view key, ValueType type);
    template <typename T>
    void addScalar(std::string_view key, ValueType type, T value);
    template <typename T>
    void addNumbers(std::string_view key, ValueType type, std::span<const T> values);
    Result<void> validate() const;
    Result<void> put(std::span<const char> bytes);
    Result<void> putAll(const char* bytes, std::size_t size);
    Result<void> pad();
    Result<void> passFullTensors();
    Result<void> flush();
    Result<void> publish();
    tl::unexpected<Error> writeFailure(int error) const;
    void discard();
};

void Writer::Impl::addKey(std::string_view key, ValueType type)
{
    if (key.empty() || !keys.emplace(key).second) {
        misuse =
            misuse.empty() ? "the key '" + std::string(key) + "' is empty or added twice" : misuse;
    }
    ++metadataCount;
    metadata.text(key);
    metadata.type(type);
}

template <typename T>
void Writer::Impl::addScalar(std::string_view key, ValueType type, T value)
{
    addKey(key, type);
    metadata.number(value);
}

template <typename T>
void Writer::Impl::addNumbers(std::string_view key, ValueType type, std::span<const T> values)
{
    addKey(key, ValueType::Array);
    metadata.type(type);
    metadata.number<std::uint64_t>(values.size());
    for (const T value : values) {
        metadata.number(value);
    }
}

Result<void> Writer::Impl::validate() const
{
    if (begun) {
        return failure(ErrorCode::InvalidArgument, { "The file was already begun." },
                       { .file = path });
    }
    if (!misuse.empty()) {
        return failure(ErrorCode::InvalidArgument,
                       { "The file cannot be written: " + misuse + "." }, { .file = path });
    }
    return {};
}

tl::unexpected<Error> Writer::Impl::writeFailure(int error) const
{
    return failure(ErrorCode::FileWriteFailed, { std::generic_category().message(error) },
                   { .file = path });
}

Result<void> Writer::Impl::putAll(const char* bytes, std::size_t size)
{
    while (size > 0) {
        const ssize_t count = ::write(fd, bytes, size);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return writeFailure(count < 0 ? errno : EIO);
        }
        bytes += count;
        size -= static_cast<std::size_t>(count);
    }
    return {};
}

Result<void> Writer::Impl::put(std::span<const char> bytes)
{
    written += bytes.size();
    if (buffer.size() + bytes.size() <= kBufferSize) {
        buffer.append(bytes.data(), bytes.size());
        return {};
    }
    if (auto flushed = flush(); !flushed) {
        return flushed;
    }
    if (bytes.size() >= kBufferSize) {
        return putAll(bytes.data(), bytes.size());
    }
    buffer.append(bytes.data(), bytes.size());
    return {};
}

Result<void> Writer::Impl::flush()
{
    auto done = putAll(buffer.data(), buffer.size());
    buffer.clear();
    return done;
}

Result<void> Writer::Impl::pad()
{
    const std::uint64_t over = written % alignment;
    return over == 0 ? Result<void>() : put(std::string(alignment - over, '\0'));
}

/// Goes on behind every tensor that has all of its bytes, empty ones included.
Result<void> Writer::Impl::passFullTensors()
{
    while (current < tensors.size() && inCurrent == tensors[current].size) {
        if (auto padded = pad(); !padded) {
            return padded;
        }
        ++current;
        inCurrent = 0;
    }
    return {};
}

/// Under the final name only what has reached the disk.
Result<void> Writer::Impl::publish()
{
    if (auto flushed = flush(); !flushed) {
        return flushed;
    }
    if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) { // devices that cannot
        return writeFailure(errno);
    }
    const int closed = close(fd);
    const int error = errno;
    fd = -1;
    if (closed != 0) {
        unlink(part.c_str());
        return writeFailure(error);
    }
    if (rename(part.c_str(), path.c_str()) != 0) {
        const int renameError = errno;
        unlink(part.c_str());
        return writeFailure(renameError);
    }
    return {};
}

void Writer::Impl::discard()
{
    if (fd >= 0) {
        close(fd);
        unlink(part.c_str());
        fd = -1;
    }
}

Writer::Writer(std::string path, std::uint32_t alignment)
    : m_impl(std::make_unique<Impl>())
{
    m_impl->part = path + ".part";
    m_impl->path = std::move(path);
    m_impl->alignment = alignment;
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        m_impl->misuse = "the alignment " + std::to_string(alignment) + " is no power of two";
    } else if (alignment != kDefaultAlignment) {
        addU32("general.alignment", alignment);
    }
}

Writer::~Writer() = default;

void Writer::addText(std::string_view key, std::string_view value)
{
    m_impl->addKey(key, ValueType::String);
    m_impl->metadata.text(value);
}

void Writer::addU32(std::string_view key, std::uint32_t value)
{
    m_impl->addScalar(key, ValueType::U32, value);
}

void Writer::addI32(std::string_view key, std::int32_t value)
{
    m_impl->addScalar(key, ValueType::I32, value);
}

void Writer::addU64(std::string_view key, std::uint64_t value)
{
    m_impl->addScalar(key, ValueType::U64, value);
}

void Writer::addF32(std::string_view key, float value)
{
    m_impl->addScalar(key, ValueType::F32, value);
}

void Writer::addBool(std::string_view key, bool value)
{
    m_impl->addScalar(key, ValueType::Bool, static_cast<std::uint8_t>(value ? 1 : 0));
}

void Writer::addTextArray(std::string_view key, std::span<const std::string> values)
{
    m_impl->addKey(key, ValueType::Array);
    m_impl->metadata.type(ValueType::String);
    m_impl->metadata.number<std::uint64_t>(values.size());
    for (const std::string& value : values) {
        m_impl->metadata.text(value);
    }
}

void Writer::addI32Array(std::string_view key, std::span<const std::int32_t> values)
{
    m_impl->addNumbers(key, ValueType::I32, values);
}

void Writer::addF32Array(std::string_view key, std::span<const float> values)
{
    m_impl->addNumbers(key, ValueType::F32, values);
}

void Writer::declareTensor(std::string_view name, TensorType type, std::vector<std::uint64_t> shape)
{
    Declared tensor { std::string(name), type, std::move(shape) };
    const auto size = sizeOf(tensor);
    if (name.empty() || !size || !m_impl->names.insert(tensor.name).second) {
        if (m_impl->misuse.empty()) {
            m_impl->misuse = "the tensor '" + tensor.name
                + "' has no name, a name or shape that is not possible, or is declared twice";
        }
        return;
    }
    tensor.size = *size;
    m_impl->tensors.push_back(std::move(tensor));
}

Result<void> Writer::begin()
{
    Impl& w = *m_impl;
    if (auto valid = w.validate(); !valid) {
        return valid;
    }
    w.begun = true;
    w.fd = ::open(w.part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (w.fd < 0) {
        return w.writeFailure(errno);
    }
    Encoder head;
    head.bytes() += "GGUF";
    head.number(kVersion);
    head.number<std::uint64_t>(w.tensors.size());
    head.number(w.metadataCount);
    head.bytes() += w.metadata.bytes();
    std::uint64_t offset = 0;
    for (Declared& tensor : w.tensors) {
        tensor.offset = offset;
        offset += (tensor.size + w.alignment - 1) / w.alignment * w.alignment;
        head.text(tensor.name);
        head.number(static_cast<std::uint32_t>(tensor.shape.size()));
        for (const std::uint64_t length : tensor.shape) {
            head.number(length);
        }
        head.number(static_cast<std::uint32_t>(tensor.type));
        head.number(tensor.offset);
    }
    if (auto put = w.put(head.bytes()); !put) {
        return put;
    }
    if (w.tensors.empty()) {
        return {};
    }
    if (auto padded = w.pad(); !padded) {
        return padded;
    }
    return w.passFullTensors();
}

Result<void> Writer::writeData(std::span<const std::byte> bytes)
{
    Impl& w = *m_impl;
    if (w.fd < 0 || w.current == w.tensors.size()
        || bytes.size() > w.tensors[w.current].size - w.inCurrent) {
        return failure(ErrorCode::InvalidArgument,
                       { "More data than the declared tensors hold, or data before the start." },
                       { .file = w.path });
    }
    if (auto put = w.put({ reinterpret_cast<const char*>(bytes.data()), bytes.size() }); !put) {
        return put;
    }
    w.inCurrent += bytes.size();
    return w.passFullTensors();
}

Result<std::uint64_t> Writer::finish()
{
    Impl& w = *m_impl;
    if (w.fd < 0 || w.current != w.tensors.size()) {
        return failure(
            ErrorCode::InvalidArgument,
            { w.fd < 0 ? "The file was never begun." : "The data of the tensor are not complete." },
            { .file = w.path, .subject = w.fd < 0 ? std::string() : w.tensors[w.current].name });
    }
    if (auto published = w.publish(); !published) {
        w.discard();
        return tl::unexpected(published.error());
    }
    return w.written;
}

} // namespace engine::gguf
