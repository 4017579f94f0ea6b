// Finds a pattern of bytes in a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/latest_task.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

/// What to look for: "47 47 55 46", "0x47475546" or "text"; other text stands for itself in UTF-8.
/// Nothing for an empty one.
[[nodiscard]] std::optional<QByteArray> searchPattern(const QString& text);

/// Where the pattern begins next: at or after `from` and then from the start of the file; or, going
/// back, before `from` and then from the end. Nothing when it is nowhere, or when stopped. Looks at
/// the stop token every few MB.
[[nodiscard]] std::optional<std::uint64_t> findBytes(std::span<const std::byte> bytes,
                                                     const QByteArray& pattern, std::uint64_t from,
                                                     bool forward, const app::TaskControl& control);
