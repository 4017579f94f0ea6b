#include "engine/model/weights.h"

#include "engine/quant/codec.h"

#include <algorithm>
#include <iterator>

namespace engine::model {

namespace {

template <typename Shape>
std::string shapeText(const Shape& shape)
{
    const auto text = std::to_string(shape[0]) + " × " + std::to_string(shape[1]);
    return shape[2] == 1 ? text : text + " × " + std::to_string(shape[2]);
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

void WeightBinder::add(std::vector<Error> errors)
{
    if (!stopped()) {
        m_errors.insert(m_errors.end(), std::make_move_iterator(errors.begin()),
                        std::make_move_iterator(errors.end()));
    }
}

bool WeightBinder::has(const std::string& name) const
{
    return m_file.findTensor(name) != nullptr;
}

void WeightBinder::expect(const std::string& name, const Shape& shape)
{
    if (m_mode == BindMode::Survey) {
        m_expected.push_back({ name, shape[0], shape[1], shape[2], false });
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

const gguf::TensorInfo* WeightBinder::checked(const std::string& name, const Shape& shape)
{
    const auto* info = m_file.findTensor(name);
    if (!info) {
        return nullptr;
    }
    if (info->shape[0] != shape[0] || info->shape[1] != shape[1] || info->shape[2] != shape[2]
        || info->shape[3] != 1) {
        const Shape found { info->shape[0], info->shape[1], info->shape[2] * info->shape[3] };
        fail(ErrorCode::WrongTensorShape, { shapeText(found), shapeText(shape) }, name, info);
        return nullptr;
    }
    const auto* type = info->typeInfo();
    if (!type || !quant::codec(type->type)) {
        fail(ErrorCode::UnsupportedTensorType, { gguf::tensorTypeLabel(info->typeNumber) }, name,
             info);
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

Matrix WeightBinder::optional(const std::string& name, const Shape& shape)
{
    expect(name, shape);
    const auto* info = stopped() ? nullptr : checked(name, shape);
    if (!info) {
        return {};
    }
    const auto* type = info->typeInfo();
    return { type->type, shape[0], shape[1] * shape[2], shape[0] / type->blockSize * type->typeSize,
             m_file.data(*info) };
}

Matrix WeightBinder::optionalMatrix(const std::string& name, std::uint64_t columns,
                                    std::uint64_t rows)
{
    return optional(name, { columns, rows, 1 });
}

MatrixStack WeightBinder::stack(const std::string& name, std::uint64_t columns, std::uint64_t rows,
                                std::uint32_t count)
{
    MatrixStack found { optional(name, { columns, rows, count }), count };
    require(name);
    return found.all ? found : MatrixStack {};
}

Matrix WeightBinder::matrix(const std::string& name, std::uint64_t columns, std::uint64_t rows)
{
    const auto found = optionalMatrix(name, columns, rows);
    require(name);
    return found;
}

Vector WeightBinder::optionalNumbers(const std::string& name, const Shape& shape)
{
    expect(name, shape);
    const auto* info = stopped() ? nullptr : checked(name, shape);
    if (!info) {
        return {};
    }
    const auto bytes = m_file.data(*info);
    const auto count = shape[0] * shape[1];
    if (info->typeInfo()->type == gguf::TensorType::F32) {
        return Vector(std::span(reinterpret_cast<const float*>(bytes.data()), count));
    }
    std::vector<float> values(count);
    quant::codec(info->typeInfo()->type)
        ->decode(bytes.data(), values.data(), count / info->typeInfo()->blockSize);
    return Vector(std::move(values));
}

Vector WeightBinder::optionalVector(const std::string& name, std::uint64_t length)
{
    return optionalNumbers(name, { length, 1, 1 });
}

Vector WeightBinder::optionalVectors(const std::string& name, std::uint64_t length,
                                     std::uint64_t count)
{
    return optionalNumbers(name, { length, count, 1 });
}

Vector WeightBinder::vector(const std::string& name, std::uint64_t length)
{
    auto found = optionalVector(name, length);
    require(name);
    return found;
}

Vector WeightBinder::vectors(const std::string& name, std::uint64_t length, std::uint64_t count)
{
    auto found = optionalVectors(name, length, count);
    require(name);
    return found;
}

bool WeightBinder::isIgnored(std::string_view name) const
{
    return std::ranges::any_of(
        m_ignored, [name](const std::string& prefix) { return name.starts_with(prefix); });
}

Result<void> WeightBinder::result() const
{
    if (!m_errors.empty()) {
        return tl::unexpected<Error>(m_errors.front());
    }
    return {};
}

} // namespace engine::model
