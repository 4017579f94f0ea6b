// What is said of a model's reasoning. SPDX-License-Identifier: Apache-2.0
#include "ui/chat/thought_words.h"

#include <QtCore/QCoreApplication>

#include <cmath>

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ThoughtWords)
};

/// While it counts a second is not begun before it is over; afterwards it is rounded.
QString secondsText(qint64 seconds)
{
    return seconds < 60 ? Words::tr("%1 s").arg(seconds)
                        : Words::tr("%1 min %2 s").arg(seconds / 60).arg(seconds % 60);
}

} // namespace

QString thoughtText(ThoughtState state, double ms)
{
    if (state == ThoughtState::Going) {
        return ms < 1000
            ? Words::tr("Thinking…")
            : Words::tr("Thinking… %1").arg(secondsText(static_cast<qint64>(ms / 1000)));
    }
    const QString time = secondsText(std::max<qint64>(1, std::llround(ms / 1000)));
    if (state == ThoughtState::CutShort) {
        return ms <= 0 ? Words::tr("Stopped while still thinking")
                       : Words::tr("Stopped while still thinking, after %1").arg(time);
    }
    return ms <= 0 ? Words::tr("Thought before answering") : Words::tr("Thought for %1").arg(time);
}
