#include "app/services/model_facts.h"

namespace app {

namespace {

// Without the file's name: it stands in the header of the window already.
QString sentence(const engine::gguf::Problem& problem)
{
    engine::Error error = problem.error;
    error.where.file.clear();
    return errorText(error);
}

} // namespace

ModelFacts modelFacts(const LoadedFacts& facts)
{
    ModelFacts out;
    out.path = QString::fromStdString(facts.path);
    out.displayName = QString::fromStdString(facts.displayName);
    out.typeName = QString::fromStdString(facts.typeName);
    out.deviceName = QString::fromStdString(facts.deviceName);
    out.fileSize = facts.fileSize;
    out.parameterCount = facts.parameterCount;
    out.sessionBytes = facts.sessionBytes;
    out.contextLength = facts.contextLength;
    out.trainedContextLength = facts.trainedContextLength;
    out.threads = facts.threads;
    for (const auto& problem : facts.warnings) {
        out.warnings << sentence(problem);
    }
    out.templateOrigin = facts.templateOrigin;
    if (facts.conversationError) {
        out.conversationError = errorMessage(*facts.conversationError);
    }
    return out;
}

} // namespace app
