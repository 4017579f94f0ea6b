#include "ui/inspector/cache_calculator.h"

#include "app/services/error_message.h"
#include "ui/inspector/figures.h"

#include <QtCore/QLocale>
#include <QtCore/QVariantMap>

#include <algorithm>
#include <array>

using engine::gguf::TensorType;

namespace {

constexpr int kUsualContext = 4096;
constexpr std::array kTypes { TensorType::F16, TensorType::Q8_0, TensorType::Q4_0 };

} // namespace

void CacheCalculator::setFile(const InspectedFile& file)
{
    if (file == m_file) {
        return;
    }
    m_file = file;
    m_shape.reset();
    m_error.clear();
    if (file.gguf) {
        auto shape = engine::model::readCacheShape(*file.gguf);
        if (shape) {
            m_shape = std::move(*shape);
        } else {
            m_error = tr("Unknown: %1 (%2)")
                          .arg(app::errorMessage(shape.error()).what,
                               figures::printable(shape.error().where.subject));
        }
    }
    m_context = std::min(trained() > 0 ? trained() : kUsualContext, kLongest);
    Q_EMIT changed();
}

void CacheCalculator::setContext(int tokens)
{
    const int within = std::clamp(tokens, 1, kLongest);
    if (within != m_context) {
        m_context = within;
        Q_EMIT changed();
    }
}

QVariantList CacheCalculator::rows() const
{
    QVariantList rows;
    if (m_shape) {
        for (const TensorType type : kTypes) {
            const auto name = engine::gguf::tensorTypeInfo(type).name;
            rows << QVariantMap {
                { QStringLiteral("type"),
                  QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())) },
                { QStringLiteral("size"),
                  figures::size(engine::model::cacheBytes(
                      *m_shape, static_cast<std::uint64_t>(m_context), type)) },
                { QStringLiteral("perToken"),
                  figures::size(engine::model::cacheBytes(*m_shape, 1, type)) },
            };
        }
    }
    return rows;
}

QString CacheCalculator::formula() const
{
    if (!m_shape || m_shape->layers.empty() || !m_shape->isUniform()) {
        return {};
    }
    const auto& layer = m_shape->layers.front();
    return tr("2 × %1 layers × %2 KV heads × %3 numbers × %4 tokens × bytes of a number")
        .arg(figures::count(m_shape->layers.size()), figures::count(layer.heads),
             figures::count(layer.keyLength), figures::count(static_cast<quint64>(m_context)));
}

QString CacheCalculator::note() const
{
    if (!m_error.isEmpty()) {
        return m_error;
    }
    if (!m_shape) {
        return {};
    }
    if (m_shape->unplacedWindow > 0) {
        return tr("At most: some layers keep only %1 tokens, but the file does not say which.")
            .arg(figures::count(m_shape->unplacedWindow));
    }
    return m_shape->isUniform() ? QString() : tr("The layers differ: the sum over all of them.");
}
