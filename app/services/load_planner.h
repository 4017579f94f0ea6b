// What loading a model would mean on this machine: how long its context can be, and what it takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/error_message.h"
#include "app/services/latest_task.h"
#include "engine/session/session.h"

#include <QMetaType>
#include <QObject>
#include <QString>

namespace app {

/// The choice of a context length, before a model is loaded.
struct LoadPlan
{
    QString path;
    QString name; ///< as the file calls the model, else the file's own
    quint64 fileSize = 0; ///< bytes
    quint32 trainedContext = 0; ///< tokens
    quint32 defaultContext = 0; ///< what LoadRequest's 0 would give now
    bool cappedByMemory = false; ///< the default is shorter than the trained length
    quint64 cacheBytesPerToken = 0;
    quint64 availableMemory = 0; ///< bytes free now
    quint32 largestContext = 0; ///< a longer one is refused now
};

/// Lives on the GUI thread and never waits: files are read on a thread of its own, and only their
/// headers.
class LoadPlanner : public QObject
{
    Q_OBJECT

public:
    explicit LoadPlanner(QObject* parent = nullptr);
    /// Ends with `planned`, or with `failed` where this engine can't run the file (the error says
    /// what it is, or what is missing), unless another file is asked for meanwhile. `cacheType` as
    /// in the LoadRequest that may follow.
    void plan(const QString& path,
              engine::session::CacheType cacheType = engine::session::CacheType::F16);

Q_SIGNALS:
    void planned(const app::LoadPlan& plan);
    void failed(const app::ErrorMessage& error);

private:
    LatestTask m_task; ///< at the end it waits for a header that is being read
};

} // namespace app

Q_DECLARE_METATYPE(app::LoadPlan)
