#include "app/cli/failure.h"

namespace app::cli {

tl::unexpected<Failure> failed(const engine::Error& error, const std::string& file)
{
    engine::Error placed = error;
    if (placed.where.file.empty()) {
        placed.where.file = file;
    }
    return failed(engine::englishSentence(placed));
}

tl::unexpected<Failure> failed(std::string line)
{
    return tl::unexpected(Failure { ExitStatus::Failed, std::move(line) });
}

tl::unexpected<Failure> wrongUsage(std::string line)
{
    return tl::unexpected(Failure { ExitStatus::Usage, std::move(line) });
}

} // namespace app::cli
