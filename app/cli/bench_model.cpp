#include "app/cli/bench_model.h"

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/services/device_verdicts.h"
#include "app/services/synthesis.h"

#include <unistd.h>

#include <filesystem>
#include <utility>

namespace app::cli {

namespace fs = std::filesystem;

namespace {

/// app::cacheFolder, made where it is missing.
Outcome<fs::path> madeCacheFolder()
{
    const auto folder = cacheFolder();
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        return failed(folder.string() + ": the folder cannot be made (" + error.message()
                      + "). Set XDG_CACHE_HOME to one that can be written.");
    }
    return folder;
}

} // namespace

BenchModel::BenchModel(std::string path, bool temporary)
    : m_path(std::move(path))
    , m_temporary(temporary)
{
}

BenchModel::BenchModel(BenchModel&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_temporary(std::exchange(other.m_temporary, false))
{
}

BenchModel::~BenchModel()
{
    release();
}

void BenchModel::release()
{
    if (std::exchange(m_temporary, false)) {
        std::error_code ignored;
        fs::remove(m_path, ignored);
    }
}

Outcome<BenchModel> BenchModel::open(const Context& context)
{
    const auto& arguments = context.arguments;
    if (arguments.has("model") == arguments.has("synthetic")) {
        return wrongUsage("either -m FILE.gguf or --synthetic SHAPE:TYPE is needed");
    }
    if (const auto path = arguments.text("model")) {
        return BenchModel(*path, false);
    }
    const auto request = app::parseSynthesis(*arguments.text("synthetic"));
    if (!request) {
        return wrongUsage(engine::englishSentence(request.error()));
    }
    const auto folder = madeCacheFolder();
    if (!folder) {
        return tl::unexpected(folder.error());
    }
    const auto path = *folder / ("synthetic-" + std::to_string(getpid()) + ".gguf");
    BenchModel model(path.string(), true);
    Progress progress("writing random weights");
    const auto done = app::synthesize(*request, model.path(), context.interrupt.token(),
                                      [&](double fraction) { progress.update(fraction); });
    if (!done) {
        return failed(done.error(), model.path());
    }
    return model;
}

} // namespace app::cli
