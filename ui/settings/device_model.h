// What models can run on, as the settings show it: automatic, the CPU, each graphics device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/device_list.h"
#include "app/services/settings.h"

#include <QtCore/QAbstractListModel>
#include <QtCore/QString>
#include <QtQml/qqmlregistration.h>

#include <vector>

/// Lives on the GUI thread; the settings outlive it.
class DeviceModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by SettingsViewModel")
    /// Why there are no graphics devices; empty where there are, or nobody knows yet.
    Q_PROPERTY(QString problem READ problem NOTIFY changed)

public:
    enum Role {
        ValueRole = Qt::UserRole, ///< what the setting holds: "auto", "cpu", a name
        TitleRole,
        FactsRole, ///< kind, memory, driver
        FeaturesRole, ///< empty: nothing to say
        ReasonRole, ///< why it is or isn't used
        UsableRole,
    };

    explicit DeviceModel(const app::Settings& settings, app::DeviceSource source = {},
                         QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;
    [[nodiscard]] QString problem() const;
    /// Asks the drivers, on another thread.
    Q_INVOKABLE void refresh() { m_list.refresh(); }

Q_SIGNALS:
    void changed();

private:
    struct Row
    {
        QString value;
        QString title;
        QString facts;
        QString features;
        QString reason;
        bool isUsable = true;
    };
    void rebuild();
    [[nodiscard]] Row automaticRow() const;
    [[nodiscard]] static Row rowOf(const app::ListedDevice& device);

    const app::Settings& m_settings;
    app::DeviceList m_list;
    std::vector<Row> m_rows;
};
