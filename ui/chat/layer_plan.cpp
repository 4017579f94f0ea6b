#include "ui/chat/layer_plan.h"

#include "ui/chat/answer_figures.h"

#include <QtCore/QLocale>

#include <algorithm>
#include <utility>

LayerPlan::LayerPlan(std::optional<app::DeviceOffer> device, std::optional<quint32> chosen)
    : m_device(std::move(device))
{
    if (m_device && chosen) {
        m_chosen = std::min<quint32>(*chosen, m_device->plan.blocks());
    }
}

int LayerPlan::count(quint32 context) const
{
    return hasDevice() ? int(m_chosen ? *m_chosen : m_device->plan.fitting(context)) : 0;
}

void LayerPlan::choose(int count, quint32 context)
{
    const auto wanted = static_cast<quint32>(std::clamp(count, 0, layers()));
    m_chosen = hasDevice() && wanted != m_device->plan.fitting(context) ? std::optional(wanted)
                                                                        : std::nullopt;
}

bool LayerPlan::fitsAll(quint32 context) const
{
    return !hasDevice() || m_device->plan.fitting(context) == m_device->plan.blocks();
}

quint32 LayerPlan::defaultContext(quint32 longest) const
{
    return hasDevice() ? m_device->plan.defaultContext(longest, m_chosen) : longest;
}

bool LayerPlan::isTooMuch(quint32 context) const
{
    return hasDevice() && !m_device->plan.fits(static_cast<quint32>(count(context)), context);
}

QString LayerPlan::countText(quint32 context) const
{
    const QLocale locale;
    return hasDevice()
        ? tr("%1 of %2 layers").arg(locale.toString(count(context)), locale.toString(layers()))
        : QString();
}

QString LayerPlan::text(quint32 context) const
{
    if (!hasDevice()) {
        return {};
    }
    QStringList sentences { deviceText(context) };
    for (const QString& more : { heldBackText(context), cpuText(context) }) {
        if (!more.isEmpty()) {
            sentences << more;
        }
    }
    return sentences.join(u' ');
}

QString LayerPlan::deviceText(quint32 context) const
{
    const auto there = static_cast<quint32>(count(context));
    if (there == 0) {
        return m_chosen ? tr("%1: not used for this model.").arg(m_device->name)
                        : tr("%1: no layer fits, %2 are free there.")
                              .arg(m_device->name, sizeText(m_device->freeBytes));
    }
    const bool isAll = there == m_device->plan.blocks();
    const QString layered =
        isAll ? tr("all %1 layers").arg(QLocale().toString(layers())) : countText(context);
    const QString bytes = sizeText(m_device->plan.deviceBytes(there, context));
    const QString free = sizeText(m_device->freeBytes);
    if (isTooMuch(context)) {
        return tr("%1: %2 need %3, and only %4 are free there. Where the device refuses, the CPU "
                  "does all the work.")
            .arg(m_device->name, layered, bytes, free);
    }
    const QString memory = m_device->ownMemory
        ? tr("they take %1 of the %2 that are free there").arg(bytes, free)
        : tr("they take %1 of the machine's memory, of which %2 are free").arg(bytes, free);
    if (m_chosen) {
        return tr("%1: %2; %3.").arg(m_device->name, layered, memory);
    }
    return isAll ? tr("%1: %2 fit; %3.").arg(m_device->name, layered, memory)
                 : tr("%1: %2, as many as fit; %3.").arg(m_device->name, layered, memory);
}

QString LayerPlan::heldBackText(quint32 context) const
{
    const auto there = static_cast<quint32>(count(context));
    const quint32 held = there - m_device->running.at(there);
    if (held == 0) {
        return {};
    }
    return m_device->cpuTypes.isEmpty()
        ? tr("Of these, %1 stay on the CPU all the same: they share a cache with layers there.")
              .arg(held)
        : tr("Of these, %1 stay on the CPU all the same: there is no shader for the type %2.")
              .arg(held)
              .arg(m_device->cpuTypes.join(QStringLiteral(", ")));
}

QString LayerPlan::cpuText(quint32 context) const
{
    const auto there = static_cast<quint32>(count(context));
    const quint32 rest = m_device->plan.blocks() - there;
    const QString bytes = sizeText(m_device->plan.cpuBytes(there, context));
    if (rest == 0) {
        return {};
    }
    return there == 0 ? tr("All %1 layers run on the CPU: %2.").arg(rest).arg(bytes)
        : rest == 1
        ? tr("One layer and the table of tokens stay on the CPU: %1.").arg(bytes)
        : tr("%1 layers and the table of tokens stay on the CPU: %2.").arg(rest).arg(bytes);
}
