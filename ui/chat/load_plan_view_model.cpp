#include "ui/chat/load_plan_view_model.h"

#include "ui/chat/answer_figures.h"

#include <QtCore/QLocale>

#include <algorithm>
#include <optional>
#include <utility>

using app::LoadPlan;

namespace {

constexpr quint32 kShortest = 512;

/// Powers of two up to what was trained and fits, the default, and what somebody chose before.
std::vector<quint32> lengthsOf(const LoadPlan& plan, quint32 chosen)
{
    const quint32 longest = std::max(1U, std::min(plan.trainedContext, plan.largestContext));
    std::vector<quint32> lengths { longest, std::min(plan.defaultContext, longest),
                                   std::min(plan.memoryContext, longest) };
    for (quint64 length = kShortest; length < longest; length *= 2) {
        lengths.push_back(static_cast<quint32>(length));
    }
    if (chosen > 0 && chosen <= plan.largestContext) {
        lengths.push_back(chosen);
    }
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
}

QString inTokens(quint32 length)
{
    return LoadPlanViewModel::tr("%1 tokens").arg(QLocale().toString(length));
}

} // namespace

LoadPlanViewModel::LoadPlanViewModel(app::Settings& settings, app::DeviceSource devices,
                                     QObject* parent)
    : QObject(parent)
    , m_settings(settings)
    , m_planner(std::move(devices))
{
    connect(&m_planner, &app::LoadPlanner::planned, this, &LoadPlanViewModel::onPlanned);
    connect(&m_planner, &app::LoadPlanner::failed, this, &LoadPlanViewModel::refused);
}

void LoadPlanViewModel::consider(const QString& path, quint64 occupied)
{
    dismiss();
    m_path = path;
    m_always = m_settings.askContext();
    m_planner.plan(path, m_settings.loadRequest(path), occupied);
}

void LoadPlanViewModel::ask(const QString& path, quint64 occupied)
{
    consider(path, occupied);
    m_always = true;
}

void LoadPlanViewModel::onPlanned(const LoadPlan& plan)
{
    const auto request = m_settings.loadRequest(m_path);
    m_layers = LayerPlan(plan.device, request.deviceLayers);
    const quint32 context = request.contextLength > 0 ? request.contextLength : plan.defaultContext;
    const bool isCut = !request.deviceLayers && !m_layers.fitsAll(context);
    if (m_always || isCut || (plan.cappedByMemory && request.contextLength == 0)) {
        open(plan);
    } else {
        Q_EMIT decided(m_path);
    }
}

void LoadPlanViewModel::open(const LoadPlan& plan)
{
    m_plan = plan;
    const quint32 asked = m_settings.loadRequest(m_path).contextLength;
    m_lengths = lengthsOf(plan, asked);
    const quint32 first = asked > 0 ? std::min(asked, m_lengths.back())
                                    : std::min(plan.defaultContext, m_lengths.back());
    m_choice = static_cast<int>(std::lower_bound(m_lengths.begin(), m_lengths.end(), first)
                                - m_lengths.begin());
    m_asking = true;
    Q_EMIT changed();
}

void LoadPlanViewModel::setChoice(int choice)
{
    const int within = std::clamp(choice, 0, std::max(0, choices() - 1));
    if (within != m_choice) {
        m_choice = within;
        Q_EMIT changed();
    }
}

quint32 LoadPlanViewModel::length() const
{
    return m_asking ? m_lengths[static_cast<std::size_t>(m_choice)] : 0;
}

void LoadPlanViewModel::accept()
{
    if (!m_asking) {
        return;
    }
    const quint32 taken = length();
    const auto usual = m_settings.contextLength() > 0
        ? static_cast<quint32>(m_settings.contextLength())
        : m_layers.defaultContext(m_plan.memoryContext);
    m_settings.setContextLengthOf(m_path, taken == usual ? 0 : static_cast<int>(taken));
    if (m_layers.hasDevice()) {
        m_settings.setDeviceLayersOf(
            m_path,
            m_layers.chosen() ? std::optional(static_cast<int>(*m_layers.chosen())) : std::nullopt);
    }
    m_asking = false;
    Q_EMIT changed();
    Q_EMIT decided(m_path);
}

void LoadPlanViewModel::dismiss()
{
    if (m_asking) {
        m_asking = false;
        Q_EMIT changed();
    }
}

QString LoadPlanViewModel::title() const
{
    return QStringLiteral("%1 · %2").arg(m_plan.name, sizeText(m_plan.fileSize));
}

QString LoadPlanViewModel::lengthText() const
{
    return m_asking ? inTokens(length()) : QString();
}

QString LoadPlanViewModel::memoryText() const
{
    if (!m_asking) {
        return {};
    }
    const QString cache = sizeText(length() * m_plan.cacheBytesPerToken);
    const QString free = sizeText(m_plan.availableMemory);
    if (!hasDevice()) {
        return tr("The cache takes %1; %2 are free").arg(cache, free);
    }
    return m_layers.hasOwnMemory()
        ? tr("The cache takes %1; %2 of the machine's memory are free").arg(cache, free)
        : tr("The cache takes %1").arg(cache);
}

QString LoadPlanViewModel::deviceName() const
{
    return m_asking ? m_layers.deviceName() : QString();
}

void LoadPlanViewModel::setLayers(int layers)
{
    const auto before = m_layers.chosen();
    m_layers.choose(layers, length());
    if (m_layers.chosen() != before) {
        Q_EMIT changed();
    }
}

void LoadPlanViewModel::fitLayers()
{
    if (m_layers.chosen()) {
        m_layers.chooseFitting();
        Q_EMIT changed();
    }
}

QString LoadPlanViewModel::layersText() const
{
    return m_asking ? m_layers.countText(length()) : QString();
}

QString LoadPlanViewModel::deviceText() const
{
    return m_asking ? m_layers.text(length()) : QString();
}

bool LoadPlanViewModel::isDeviceDoubtful() const
{
    return m_asking && m_layers.isTooMuch(length());
}

bool LoadPlanViewModel::isDoubtful() const
{
    return m_asking
        && (length() > m_plan.trainedContext
            || (m_plan.cappedByMemory && length() > m_plan.memoryContext));
}

QString LoadPlanViewModel::advice() const
{
    if (!m_asking) {
        return {};
    }
    const QString trained = inTokens(m_plan.trainedContext);
    if (length() > m_plan.trainedContext) {
        return tr("Longer than the %1 it was trained for: answers get worse from there on.")
            .arg(trained);
    }
    if (m_plan.cappedByMemory) {
        return length() > m_plan.memoryContext
            ? tr("More than half of the free memory; other programs may run short of it.")
            : tr("Trained for %1. Memory has room for %2 now, half of it left to all else.")
                  .arg(trained, inTokens(m_plan.memoryContext));
    }
    if (length() == m_plan.trainedContext) {
        return tr("All that it was trained for.");
    }
    return m_layers.hasOwnMemory()
        ? tr("Trained for %1. A shorter context leaves room for more layers; the oldest messages "
             "are left out sooner.")
              .arg(trained)
        : tr("Trained for %1. A shorter context needs less memory; the oldest messages are left "
             "out sooner.")
              .arg(trained);
}
