// Ids of records, and their parts as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_records.h"

#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace app {

namespace {

using Finish = Outcome::Finish;

constexpr std::array<std::pair<Finish, QLatin1String>, 6> kFinishWords { {
    { Finish::End, QLatin1String("end") },
    { Finish::Length, QLatin1String("length") },
    { Finish::Stop, QLatin1String("stop") },
    { Finish::Context, QLatin1String("context") },
    { Finish::Cancelled, QLatin1String("cancelled") },
    { Finish::Failed, QLatin1String("failed") },
} };

std::size_t countFrom(const QJsonValue& value)
{
    return static_cast<std::size_t>(std::max<qint64>(0, value.toInteger()));
}

// JSON has no infinity, and nobody wants one among figures.
double finite(double value)
{
    return std::isfinite(value) ? value : 0;
}

} // namespace

qint64 newRecordId()
{
    qint64 id = 0;
    while (id == 0) {
        id = static_cast<qint64>(QRandomGenerator::system()->generate64()
                                 & static_cast<quint64>(std::numeric_limits<qint64>::max()));
    }
    return id;
}

QJsonObject outcomeToJson(const Outcome& outcome)
{
    const auto word = std::find_if(kFinishWords.begin(), kFinishWords.end(),
                                   [&](const auto& pair) { return pair.first == outcome.finish; });
    return {
        { QStringLiteral("finish"), word->second },
        { QStringLiteral("tokens"), static_cast<qint64>(outcome.tokens) },
        { QStringLiteral("tokensPerSecond"), finite(outcome.tokensPerSecond) },
        { QStringLiteral("firstTokenMs"), finite(outcome.firstTokenMs) },
        { QStringLiteral("reasoningMs"), finite(outcome.reasoningMs) },
        { QStringLiteral("promptTokens"), static_cast<qint64>(outcome.promptTokens) },
        { QStringLiteral("leftOut"), static_cast<qint64>(outcome.leftOut) },
        { QStringLiteral("reusedTokens"), static_cast<qint64>(outcome.reusedTokens) },
        { QStringLiteral("promptTokensPerSecond"), finite(outcome.promptTokensPerSecond) },
    };
}

Outcome outcomeFromJson(const QJsonObject& json)
{
    Outcome outcome;
    const QString finish = json[u"finish"].toString();
    for (const auto& [value, word] : kFinishWords) {
        if (finish == word) {
            outcome.finish = value;
        }
    }
    outcome.tokens = countFrom(json[u"tokens"]);
    outcome.tokensPerSecond = json[u"tokensPerSecond"].toDouble();
    outcome.firstTokenMs = json[u"firstTokenMs"].toDouble();
    outcome.reasoningMs = json[u"reasoningMs"].toDouble();
    outcome.promptTokens = countFrom(json[u"promptTokens"]);
    outcome.leftOut = countFrom(json[u"leftOut"]);
    outcome.reusedTokens = countFrom(json[u"reusedTokens"]);
    outcome.promptTokensPerSecond = json[u"promptTokensPerSecond"].toDouble();
    return outcome;
}

} // namespace app
