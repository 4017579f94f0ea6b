// The choice of a context length and a share of the device before a model is loaded: what there is
// to choose, and what it takes. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/load_planner.h"
#include "app/services/settings.h"
#include "ui/chat/layer_plan.h"

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtQml/qqmlregistration.h>

#include <vector>

/// Lives on the GUI thread; the settings outlive it. Asks where it has to: memory has less room
/// than the model was trained for and nobody has chosen a length, the device has no room for all
/// layers and nobody has chosen how many, or the settings say to ask always.
class LoadPlanViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Owned by ModelViewModel")
    /// A choice is open.
    Q_PROPERTY(bool asking READ isAsking NOTIFY changed)
    /// Model and size of its file: "SmolLM2 135M · 98.4 MB".
    Q_PROPERTY(QString title READ title NOTIFY changed)
    /// How many lengths there are to choose from, and which one is chosen, from 0.
    Q_PROPERTY(int choices READ choices NOTIFY changed)
    Q_PROPERTY(int choice READ choice WRITE setChoice NOTIFY changed)
    /// "8,192 tokens"
    Q_PROPERTY(QString lengthText READ lengthText NOTIFY changed)
    /// What the cache of that length takes, of how much memory.
    Q_PROPERTY(QString memoryText READ memoryText NOTIFY changed)
    /// Why the length is what it is, or what to mind about it.
    Q_PROPERTY(QString advice READ advice NOTIFY changed)
    /// `advice` is about something that may go wrong.
    Q_PROPERTY(bool doubtful READ isDoubtful NOTIFY changed)
    /// The model would run on a device; what follows is empty otherwise.
    Q_PROPERTY(bool hasDevice READ hasDevice NOTIFY changed)
    Q_PROPERTY(QString deviceName READ deviceName NOTIFY changed)
    /// How many layers the model has, and how many of them run on the device.
    Q_PROPERTY(int allLayers READ allLayers NOTIFY changed)
    Q_PROPERTY(int layers READ layers WRITE setLayers NOTIFY changed)
    /// As many as fit, at any length of the context.
    Q_PROPERTY(bool layersFit READ isLayersFit NOTIFY changed)
    /// "22 of 32 layers"
    Q_PROPERTY(QString layersText READ layersText NOTIFY changed)
    /// What is on the device, what it takes there, what stays on the CPU.
    Q_PROPERTY(QString deviceText READ deviceText NOTIFY changed)
    /// `deviceText` is about something that may go wrong.
    Q_PROPERTY(bool deviceDoubtful READ isDeviceDoubtful NOTIFY changed)

public:
    explicit LoadPlanViewModel(app::Settings& settings, app::DeviceSource devices = {},
                               QObject* parent = nullptr);

    [[nodiscard]] bool isAsking() const { return m_asking; }
    [[nodiscard]] QString title() const;
    [[nodiscard]] int choices() const { return static_cast<int>(m_lengths.size()); }
    [[nodiscard]] int choice() const { return m_choice; }
    void setChoice(int choice);
    [[nodiscard]] QString lengthText() const;
    [[nodiscard]] QString memoryText() const;
    [[nodiscard]] QString advice() const;
    [[nodiscard]] bool isDoubtful() const;
    /// Tokens; 0 while nothing is asked.
    [[nodiscard]] quint32 length() const;

    [[nodiscard]] bool hasDevice() const { return m_asking && m_layers.hasDevice(); }
    [[nodiscard]] QString deviceName() const;
    [[nodiscard]] int allLayers() const { return m_layers.layers(); }
    [[nodiscard]] int layers() const { return m_layers.count(length()); }
    void setLayers(int layers);
    [[nodiscard]] bool isLayersFit() const { return !m_layers.chosen(); }
    [[nodiscard]] QString layersText() const;
    [[nodiscard]] QString deviceText() const;
    [[nodiscard]] bool isDeviceDoubtful() const;
    Q_INVOKABLE void fitLayers();

    /// Somebody picked this file: ends with `decided`, at once or after the choice, or with
    /// `refused`. A later file takes the place of an earlier one. `occupied`: as for the planner.
    void consider(const QString& path, quint64 occupied = 0);
    /// The same, but asks in any case.
    void ask(const QString& path, quint64 occupied = 0);
    /// Takes what is chosen; defaults aren't kept, so that they follow the memory.
    Q_INVOKABLE void accept();
    /// Nothing is loaded.
    Q_INVOKABLE void dismiss();

Q_SIGNALS:
    void changed();
    /// Load it now. A length and a number of layers of its own are in the settings then.
    void decided(const QString& path);
    /// It can't be loaded, and this is why.
    void refused(const app::ErrorMessage& error);

private:
    void onPlanned(const app::LoadPlan& plan);
    void open(const app::LoadPlan& plan);

    app::Settings& m_settings;
    app::LoadPlanner m_planner;
    app::LoadPlan m_plan;
    LayerPlan m_layers;
    std::vector<quint32> m_lengths; ///< ascending
    int m_choice = 0;
    QString m_path; ///< what is being considered
    bool m_always = false;
    bool m_asking = false;
};
