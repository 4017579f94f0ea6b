// A sound file of an architecture and one tensor, with nothing else in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/tiny_gguf.h"

#include <QtCore/QByteArray>
#include <QtCore/QFile>
#include <QtCore/QString>

namespace tests {

[[nodiscard]] inline bool writeArchitecture(const QString& path, const QByteArray& architecture)
{
    constexpr std::uint32_t kText = 8;
    constexpr std::size_t kDirectory = 64; // a multiple of the alignment
    std::vector<std::byte> bytes;
    const auto text = [&bytes](const QByteArray& value) {
        appendNumber(bytes, static_cast<std::uint64_t>(value.size()));
        appendBytes(bytes, value.data(), static_cast<std::size_t>(value.size()));
    };
    appendBytes(bytes, "GGUF", 4);
    appendNumber<std::uint32_t>(bytes, 3);
    appendNumber<std::uint64_t>(bytes, 1);
    appendNumber<std::uint64_t>(bytes, 1);
    text("general.architecture");
    appendNumber(bytes, kText);
    text(architecture);
    text("x.weight");
    appendNumber<std::uint32_t>(bytes, 1); // dimensions
    appendNumber<std::uint64_t>(bytes, 32);
    appendNumber<std::uint32_t>(bytes, 0); // F32
    appendNumber<std::uint64_t>(bytes, 0);
    bytes.resize((bytes.size() + kDirectory - 1) / kDirectory * kDirectory + 128);
    QFile file(path);
    return file.open(QIODevice::WriteOnly)
        && file.write(reinterpret_cast<const char*>(bytes.data()),
                      static_cast<qint64>(bytes.size()))
        == static_cast<qint64>(bytes.size());
}

} // namespace tests
