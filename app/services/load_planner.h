// What loading a model would mean on this machine: how long its context can be, how much of it a
// device holds, what it takes. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/device_choice.h"
#include "app/services/error_message.h"
#include "app/services/latest_task.h"
#include "app/services/model_facts.h"
#include "engine/session/device_plan.h"

#include <QMetaType>
#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace app {

/// The device that a model would run on, and what of it would be there.
struct DeviceOffer
{
    QString name; ///< see deviceName
    quint64 freeBytes = 0; ///< there, or of the machine's memory where that is the only bound
    bool ownMemory = false; ///< the device has a bound of its own
    engine::session::DevicePlan plan;
    std::vector<std::uint32_t> running; ///< see runningBlocks
    QStringList cpuTypes; ///< names of types without a shader
};

/// The choice of a context length and a share of the device, before a model is loaded.
struct LoadPlan
{
    QString path;
    QString name; ///< as the file calls the model, else the file's own
    quint64 fileSize = 0; ///< bytes
    quint32 trainedContext = 0; ///< tokens
    quint32 memoryContext = 0; ///< the trained length, capped by the machine's memory
    quint32 defaultContext = 0; ///< what LoadRequest's 0 would give now
    bool cappedByMemory = false; ///< memoryContext is shorter than the trained length
    quint64 cacheBytesPerToken = 0;
    quint64 availableMemory = 0; ///< bytes free now
    quint32 largestContext = 0; ///< a longer one is refused now
    std::optional<DeviceOffer> device; ///< nothing: the CPU
};

/// Lives on the GUI thread and never waits: files are read, and devices asked, on a thread of its
/// own, and only headers are read.
class LoadPlanner : public QObject
{
    Q_OBJECT

public:
    explicit LoadPlanner(DeviceSource devices = {}, QObject* parent = nullptr);
    /// Ends with `planned`, or with `failed` where this engine can't run the file (the error says
    /// what it is, or what is missing), unless another file is asked for meanwhile. `request`: as
    /// in the load that may follow. `occupied`: bytes that the model which would make room for this
    /// one takes on the same device.
    void plan(const QString& path, const LoadRequest& request = {}, quint64 occupied = 0);

Q_SIGNALS:
    void planned(const app::LoadPlan& plan);
    void failed(const app::ErrorMessage& error);

private:
    DeviceSource m_devices;
    LatestTask m_task; ///< at the end it waits for a header that is being read
};

} // namespace app

Q_DECLARE_METATYPE(app::LoadPlan)
