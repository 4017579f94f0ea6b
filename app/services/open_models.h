// Models that are open already, so that nothing of an unchanged file is read or placed twice. No
// Qt. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/file_identity.h"
#include "engine/base/result.h"
#include "engine/model/model.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

/// Keeps no model open: one is given again as long as somebody else uses it and its files are the
/// same. Used by one thread at a time.
class OpenModels
{
public:
    /// As engine::model::Model::load; without progress where it is open already.
    [[nodiscard]] engine::Result<std::shared_ptr<const engine::model::Model>>
    load(const std::string& path, std::stop_token stop,
         const engine::model::LoadProgress& progress);

private:
    struct Entry
    {
        std::string path;
        FileIdentities files;
        std::weak_ptr<const engine::model::Model> model;
    };

    std::vector<Entry> m_open;
};

} // namespace app
