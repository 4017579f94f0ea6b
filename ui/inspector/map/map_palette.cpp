// Which colour a tensor type or a section has.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/map_palette.h"

#include <cmath>

using engine::gguf::Section;
using engine::gguf::TensorType;

namespace {

constexpr int kDarker = 112; // percent, of a type beside the one that gives its family the colour
constexpr int kMuchDarker = 125;

} // namespace

QColor MapPalette::typeColor(uint typeNumber) const
{
    switch (static_cast<TensorType>(typeNumber)) {
    case TensorType::F32:
        return f32;
    case TensorType::F64:
        return f32.darker(kMuchDarker);
    case TensorType::F16:
        return f16;
    case TensorType::BF16:
        return bf16;
    case TensorType::Q2_K:
    case TensorType::Q2_0:
        return q2;
    case TensorType::Q1_0:
        return q2.darker(kDarker);
    case TensorType::Q3_K:
        return q3;
    case TensorType::Q4_1:
    case TensorType::Q4_K:
        return q4;
    case TensorType::Q4_0:
        return q4.darker(kDarker);
    case TensorType::Q5_1:
    case TensorType::Q5_K:
        return q5;
    case TensorType::Q5_0:
        return q5.darker(kDarker);
    case TensorType::Q6_K:
        return q6;
    case TensorType::Q8_0:
    case TensorType::Q8_K:
        return q8;
    case TensorType::Q8_1:
        return q8.darker(kDarker);
    case TensorType::IQ1_S:
        return iqLow;
    case TensorType::IQ1_M:
        return mixedColor(iqLow, iqHigh, 0.12);
    case TensorType::IQ2_XXS:
        return mixedColor(iqLow, iqHigh, 0.25);
    case TensorType::IQ2_XS:
        return mixedColor(iqLow, iqHigh, 0.35);
    case TensorType::IQ2_S:
        return mixedColor(iqLow, iqHigh, 0.45);
    case TensorType::IQ3_XXS:
        return mixedColor(iqLow, iqHigh, 0.6);
    case TensorType::IQ3_S:
        return mixedColor(iqLow, iqHigh, 0.72);
    case TensorType::IQ4_XS:
        return mixedColor(iqLow, iqHigh, 0.9);
    case TensorType::IQ4_NL:
        return iqHigh;
    case TensorType::TQ1_0:
    case TensorType::TQ2_0:
    case TensorType::MXFP4:
    case TensorType::NVFP4:
        return otherType;
    case TensorType::I8:
    case TensorType::I16:
    case TensorType::I32:
    case TensorType::I64:
        break;
    }
    return otherType.darker(kMuchDarker);
}

QColor MapPalette::bitsColor(double bitsPerWeight) const
{
    if (sequential.isEmpty() || !(bitsPerWeight > 0)) {
        return otherType;
    }
    return colorBetween(sequential, std::log2(bitsPerWeight) / 5);
}

QColor MapPalette::sectionColor(const Section& section, uint typeNumber) const
{
    switch (section.kind) {
    case Section::Kind::Header:
        return header;
    case Section::Kind::Metadata:
        return metadata;
    case Section::Kind::Directory:
        return directory;
    case Section::Kind::Padding:
        return padding;
    case Section::Kind::Data:
        return typeColor(typeNumber);
    case Section::Kind::Gap:
    case Section::Kind::Trailing:
        break;
    }
    return unowned;
}
