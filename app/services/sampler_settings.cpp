#include "app/services/sampler_settings.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

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

template <auto member>
double valueOf(const SamplerOptions& options)
{
    return static_cast<double>(options.*member);
}

template <auto member>
void setValue(SamplerOptions& options, double value)
{
    using Value = std::remove_reference_t<decltype(options.*member)>;
    options.*member = static_cast<Value>(std::is_same_v<Value, int> ? std::round(value) : value);
}

std::optional<SamplerField> fieldFor(const QString& key)
{
    const auto fields = samplerFields();
    const auto field = std::find_if(fields.begin(), fields.end(), [&key](const SamplerField& each) {
        return key == QLatin1String(each.key);
    });
    return field == fields.end() ? std::nullopt : std::optional(*field);
}

} // namespace

QList<SamplerField> samplerFields()
{
    return {
        { "temperature", Texts::tr("Temperature"),
          Texts::tr("How daring the choice of each token is. 0 always takes the likeliest."), 0, 2,
          0.05, 2, kNothing, valueOf<&SamplerOptions::temperature>,
          setValue<&SamplerOptions::temperature> },
        { "topK", Texts::tr("Top-k"),
          Texts::tr("Chooses among so many of the likeliest tokens. 0 leaves all in."), 0, 200, 1,
          0, 0, valueOf<&SamplerOptions::topK>, setValue<&SamplerOptions::topK> },
        { "topP", Texts::tr("Top-p"),
          Texts::tr("Chooses among the likeliest tokens that together reach this probability."), 0,
          1, 0.01, 2, 1, valueOf<&SamplerOptions::topP>, setValue<&SamplerOptions::topP> },
        { "minP", Texts::tr("Min-p"),
          Texts::tr("Leaves out tokens less likely than this share of the likeliest one."), 0, 1,
          0.01, 2, 0, valueOf<&SamplerOptions::minP>, setValue<&SamplerOptions::minP> },
        { "typicalP", Texts::tr("Typical-p"),
          Texts::tr("Prefers tokens about as surprising as expected here. 1 switches it off."), 0,
          1, 0.01, 2, 1, valueOf<&SamplerOptions::typicalP>, setValue<&SamplerOptions::typicalP> },
        { "repeatPenalty", Texts::tr("Repeat penalty"),
          Texts::tr("Makes tokens that were there lately less likely. 1 switches it off."), 0.5, 2,
          0.01, 2, 1, valueOf<&SamplerOptions::repeatPenalty>,
          setValue<&SamplerOptions::repeatPenalty> },
        { "presencePenalty", Texts::tr("Presence penalty"),
          Texts::tr("Takes this from the score of every token that was there lately."), -2, 2, 0.05,
          2, 0, valueOf<&SamplerOptions::presencePenalty>,
          setValue<&SamplerOptions::presencePenalty> },
        { "frequencyPenalty", Texts::tr("Frequency penalty"),
          Texts::tr("Takes this from the score for each time a token was there lately."), -2, 2,
          0.05, 2, 0, valueOf<&SamplerOptions::frequencyPenalty>,
          setValue<&SamplerOptions::frequencyPenalty> },
        { "penaltyWindow", Texts::tr("Penalty window"),
          Texts::tr("How many of the last tokens the penalties look at. -1 looks at all."), -1,
          4096, 16, 0, kNothing, valueOf<&SamplerOptions::penaltyWindow>,
          setValue<&SamplerOptions::penaltyWindow> },
        { "seed", Texts::tr("Seed"),
          Texts::tr("The same seed gives the same answer again. 0 draws a new one each time."), 0,
          kLargestSeed, 1, 0, kNothing, valueOf<&SamplerOptions::seed>,
          setValue<&SamplerOptions::seed> },
    };
}

double samplerValue(const SamplerOptions& options, const QString& key)
{
    const auto field = fieldFor(key);
    return field ? field->value(options) : kNothing;
}

void setSamplerValue(SamplerOptions& options, const QString& key, double value)
{
    const auto field = fieldFor(key);
    if (field && std::isfinite(value)) {
        field->set(options, std::clamp(value, field->from, field->to));
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
