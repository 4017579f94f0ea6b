// What is said of a model's reasoning. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>

/// How the reasoning before an answer stands.
enum class ThoughtState {
    Going, ///< the model thinks
    Done, ///< an answer follows
    CutShort ///< the answer ended before it began
};

/// "Thinking… 12 s", "Thought for 12 s", "Stopped while still thinking, after 12 s"; without a time
/// where that is 0.
[[nodiscard]] QString thoughtText(ThoughtState state, double ms);
