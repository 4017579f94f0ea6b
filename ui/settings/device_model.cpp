// What models can run on, as the settings show it: automatic, the CPU, each graphics device.
// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/device_model.h"

#include "engine/base/cpu_features.h"

#include <QtCore/QLocale>

#include <algorithm>

using app::ListedDevice;
using engine::backend::DeviceKind;
using engine::backend::DeviceUse;

namespace {

constexpr auto kSeparator = " · ";

QString joined(const QStringList& parts)
{
    return parts.join(QString::fromUtf8(kSeparator));
}

QString sizeText(quint64 bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeSIFormat);
}

QString kindText(DeviceKind kind)
{
    switch (kind) {
    case DeviceKind::Discrete:
        return DeviceModel::tr("Graphics card");
    case DeviceKind::Integrated:
        return DeviceModel::tr("Integrated graphics");
    case DeviceKind::Virtual:
        return DeviceModel::tr("Virtual graphics device");
    case DeviceKind::Other:
        return DeviceModel::tr("Device of another kind");
    case DeviceKind::Software:
        return DeviceModel::tr("Software device");
    }
    return {};
}

QString reasonText(const ListedDevice& device)
{
    switch (device.use) {
    case DeviceUse::Default:
        return DeviceModel::tr("Used where the choice is automatic.");
    case DeviceUse::Spare:
        return DeviceModel::tr("Another device comes first; used when it is chosen here.");
    case DeviceUse::Software:
        return DeviceModel::tr("A program that stands in for a graphics device, slower than the "
                               "CPU itself; used only when it is chosen here.");
    case DeviceUse::Distrusted:
        return DeviceModel::tr("Not used: its self-test failed, it computes %1 wrongly. An update "
                               "of the driver may help.")
            .arg(QString::fromStdString(device.facts.distrusted));
    case DeviceUse::Unfit:
        return DeviceModel::tr("Not used: %1.").arg(QString::fromStdString(device.facts.unfit));
    }
    return {};
}

/// What is left out of a device that is used, and why.
QString leftOutText(const ListedDevice& device)
{
    QString text;
    for (const auto& [feature, wrong] : device.facts.leftOut) {
        const auto words =
            QString::fromStdString(std::string(engine::backend::featureWords(feature)));
        if (isUsable(device.use) && wrong.empty()) {
            text += DeviceModel::tr(" Used without %1, with which it was slower.").arg(words);
        } else if (isUsable(device.use)) {
            text += DeviceModel::tr(" Used without %1, with which its self-test found %2 wrong.")
                        .arg(words, QString::fromStdString(wrong));
        }
    }
    return text;
}

/// The field's own terms for what a device has.
QString featureText(const engine::backend::DeviceFacts& facts)
{
    const auto& has = facts.features;
    QStringList parts {
        DeviceModel::tr("Vulkan %1").arg(QString::fromStdString(facts.apiVersion))
    };
    const std::pair<bool, QString> features[] = {
        { has.subgroups, DeviceModel::tr("subgroups of %1").arg(facts.subgroupSize) },
        { has.float16, DeviceModel::tr("16-bit arithmetic") },
        { has.integerDot, DeviceModel::tr("integer dot product") },
        { has.cooperativeMatrix, DeviceModel::tr("cooperative matrices") },
        { has.hostImport && facts.unified, DeviceModel::tr("reads the file's memory") },
        { has.memoryBudget, DeviceModel::tr("tells free memory") },
    };
    for (const auto& [isThere, name] : features) {
        if (isThere) {
            parts << name;
        }
    }
    return joined(parts);
}

} // namespace

DeviceModel::DeviceModel(const app::Settings& settings, app::DeviceSource source, QObject* parent)
    : QAbstractListModel(parent)
    , m_settings(settings)
    , m_list(std::move(source))
{
    connect(&m_list, &app::DeviceList::changed, this, &DeviceModel::rebuild);
    rebuild();
}

int DeviceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant DeviceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case ValueRole:
        return row.value;
    case TitleRole:
        return row.title;
    case FactsRole:
        return row.facts;
    case FeaturesRole:
        return row.features;
    case ReasonRole:
        return row.reason;
    case UsableRole:
        return row.isUsable;
    default:
        return {};
    }
}

QHash<int, QByteArray> DeviceModel::roleNames() const
{
    return { { ValueRole, "value" },       { TitleRole, "title" },   { FactsRole, "facts" },
             { FeaturesRole, "features" }, { ReasonRole, "reason" }, { UsableRole, "usable" } };
}

QString DeviceModel::problem() const
{
    if (m_list.problem()) {
        return m_list.problem()->text();
    }
    return m_list.isKnown() && m_list.devices().empty()
        ? tr("Vulkan is there, but no driver offers a device.")
        : QString();
}

DeviceModel::Row DeviceModel::automaticRow() const
{
    const auto& devices = m_list.devices();
    const auto preferred = std::ranges::find(devices, DeviceUse::Default, &ListedDevice::use);
    Row row { QStringLiteral("auto"), tr("Automatic"), {}, {}, {}, true };
    row.reason = !m_list.isKnown() ? tr("A graphics device that is fit, else the CPU.")
        : preferred == devices.end()
        ? tr("A graphics device that is fit, else the CPU; here the CPU.")
        : tr("A graphics device that is fit, else the CPU; here %1.")
              .arg(QString::fromStdString(preferred->name));
    return row;
}

DeviceModel::Row DeviceModel::rowOf(const ListedDevice& device)
{
    const auto& facts = device.facts;
    Row row { QString::fromStdString(device.name),
              QString::fromStdString(device.name),
              {},
              {},
              reasonText(device) + leftOutText(device),
              isUsable(device.use) };
    QStringList parts { kindText(facts.kind) };
    if (facts.memoryBytes > 0) {
        parts << (facts.unified ? tr("%1 of the machine's memory").arg(sizeText(facts.memoryBytes))
                                : tr("%1 of memory").arg(sizeText(facts.memoryBytes)));
    }
    if (!facts.driver.empty()) {
        parts << tr("driver %1").arg(QString::fromStdString(facts.driver));
    }
    row.facts = joined(parts);
    row.features =
        facts.apiVersion.empty() || !facts.unfit.empty() ? QString() : featureText(facts);
    return row;
}

void DeviceModel::rebuild()
{
    const auto& cpu = engine::cpuFeatures();
    std::vector<Row> rows { automaticRow() };
    rows.push_back({ QStringLiteral("cpu"),
                     QString::fromStdString(cpu.name).simplified(),
                     joined({ QString::fromStdString(engine::backend::cpuBackend().description()),
                              cpu.cores == 1 ? tr("1 core") : tr("%1 cores").arg(cpu.cores),
                              tr("%1 of memory").arg(sizeText(app::machineMemory())) }),
                     {},
                     tr("Always there."),
                     true });
    if (rows.back().title.isEmpty()) {
        rows.back().title = tr("CPU");
    }
    for (const auto& device : m_list.devices()) {
        rows.push_back(rowOf(device));
    }
    const QString chosen = m_settings.device();
    if (m_list.isKnown() && std::ranges::find(rows, chosen, &Row::value) == rows.end()) {
        rows.push_back({ chosen,
                         chosen,
                         {},
                         {},
                         tr("It was chosen, but is not there now; the automatic choice takes its "
                            "place."),
                         false });
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
    Q_EMIT changed();
}
