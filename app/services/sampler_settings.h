// The sampler of one chat: what a person changed, over the model's or our defaults.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/sampler.h"

#include <QJsonObject>
#include <QList>
#include <QString>

namespace app {

/// One value of the sampler as a person sees and changes it. Texts are translated.
struct SamplerField
{
    const char* key; ///< in the JSON of a chat: "temperature"
    QString name;
    QString explanation; ///< what it does, one line
    double from;
    double to;
    double step;
    int decimals;
    double neutral; ///< the value at which it does nothing; NaN where there is none
    double (*value)(const engine::session::SamplerOptions& options);
    void (*set)(engine::session::SamplerOptions& options, double value); ///< takes it as it is
};

/// All fields, in the order of the stages.
[[nodiscard]] QList<SamplerField> samplerFields();

/// A field's value in `options`; keys are those of samplerFields.
[[nodiscard]] double samplerValue(const engine::session::SamplerOptions& options,
                                  const QString& key);
/// Sets it, moved into the field's range.
void setSamplerValue(engine::session::SamplerOptions& options, const QString& key, double value);

/// `changes` over `defaults`; what makes no sense is left out.
[[nodiscard]] engine::session::SamplerOptions
samplerWith(const QJsonObject& changes, const engine::session::SamplerOptions& defaults);

} // namespace app
