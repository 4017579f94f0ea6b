#include "app/services/load_planner.h"

#include "engine/gguf/joined_file.h"
#include "engine/model/composer.h"
#include "engine/model/hparams.h"
#include "engine/model/tensor_fit.h"
#include "engine/model/verdict.h"
#include "engine/session/context_plan.h"
#include "engine/session/memory.h"
#include "engine/session/state_history.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>

namespace app {

namespace {

QString nameOf(const engine::gguf::GgufFile& file, const QString& path)
{
    const auto* value = file.find("general.name");
    const auto text = value != nullptr ? value->asText() : std::nullopt;
    const QString name =
        text ? QString::fromUtf8(text->data(), static_cast<qsizetype>(text->size())) : QString();
    return name.isEmpty() ? QFileInfo(path).completeBaseName() : name;
}

/// What is free, and of what the model before would give back as large a share as may be taken of
/// what is free. Where the driver does not tell what is taken, nothing was taken off.
std::uint64_t budgetWith(std::uint64_t budget, std::uint64_t occupied,
                         const engine::backend::DeviceFacts& device)
{
    if (!device.features.memoryBudget || device.freeBytes == 0) {
        return budget;
    }
    const double share = std::min(1.0, double(budget) / double(device.freeBytes));
    const double most = share * double(device.memoryBytes);
    const double later = std::min(double(budget) + share * double(occupied), most);
    return std::max(budget, static_cast<std::uint64_t>(later));
}

/// Nothing: the CPU does all the work.
std::optional<DeviceOffer> offerOf(const engine::model::Graph& graph, const LoadRequest& request,
                                   std::uint64_t occupied, const DeviceSource& source,
                                   const std::stop_token& stop)
{
    DeviceVerdicts verdicts;
    const auto chosen =
        preferredDevice(request.device, verdicts, stop, {}, source, FirstUse::Trust);
    if (!chosen || !chosen->backend) {
        return std::nullopt;
    }
    DeviceOffer offer;
    offer.name = QString::fromStdString(chosen->name);
    offer.plan = engine::session::planDevice(graph, request.cacheType, *chosen->backend);
    offer.running = engine::session::runningBlocks(graph, *chosen->backend);
    if (offer.running.back() == 0) {
        return std::nullopt; // it is of no use for this model
    }
    offer.ownMemory = offer.plan.budget != UINT64_MAX;
    if (offer.ownMemory) {
        offer.plan.budget = budgetWith(offer.plan.budget, occupied, chosen->facts);
    }
    offer.freeBytes = offer.ownMemory ? offer.plan.budget : engine::session::availableMemory();
    for (const auto type : engine::backend::typesWithoutShader(graph)) {
        const auto name = engine::gguf::tensorTypeInfo(type).name;
        offer.cpuTypes << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    return offer;
}

struct Wish
{
    QString path;
    LoadRequest request;
    quint64 occupied = 0;
    DeviceSource devices;
};

engine::Result<LoadPlan> planOf(const Wish& wish, const std::stop_token& stop)
{
    const auto file = engine::gguf::openJoined(QFile::encodeName(wish.path).toStdString());
    if (!file) {
        return tl::make_unexpected(file.error());
    }
    if (auto sound = (*file)->requireSound(); !sound) {
        return tl::make_unexpected(sound.error());
    }
    const auto verdict = engine::model::diagnose(*file);
    if (verdict.obstacle) {
        return tl::make_unexpected(*verdict.obstacle);
    }
    const auto hparams = engine::model::readHparams(**file);
    if (!hparams) {
        return tl::make_unexpected(hparams.error());
    }
    const auto fit = engine::model::fitTensors(**file, *hparams);
    const auto context = engine::session::planContext(
        fit.kv, hparams->contextLength, wish.request.cacheType, engine::session::availableMemory(),
        engine::session::mostStateBytes(fit.stateBytes));
    LoadPlan plan;
    plan.path = wish.path;
    plan.name = nameOf(**file, wish.path);
    plan.fileSize = (*file)->bytes().size();
    plan.trainedContext = context.trainedLength;
    plan.memoryContext = context.defaultLength;
    plan.defaultContext = context.defaultLength;
    plan.cappedByMemory = context.capped();
    plan.cacheBytesPerToken = context.bytesPerToken;
    plan.availableMemory = context.availableMemory;
    plan.largestContext = context.largestLength;
    if (fit.errors.empty()) {
        plan.device =
            offerOf(fit.composition->graph, wish.request, wish.occupied, wish.devices, stop);
    }
    if (plan.device) {
        plan.defaultContext =
            plan.device->plan.defaultContext(plan.memoryContext, wish.request.deviceLayers);
    }
    return plan;
}

// A header that claims a lot may need more memory than there is.
engine::Result<LoadPlan> guardedPlanOf(const Wish& wish, const std::stop_token& stop)
{
    try {
        return planOf(wish, stop);
    } catch (const std::exception&) {
        return engine::failure(engine::ErrorCode::OutOfMemory, { "the header of the file" },
                               { QFile::encodeName(wish.path).toStdString(), {}, {} });
    }
}

} // namespace

LoadPlanner::LoadPlanner(DeviceSource devices, QObject* parent)
    : QObject(parent)
    , m_devices(std::move(devices))
    , m_task("vitrine-plan")
{
}

void LoadPlanner::plan(const QString& path, const LoadRequest& request, quint64 occupied)
{
    const Wish wish { path, request, occupied, m_devices };
    m_task.start([this, wish](const TaskControl& control) {
        return LatestTask::Delivery([this, result = guardedPlanOf(wish, control.stop)] {
            if (result) {
                Q_EMIT planned(*result);
            } else {
                Q_EMIT failed(errorMessage(result.error()));
            }
        });
    });
}

} // namespace app
