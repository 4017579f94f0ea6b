#include "app/services/file_export.h"

#include "app/services/file_report.h"
#include "app/services/value_json.h"
#include "engine/eval/decodable_tensor.h"
#include "engine/gguf/splits.h"
#include "engine/model/verdict.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>
#include <span>

namespace app {

namespace {

using engine::ErrorCode;
using engine::failure;
using engine::Result;
using engine::gguf::GgufFile;
using engine::gguf::TensorInfo;
using engine::gguf::TensorType;
using engine::gguf::Value;
using engine::gguf::ValueType;

constexpr std::uint64_t kPiece = 1 << 20; // bytes between two looks at the stop token

/// A file that appears when all of it was written.
class Target
{
public:
    Target(const std::string& path, const TaskControl& control, std::uint64_t expected)
        : m_path(path)
        , m_control(control)
        , m_expected(expected)
        , m_file(QString::fromStdString(path))
    {
        // A device or pipe would be replaced by a file of its name.
        const QFileInfo there(m_file.fileName());
        m_isPlace = !there.exists() || there.isFile();
        m_good = m_isPlace && m_file.open(QIODevice::WriteOnly);
    }

    /// False when there is no use in going on.
    bool write(std::span<const std::byte> bytes)
    {
        while (m_good && !bytes.empty() && !m_control.stop.stop_requested()) {
            const auto piece = bytes.first(std::min<std::size_t>(kPiece, bytes.size()));
            const auto size = static_cast<qint64>(piece.size());
            m_good = m_file.write(reinterpret_cast<const char*>(piece.data()), size) == size;
            m_written += piece.size();
            bytes = bytes.subspan(piece.size());
            if (m_expected > 0) {
                m_control.progress(static_cast<double>(m_written)
                                   / static_cast<double>(m_expected));
            }
        }
        return m_good && !m_control.stop.stop_requested();
    }
    bool write(std::string_view text)
    {
        return write(std::as_bytes(std::span(text.data(), text.size())));
    }

