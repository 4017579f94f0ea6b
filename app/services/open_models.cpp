#include "app/services/open_models.h"

#include <utility>

namespace app {

using engine::Result;
using engine::model::Model;

Result<std::shared_ptr<const Model>> OpenModels::load(const std::string& path, std::stop_token stop,
                                                      const engine::model::LoadProgress& progress)
{
    std::erase_if(m_open, [](const Entry& entry) { return entry.model.expired(); });
    // before the file is opened: one that is replaced meanwhile is opened again next time
    auto files = fileIdentities(partsBeside(path));
    for (const Entry& entry : m_open) {
        if (entry.path == path && entry.files == files) {
            if (auto model = entry.model.lock(); model && !model->file().changed()) {
                return model;
            }
        }
    }
    auto model = Model::load(path, std::move(stop), progress);
    if (model) {
        m_open.push_back({ path, std::move(files), *model });
    }
    return model;
}

} // namespace app
