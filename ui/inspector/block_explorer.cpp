#include "ui/inspector/block_explorer.h"

#include "engine/eval/stored_as.h"
#include "ui/inspector/figures.h"
#include "ui/inspector/format_strip.h"

#include <QtCore/QLocale>
#include <QtCore/QVariantMap>

#include <algorithm>
#include <cmath>

using engine::quant::BlockField;
using engine::quant::FieldKind;

namespace {

constexpr int kDigits = 4;

QString plain(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString hexText(std::uint64_t raw)
{
    return QStringLiteral("0x%1").arg(raw, 2, 16, QLatin1Char('0'));
}

QString fieldText(const BlockField& field)
{
    return QStringLiteral("%1 = %2").arg(QString::fromStdString(field.name),
                                         QString::fromStdString(engine::quant::numberText(
                                             static_cast<float>(field.value), kDigits)));
}

bool touches(const BlockField& field, std::size_t byte)
{
    return field.bits.touches(static_cast<std::uint32_t>(byte));
}

/// Whether it holds what some weights are, not what they are scaled by.
bool isOfWeights(const BlockField& field)
{
    return field.weights.count == 1 || field.kind == FieldKind::Quant
        || field.kind == FieldKind::Index || field.kind == FieldKind::Sign;
}

/// "weight 3", "weights 32 to 63", "weights 3, 35 … 131"
QString weightsText(const engine::quant::WeightRange& weights)
{
    if (weights.count == 1) {
        return BlockExplorer::tr("weight %1").arg(weights.first);
    }
    if (weights.step == 1) {
        return BlockExplorer::tr("weights %1 to %2").arg(weights.first).arg(weights.last());
    }
    return BlockExplorer::tr("weights %1, %2 … %3")
        .arg(weights.first)
        .arg(weights.first + weights.step)
        .arg(weights.last());
}

} // namespace

std::size_t BlockExplorer::blockBytes() const
{
    return engine::gguf::tensorTypeInfo(m_type).typeSize;
}

std::size_t BlockExplorer::blockWeights() const
{
    return engine::gguf::tensorTypeInfo(m_type).blockSize;
}

std::span<const std::byte> BlockExplorer::blockOf(int byte) const
{
    const std::size_t first = static_cast<std::size_t>(byte) / blockBytes() * blockBytes();
    return std::span(m_bytes).subspan(first, blockBytes());
}

void BlockExplorer::clear()
{
    m_bytes.clear();
    m_fields.clear();
    m_partFields.clear();
    m_byteList.clear();
    m_partList.clear();
    m_alternatives.clear();
    m_values.clear();
    m_weight = 0;
    Q_EMIT shownChanged();
    lookAtWeight(-1);
}

void BlockExplorer::show(engine::gguf::TensorType type, std::span<const std::byte> bytes,
                         std::span<const float> values)
{
    m_type = type;
    m_bytes.assign(bytes.begin(), bytes.end());
    m_fields = engine::quant::blockFields(type, bytes.first(blockBytes()));
    m_values.clear();
    for (const float value : values) {
        m_values << static_cast<double>(value);
    }
    m_weight = std::clamp<int>(m_weight, 0, static_cast<int>(m_values.size()) - 1);
    listBytes();
    listParts();
    listAlternatives(values);
    Q_EMIT shownChanged();
    lookAway();
}

void BlockExplorer::listBytes()
{
    m_byteList.clear();
    for (std::size_t byte = 0; byte < m_bytes.size(); ++byte) {
        const std::size_t within = byte % blockBytes();
        const auto field =
            std::find_if(m_fields.begin(), m_fields.end(),
                         [within](const BlockField& each) { return touches(each, within); });
        m_byteList << QVariantMap {
            { QStringLiteral("hex"),
              QStringLiteral("%1").arg(std::to_integer<int>(m_bytes[byte]), 2, 16,
                                       QLatin1Char('0')) },
            { QStringLiteral("name"),
              QString::fromStdString(engine::quant::byteName(m_type, within)) },
            { QStringLiteral("kind"),
              field == m_fields.end() ? QString() : format_strip::kindKey(field->kind) },
        };
    }
}

void BlockExplorer::listParts()
{
    m_partList.clear();
    m_partFields.clear();
    if (blockWeights() == 1) {
        return; // numbers of a plain type have no parts
    }
    for (std::size_t at = 0; at < m_fields.size(); ++at) {
        const BlockField& field = m_fields[at];
        if (field.weights.count == 1) {
            continue;
        }
        m_partFields.push_back(at);
        m_partList << QVariantMap {
            { QStringLiteral("name"), QString::fromStdString(field.name) },
            { QStringLiteral("kind"), format_strip::kindKey(field.kind) },
            { QStringLiteral("kindName"), plain(engine::quant::fieldKindName(field.kind)) },
            { QStringLiteral("value"),
              QString::fromStdString(
                  engine::quant::numberText(static_cast<float>(field.value), kDigits)) },
            { QStringLiteral("raw"), hexText(field.raw) },
        };
    }
}

void BlockExplorer::listAlternatives(std::span<const float> values)
{
    m_alternatives.clear();
    const auto stored = engine::eval::storedAs(values, m_type, m_bytes);
    double worst = 0;
    for (const auto& each : stored) {
        worst = std::isfinite(each.rmse) ? std::max(worst, each.rmse) : worst;
    }
    const QLocale locale;
    for (const auto& each : stored) {
        m_alternatives << QVariantMap {
            { QStringLiteral("type"), plain(engine::gguf::tensorTypeInfo(each.type).name) },
            { QStringLiteral("bytes"), static_cast<int>(each.bytes.size()) },
            { QStringLiteral("rmse"), locale.toString(each.rmse, 'g', 3) },
            { QStringLiteral("largest"), locale.toString(each.maxError, 'g', 3) },
            { QStringLiteral("share"),
              worst > 0 ? (std::isfinite(each.rmse) ? each.rmse / worst : 1.0) : 0.0 },
            { QStringLiteral("own"), each.isOwn },
        };
    }
}

QString BlockExplorer::formula() const
{
    return m_bytes.empty() ? QString() : QString::fromStdString(engine::quant::formulaText(m_type));
}

void BlockExplorer::setWeight(int weight)
{
    if (weight >= 0 && weight < m_values.size()) {
        m_weight = weight;
        lookAway();
    }
}

void BlockExplorer::light(const Fields& fields, const std::vector<std::size_t>& chosen,
                          std::size_t first)
{
    m_litBytes.clear();
    m_litParts.clear();
    for (std::size_t byte = 0; byte < blockBytes(); ++byte) {
        if (std::any_of(chosen.begin(), chosen.end(),
                        [&](std::size_t at) { return touches(fields[at], byte); })) {
            m_litBytes << static_cast<int>(first + byte);
        }
    }
    for (std::size_t part = 0; part < m_partFields.size(); ++part) {
        if (std::find(chosen.begin(), chosen.end(), m_partFields[part]) != chosen.end()) {
            m_litParts << static_cast<int>(part);
        }
    }
}

void BlockExplorer::tellRecipe(int weight)
{
    m_litWeight = weight;
    m_recipe.clear();
    if (weight < 0 || weight >= m_values.size()) {
        return;
    }
    const auto inBlock =
        static_cast<std::uint32_t>(static_cast<std::size_t>(weight) % blockWeights());
    const std::size_t first = static_cast<std::size_t>(weight) / blockWeights() * blockBytes();
    const auto recipe = engine::quant::weightRecipe(
        m_type, std::span(m_bytes).subspan(first, blockBytes()), inBlock);
    m_recipe = QStringLiteral("w[%1] = %2 = %3")
                   .arg(weight)
                   .arg(plain(recipe.formula),
                        QString::fromStdString(
                            engine::quant::withNumbers(recipe.formula, recipe.operands, kDigits)));
    const QString value = QString::fromStdString(engine::quant::numberText(recipe.value, kDigits));
    if (!m_recipe.endsWith(QStringLiteral("= ") + value)) {
        m_recipe += QStringLiteral(" = ") + value;
    }
    if (!recipe.level.empty()) {
        m_recipe += QStringLiteral(";  q = %1 = %2")
                        .arg(plain(recipe.level),
                             QString::fromStdString(engine::quant::withNumbers(
                                 recipe.level, recipe.operands, kDigits)));
    }
}

void BlockExplorer::lookAtWeight(int weight)
{
    m_about.clear();
    m_litBytes.clear();
    m_litParts.clear();
    tellRecipe(weight);
    if (weight >= 0 && weight < m_values.size()) {
        const auto inBlock =
            static_cast<std::uint32_t>(static_cast<std::size_t>(weight) % blockWeights());
        const std::size_t first = static_cast<std::size_t>(weight) / blockWeights() * blockBytes();
        const auto block = std::span(m_bytes).subspan(first, blockBytes());
        std::vector<std::size_t> chosen;
        const auto recipe = engine::quant::weightRecipe(m_type, block, inBlock);
        for (const auto& operand : recipe.operands) {
            chosen.insert(chosen.end(), operand.fields.begin(), operand.fields.end());
        }
        light(m_fields, chosen, first);
    }
    Q_EMIT lookChanged();
}

void BlockExplorer::lookAtByte(int byte)
{
    if (byte < 0 || static_cast<std::size_t>(byte) >= m_bytes.size()) {
        return;
    }
    const std::size_t within = static_cast<std::size_t>(byte) % blockBytes();
    const std::size_t first = static_cast<std::size_t>(byte) - within;
    const Fields fields = engine::quant::blockFields(m_type, blockOf(byte));
    std::vector<std::size_t> chosen;
    QStringList said;
    int weight = -1;
    for (std::size_t at = 0; at < fields.size(); ++at) {
        if (touches(fields[at], within)) {
            chosen.push_back(at);
            said << fieldText(fields[at]);
            if (isOfWeights(fields[at]) && weight < 0) {
                weight = static_cast<int>(first / blockBytes() * blockWeights()
                                          + fields[at].weights.first);
            }
        }
    }
    tellRecipe(weight);
    light(fields, chosen, first);
    m_about =
        QStringLiteral("%1 = %2: %3")
            .arg(QString::fromStdString(engine::quant::byteName(m_type, within)),
                 hexText(std::to_integer<std::uint64_t>(m_bytes[static_cast<std::size_t>(byte)])),
                 said.join(QStringLiteral(", ")));
    Q_EMIT lookChanged();
}

void BlockExplorer::lookAtPart(int part)
{
    if (part < 0 || static_cast<std::size_t>(part) >= m_partFields.size()) {
        return;
    }
    const std::size_t at = m_partFields[static_cast<std::size_t>(part)];
    const BlockField& field = m_fields[at];
    tellRecipe(static_cast<int>(field.weights.first));
    light(m_fields, { at }, 0);
    const std::uint32_t bits = field.bits.count();
    m_about =
        tr("%1, the %2 of %3, %4")
            .arg(fieldText(field), plain(engine::quant::fieldKindName(field.kind)),
                 weightsText(field.weights), bits == 1 ? tr("1 bit") : tr("%1 bits").arg(bits));
    Q_EMIT lookChanged();
}
