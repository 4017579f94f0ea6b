// Questions to begin with, from resources/prompts/samples.json.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QStringList>

/// Of the same length: a title, and the question it stands for.
struct SamplePrompts
{
    QStringList titles;
    QStringList questions;
};

/// Reads them once.
[[nodiscard]] const SamplePrompts& samplePrompts();
