#include "engine/model/architectures/architecture.h"
#include "engine/model/model.h"

namespace engine::model {

namespace {

using gguf::Problem;
using gguf::Severity;

bool hasVocabularyKeys(const gguf::GgufFile& file)
{
    for (const auto& entry : file.metadata()) {
        if (entry.key.starts_with("tokenizer.ggml.")) {
            return true;
        }
    }
    return false;
}

/// A value that cannot be true is an error of the file; what this version lacks is only a note
/// about it.
Severity severityOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::BadKeyValue:
    case ErrorCode::WrongKeyType:
    case ErrorCode::WrongTensorShape:
    case ErrorCode::VocabularyMismatch:
        return Severity::Error;
    default:
        return Severity::Note;
    }
}

void examineTokenizer(const std::shared_ptr<const gguf::GgufFile>& file, Verdict& verdict)
{
    if (!hasVocabularyKeys(*file)) {
        verdict.runs = false;
        verdict.problems.push_back({ Severity::Note,
                                     { ErrorCode::MissingKey,
                                       {},
                                       { file->path(), std::nullopt, "tokenizer.ggml.tokens" } } });
        return;
    }
    auto loaded = text::Tokenizer::load(file);
    if (!loaded) {
        verdict.runs = false;
        verdict.problems.push_back({ Severity::Error, loaded.error() });
        return;
    }
    verdict.problems.insert(verdict.problems.end(), loaded->warnings.begin(),
                            loaded->warnings.end());
    const auto chatTemplate = chat::ChatTemplate::forVocabulary(loaded->tokenizer->vocabulary());
    if (!chatTemplate) {
        verdict.problems.push_back({ Severity::Warning, chatTemplate.error() });
    }
}

void examineWeights(const gguf::GgufFile& file, Verdict& verdict)
{
    const auto refuse = [&](Severity severity, Error error) {
        verdict.runs = false;
        verdict.problems.push_back({ severity, std::move(error) });
    };
    const auto weighty = requireWeights(file);
    if (!weighty) {
        refuse(Severity::Note, weighty.error());
    }
    const auto hparams = readHparams(file);
    if (!hparams) {
        refuse(severityOf(hparams.error().code), hparams.error());
        return;
    }
    if (!weighty) {
        return;
    }
    WeightBinder binder(file);
    Weights weights;
    architecture(hparams->architecture)->bind(binder, *hparams, weights);
    if (const auto bound = binder.result(); !bound) {
        refuse(severityOf(bound.error().code), bound.error());
    }
}

} // namespace

Verdict examine(const std::string& path)
{
    Verdict verdict;
    const auto file = gguf::GgufFile::open(path);
    if (!file) {
        verdict.problems.push_back({ Severity::Error, file.error() });
        return verdict;
    }
    verdict.opens = true;
    verdict.problems.assign((*file)->problems().begin(), (*file)->problems().end());
    verdict.runs = (*file)->loads();
    if (verdict.runs) {
        examineTokenizer(*file, verdict);
        examineWeights(**file, verdict);
    }
    verdict.loads = true;
    for (const auto& problem : verdict.problems) {
        verdict.loads = verdict.loads && problem.severity != Severity::Error;
    }
    return verdict;
}

} // namespace engine::model
