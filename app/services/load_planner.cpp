#include "app/services/load_planner.h"

#include "engine/gguf/joined_file.h"
#include "engine/model/hparams.h"
#include "engine/model/tensor_fit.h"
#include "engine/model/verdict.h"
#include "engine/session/context_plan.h"
#include "engine/session/memory.h"
#include "engine/session/state_history.h"

#include <QFile>
#include <QFileInfo>

#include <exception>

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

engine::Result<LoadPlan> planOf(const QString& path, engine::session::CacheType cacheType)
{
    const auto file = engine::gguf::openJoined(QFile::encodeName(path).toStdString());
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
        fit.kv, hparams->contextLength, cacheType, engine::session::availableMemory(),
        engine::session::mostStateBytes(fit.stateBytes));
    LoadPlan plan;
    plan.path = path;
    plan.name = nameOf(**file, path);
    plan.fileSize = (*file)->bytes().size();
    plan.trainedContext = context.trainedLength;
    plan.defaultContext = context.defaultLength;
    plan.cappedByMemory = context.capped();
    plan.cacheBytesPerToken = context.bytesPerToken;
    plan.availableMemory = context.availableMemory;
    plan.largestContext = context.largestLength;
    return plan;
}

// A header that claims a lot may need more memory than there is.
engine::Result<LoadPlan> guardedPlanOf(const QString& path, engine::session::CacheType cacheType)
{
    try {
        return planOf(path, cacheType);
    } catch (const std::exception&) {
        return engine::failure(engine::ErrorCode::OutOfMemory, { "the header of the file" },
                               { QFile::encodeName(path).toStdString(), {}, {} });
    }
}

} // namespace

LoadPlanner::LoadPlanner(QObject* parent)
    : QObject(parent)
    , m_task("vitrine-plan")
{
}

void LoadPlanner::plan(const QString& path, engine::session::CacheType cacheType)
{
    m_task.start([this, path, cacheType](const TaskControl& /*control*/) {
        return LatestTask::Delivery([this, result = guardedPlanOf(path, cacheType)] {
            if (result) {
                Q_EMIT planned(*result);
            } else {
                Q_EMIT failed(errorMessage(result.error()));
            }
        });
    });
}

} // namespace app