    Result<std::uint64_t> finish(const GgufFile& source)
    {
        if (m_control.stop.stop_requested()) {
            m_file.cancelWriting();
            return failure(ErrorCode::Cancelled);
        }
        if (source.changed()) {
            m_file.cancelWriting();
            return failure(ErrorCode::FileChanged, {}, { .file = source.path() });
        }
        // Flushed by hand: commit() does not notice when its own flushing fails.
        m_good = m_good && m_file.flush();
        if (!m_good) {
            m_file.cancelWriting();
        }
        if (!m_good || !m_file.commit()) {
            const QString why = m_isPlace
                ? m_file.errorString()
                : QCoreApplication::translate("FileExport", "it is no regular file");
            return failure(ErrorCode::FileWriteFailed, { why.toStdString() }, { .file = m_path });
        }
        return m_written;
    }

private:
    std::string m_path;
    const TaskControl& m_control;
    std::uint64_t m_expected;
    std::uint64_t m_written = 0;
    QSaveFile m_file;
    bool m_isPlace = false;
    bool m_good = false;
};

/// How numpy calls a type that the file holds as plain numbers; null for all others.
const char* numpyName(TensorType type)
{
    switch (type) {
    case TensorType::F32:
        return "f4";
    case TensorType::F16:
        return "f2";
    case TensorType::F64:
        return "f8";
    case TensorType::I8:
        return "i1";
    case TensorType::I16:
        return "i2";
    case TensorType::I32:
        return "i4";
    case TensorType::I64:
        return "i8";
    default:
        return nullptr;
    }
}

std::string npyHeader(const TensorInfo& tensor, const std::string& type)
{
    constexpr std::size_t kFixed = 10; // magic, version, length
    constexpr std::size_t kAlignment = 64;
    std::string shape;
    for (std::uint32_t at = std::min(tensor.dimensions, 4U); at > 0; --at) {
        shape += std::to_string(tensor.shape[at - 1]) + ", ";
    }
    std::string text =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    text.append((kAlignment - (kFixed + text.size() + 1) % kAlignment) % kAlignment, ' ');
    text += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(text.size() & 0xffU);
    header += static_cast<char>(text.size() >> 8U);
    return header + text;
}

bool writeDecoded(Target& target, const engine::eval::DecodableTensor& tensor)
{
    const std::uint64_t step =
        std::max<std::uint64_t>(1, kPiece / (sizeof(float) * tensor.type->blockSize));
    std::vector<float> values(step * tensor.type->blockSize);
    for (std::uint64_t first = 0; first < tensor.blocks; first += step) {
        const std::uint64_t blocks = std::min(step, tensor.blocks - first);
        tensor.codec->decode(tensor.data.data() + first * tensor.type->typeSize, values.data(),
                             blocks);
        if (!target.write(
                std::as_bytes(std::span(values).first(blocks * tensor.type->blockSize)))) {
            return false;
        }
    }
    return true;
}

/// Of a set: which files, and which of them has the metadata; empty for one of its own.
std::string partsJson(const GgufFile& file)
{
    if (!file.hasSeveralFiles()) {
        return {};
    }
    std::string json = "\n  \"parts\": [";
    const char* separator = "";
    for (const auto& part : file.parts()) {
        const QString name = QFileInfo(QString::fromStdString(part.path)).fileName();
        json += separator + std::string("{ \"part\": ") + std::to_string(part.number + 1)
            + ", \"file\": " + jsonText(name.toStdString())
            + ", \"size\": " + std::to_string(part.span.size)
            + ", \"tensors\": " + std::to_string(part.file->tensors().size()) + " }";
        separator = ", ";
    }
    return json + "],";
}

} // namespace

Result<std::uint64_t> exportReport(const std::shared_ptr<const GgufFile>& file,
                                   const std::string& path, const TaskControl& control)
{
    const auto set = engine::gguf::SplitFile::of(file);
    const auto verdict = engine::model::diagnose(file);
    const std::string report = fileReport(*set, verdict.problems);
    Target target(path, control, report.size());
    (void)target.write(report);
    return target.finish(*file);
}

Result<std::uint64_t> exportMetadataJson(const GgufFile& file, const std::string& path,
                                         const TaskControl& control)
{
    Target target(path, control, file.dataOffset());
    const auto sink = [&target](std::string_view text) { return target.write(text); };
    const QString name = QFileInfo(QString::fromStdString(file.path())).fileName();
    bool good = target.write("{\n  \"file\": " + jsonText(name.toStdString()) + ","
                             + partsJson(file) + "\n  \"metadata\": [");
    const char* separator = "\n    ";
    for (const auto& entry : file.metadata()) {
        const bool isArray = entry.value.type() == ValueType::Array;
        good = good
            && target.write(separator + std::string("{ \"key\": ") + jsonText(entry.key)
                            + ", \"type\": " + jsonText(valueTypeName(entry.value.type()))
                            + (isArray ? ", \"element_type\": "
                                       + jsonText(valueTypeName(entry.value.elementType()))
                                       : std::string())
                            + ", \"offset\": " + std::to_string(entry.span.offset)
                            + ", \"size\": " + std::to_string(entry.span.size) + ", \"value\": ")
            && writeJson(entry.value, sink) && target.write(" }");
        separator = ",\n    ";
    }
    (void)(good && target.write("\n  ]\n}\n"));
    return target.finish(file);
}

Result<std::uint64_t> exportValue(const GgufFile& file, const Value& value, const std::string& path,
                                  const TaskControl& control)
{
    Target target(path, control, value.span().size);
    if (const auto text = value.asText()) {
        (void)target.write(*text);
    } else {
        const auto sink = [&target](std::string_view piece) { return target.write(piece); };
        (void)(writeJson(value, sink) && target.write("\n"));
    }
    return target.finish(file);
}

Result<std::uint64_t> exportTensorRaw(const GgufFile& file, const TensorInfo& tensor,
                                      const std::string& path, const TaskControl& control)
{
    const auto data = file.data(tensor);
    if (data.empty() && tensor.elements > 0) {
        return failure(ErrorCode::TensorDataIncomplete, {}, engine::eval::placeOf(file, tensor));
    }
    Target target(path, control, data.size());
    (void)target.write(data);
    return target.finish(file);
}

Result<std::uint64_t> exportTensorNpy(const GgufFile& file, const TensorInfo& tensor,
                                      const std::string& path, const TaskControl& control)
{
    const auto* type = tensor.typeInfo();
    const char* name = type != nullptr ? numpyName(type->type) : nullptr;
    const auto data = file.data(tensor);
    if (name != nullptr && (!data.empty() || tensor.elements == 0)) {
        const std::string order = file.headerOf(tensor).bigEndian ? ">" : "<";
        Target target(path, control, data.size());
        (void)(target.write(npyHeader(tensor, order + name)) && target.write(data));
        return target.finish(file);
    }
    const auto decodable = engine::eval::decodableTensor(file, tensor);
    if (!decodable) {
        return tl::unexpected(decodable.error());
    }
    Target target(path, control, tensor.elements * sizeof(float));
    (void)(target.write(npyHeader(tensor, "<f4")) && writeDecoded(target, *decodable));
    return target.finish(file);
}

} // namespace app
