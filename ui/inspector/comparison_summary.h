// What a comparison says of two files as a whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/compared_files.h"

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QVariantList>

namespace comparison_summary {

/// "The two files have the same metadata and tensors." or how many of them differ. `tensors`: of
/// these, with the weights as far as they were compared.
[[nodiscard]] QString verdict(const ComparedFiles& files, int tensors);
/// What one should know before believing the tables: a file that could not be read to its end,
/// another byte order or version, another order of what both have.
[[nodiscard]] QStringList remarks(const ComparedFiles& files);
/// Of all tensors, then by type, the largest in either file first: maps of name, a, b, difference
/// and same; then of bits per weight.
[[nodiscard]] QVariantList totals(const ComparedFiles& files);

} // namespace comparison_summary
