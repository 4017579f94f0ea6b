#include "engine/model/weights.h"

#include "engine/quant/codec.h"

#include <cstring>

namespace engine::model {

namespace {

std::string shapeText(std::uint64_t columns, std::uint64_t rows)
{
    return std::to_string(columns) + " × " + std::to_string(rows);
}

} // namespace

bool lacksParts(const gguf::GgufFile& file)
{
    const auto* parts = file.find("split.count");
    const auto count = parts ? parts->asUnsigned().value_or(0) : 0;
    return count > 1 && count != file.parts().size();
}

Result<void> requireWeights(const gguf::GgufFile& file)
{
    if (lacksParts(file)) {
        const auto* parts = file.find("split.count");
        const auto* number = file.find("split.no");
        const auto part = number ? number->asUnsigned().value_or(0) + 1 : 1;
        return failure(ErrorCode::GgufSplitPart, { std::to_string(part), parts->display() },
                       file.placeOf(parts->span().offset, "split.count"));
    }
    if (file.tensors().empty()) {
        return failure(ErrorCode::NotALanguageModel, { "it has no tensors" },
                       { file.path(), std::nullopt, "" });
    }
    return {};
}

WeightBinder::WeightBinder(const gguf::GgufFile& file, BindMode mode)
    : m_file(file)
    , m_mode(mode)
{
}

void WeightBinder::fail(ErrorCode code, std::vector<std::string> arguments, const std::string& name,
                        const gguf::TensorInfo* info)
{
    if (stopped()) {
        return;
    }
    Where where = info ? m_file.placeOf(info->entry.offset, name)
                       : Where { m_file.path(), std::nullopt, name };
    m_errors.push_back({ code, std::move(arguments), std::move(where) });
}

void WeightBinder::expect(const std::string& name, std::uint64_t columns, std::uint64_t rows)
{
    if (m_mode == BindMode::Survey) {
        m_expected.push_back({ name, columns, rows, false });
    }
}

/// Says so where a tensor that was just asked for is not there at all; what is wrong with one that
/// is has been said.
void WeightBinder::require(const std::string& name)
{
    if (m_mode == BindMode::Survey) {
        m_expected.back().required = true;
    }
    if (!m_file.findTensor(name)) {
        fail(ErrorCode::MissingTensor, {}, name, nullptr);
    }
}

const gguf::TensorInfo* WeightBinder::checked(const std::string& name, std::uint64_t columns,
                                              std::uint64_t rows)
{
    const auto* info = m_file.findTensor(name);
    if (!info) {
        return nullptr;
    }
    const bool flat = info->shape[2] == 1 && info->shape[3] == 1;
    if (!flat || info->shape[0] != columns || info->shape[1] != rows) {
        fail(ErrorCode::WrongTensorShape,
             { shapeText(info->shape[0], info->rows()), shapeText(columns, rows) }, name, info);
        return nullptr;
    }
    const auto* type = info->typeInfo();
    if (!type || !quant::codec(type->type)) {
        fail(ErrorCode::UnsupportedTensorType,
             { type ? std::string(type->name) : std::to_string(info->typeNumber) }, name, info);
        return nullptr;
    }
    const bool plain = type->blockSize == 1;
    if (plain
        && reinterpret_cast<std::uintptr_t>(m_file.data(*info).data()) % type->typeSize != 0) {
        fail(ErrorCode::MisalignedTensor, { std::to_string(type->typeSize) }, name, info);
        return nullptr;
    }
    if (m_file.data(*info).size() != info->data.size) {
        fail(ErrorCode::FileChanged, {}, name, info);
        return nullptr;
    }
    return info;
}

Matrix WeightBinder::optionalMatrix(const std::string& name, std::uint64_t columns,
                                    std::uint64_t rows)
{
    expect(name, columns, rows);
    const auto* info = stopped() ? nullptr : checked(name, columns, rows);
    if (!info) {
        return {};
    }
    const auto* type = info->typeInfo();
    return { type->type, columns, rows, columns / type->blockSize * type->typeSize,
             m_file.data(*info) };
}

Matrix WeightBinder::matrix(const std::string& name, std::uint64_t columns, std::uint64_t rows)
{
    const auto found = optionalMatrix(name, columns, rows);
    require(name);
    return found;
}

Vector WeightBinder::optionalVector(const std::string& name, std::uint64_t length)
{
    expect(name, length, 1);
    const auto* info = stopped() ? nullptr : checked(name, length, 1);
    if (!info) {
        return {};
    }
    const auto bytes = m_file.data(*info);
    if (info->typeInfo()->type == gguf::TensorType::F32) {
        return Vector(std::span(reinterpret_cast<const float*>(bytes.data()), length));
    }
    std::vector<float> values(length);
    quant::codec(info->typeInfo()->type)
        ->decode(bytes.data(), values.data(), length / info->typeInfo()->blockSize);
    return Vector(std::move(values));
}

Vector WeightBinder::vector(const std::string& name, std::uint64_t length)
{
    auto found = optionalVector(name, length);
    require(name);
    return found;
}

LinearWeights WeightBinder::linear(const std::string& name, std::uint64_t columns,
                                   std::uint64_t rows)
{
    return { matrix(name + ".weight", columns, rows), optionalVector(name + ".bias", rows) };
}

Result<void> WeightBinder::result() const
{
    if (!m_errors.empty()) {
        return tl::unexpected<Error>(m_errors.front());
    }
    return {};
}

} // namespace engine::model
