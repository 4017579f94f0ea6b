#include "app/services/sampler_settings.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace app {

namespace {

using engine::session::SamplerOptions;

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(SamplerSettings)
};

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// The seed goes through a double: 53 bits of it are enough to repeat an answer.
constexpr double kLargestSeed = 9'007'199'254'740'992.0;

} // namespace

QList<SamplerField> samplerFields()
{
    return {
        { "temperature", Texts::tr("Temperature"),
          Texts::tr("How daring the choice of each token is. 0 always takes the likeliest."), 0, 2,
          0.05, 2, kNothing },
        { "topK", Texts::tr("Top-k"),
          Texts::tr("Chooses among so many of the likeliest tokens. 0 leaves all in."), 0, 200, 1,
          0, 0 },
        { "topP", Texts::tr("Top-p"),
          Texts::tr("Chooses among the likeliest tokens that together reach this probability."), 0,
          1, 0.01, 2, 1 },
        { "minP", Texts::tr("Min-p"),
          Texts::tr("Leaves out tokens less likely than this share of the likeliest one."), 0, 1,
          0.01, 2, 0 },
        { "typicalP", Texts::tr("Typical-p"),
          Texts::tr("Prefers tokens about as surprising as expected here. 1 switches it off."), 0,
          1, 0.01, 2, 1 },
        { "repeatPenalty", Texts::tr("Repeat penalty"),
          Texts::tr("Makes tokens that were there lately less likely. 1 switches it off."), 0.5, 2,
          0.01, 2, 1 },
        { "presencePenalty", Texts::tr("Presence penalty"),
          Texts::tr("Takes this from the score of every token that was there lately."), -2, 2, 0.05,
          2, 0 },
        { "frequencyPenalty", Texts::tr("Frequency penalty"),
          Texts::tr("Takes this from the score for each time a token was there lately."), -2, 2,
          0.05, 2, 0 },
        { "penaltyWindow", Texts::tr("Penalty window"),
          Texts::tr("How many of the last tokens the penalties look at. -1 looks at all."), -1,
          4096, 16, 0, kNothing },
        { "seed", Texts::tr("Seed"),
          Texts::tr("The same seed gives the same answer again. 0 draws a new one each time."), 0,
          kLargestSeed, 1, 0, kNothing },
    };
}

double samplerValue(const SamplerOptions& options, const QString& key)
{
    if (key == QLatin1String("temperature")) {
        return options.temperature;
    }
    if (key == QLatin1String("topK")) {
        return options.topK;
    }
    if (key == QLatin1String("topP")) {
        return options.topP;
    }
    if (key == QLatin1String("minP")) {
        return options.minP;
    }
    if (key == QLatin1String("typicalP")) {
        return options.typicalP;
    }
    if (key == QLatin1String("repeatPenalty")) {
        return options.repeatPenalty;
    }
    if (key == QLatin1String("presencePenalty")) {
        return options.presencePenalty;
    }
    if (key == QLatin1String("frequencyPenalty")) {
        return options.frequencyPenalty;
    }
    if (key == QLatin1String("penaltyWindow")) {
        return options.penaltyWindow;
    }
    if (key == QLatin1String("seed")) {
        return static_cast<double>(options.seed);
    }
    return kNothing;
}

void setSamplerValue(SamplerOptions& options, const QString& key, double value)
{
    const auto fields = samplerFields();
    const auto field = std::find_if(fields.begin(), fields.end(), [&key](const SamplerField& each) {
        return key == QLatin1String(each.key);
    });
    if (field == fields.end() || !std::isfinite(value)) {
        return;
    }
    const double kept = std::clamp(value, field->from, field->to);
    const auto real = static_cast<float>(kept);
    const auto whole = static_cast<int>(std::lround(std::min(kept, 1e9)));
    if (key == QLatin1String("temperature")) {
        options.temperature = real;
    } else if (key == QLatin1String("topK")) {
        options.topK = whole;
    } else if (key == QLatin1String("topP")) {
        options.topP = real;
    } else if (key == QLatin1String("minP")) {
        options.minP = real;
    } else if (key == QLatin1String("typicalP")) {
        options.typicalP = real;
    } else if (key == QLatin1String("repeatPenalty")) {
        options.repeatPenalty = real;
    } else if (key == QLatin1String("presencePenalty")) {
        options.presencePenalty = real;
    } else if (key == QLatin1String("frequencyPenalty")) {
        options.frequencyPenalty = real;
    } else if (key == QLatin1String("penaltyWindow")) {
        options.penaltyWindow = whole;
    } else {
        options.seed = static_cast<std::uint64_t>(kept);
    }
}

SamplerOptions samplerWith(const QJsonObject& changes, const SamplerOptions& defaults)
{
    SamplerOptions options = defaults;
    for (auto change = changes.begin(); change != changes.end(); ++change) {
        if (change.value().isDouble()) {
            setSamplerValue(options, change.key(), change.value().toDouble());
        }
    }
    return options;
}

} // namespace app
