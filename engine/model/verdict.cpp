#include "engine/model/verdict.h"

#include "engine/gguf/joined_file.h"
#include "engine/gguf/printable.h"
#include "engine/gguf/splits.h"
#include "engine/model/content_check.h"
#include "engine/model/file_kind.h"
#include "engine/model/hparams.h"
#include "engine/model/tensor_fit.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocabulary_check.h"

#include <algorithm>
#include <set>

namespace engine::model {

namespace {

using gguf::Problem;
using gguf::Severity;

constexpr std::size_t kMaxListedTensors = 50;

bool hasVocabularyKeys(const gguf::GgufFile& file)
{
    return std::ranges::any_of(file.metadata(), [](const auto& entry) {
        return entry.key.starts_with("tokenizer.ggml.");
    });
}

/// A whole language model, of which everything can be asked: no vocabulary, adapter, projector or
/// part.
bool isWholeModel(const gguf::GgufFile& file)
{
    const auto* type = file.find("general.type");
    const bool isModel = !type || type->asText().value_or("model") == "model";
    return isModel && requireWeights(file) && file.findTensor("token_embd.weight");
}

bool isError(const Problem& problem)
{
    return problem.severity == Severity::Error;
}

class Diagnosis
{
public:
    /// `file`: all parts as one, else the part that has the metadata.
    Diagnosis(const gguf::SplitFile& set, std::shared_ptr<const gguf::GgufFile> file)
        : m_file(std::move(file))
        , m_isWhole(isWholeModel(*m_file))
        , m_isForeign(foreignKind(*m_file).has_value())
    {
        m_verdict.opens = true;
        m_verdict.problems.assign(set.problems().begin(), set.problems().end());
        const auto first = std::ranges::find_if(m_verdict.problems, isError);
        m_verdict.runs = first == m_verdict.problems.end();
        if (!m_verdict.runs) {
            m_verdict.obstacle = first->error;
        }
    }

    Verdict run()
    {
        if (m_verdict.runs) { // a broken container has nothing to say about its contents
            examineWeights();
            examineTokenizer();
            addNew(text::checkVocabulary(
                *m_file, m_hasTokenizer ? text::Repeats::Leave : text::Repeats::Find));
            addNew(checkContent(*m_file));
        }
        m_verdict.loads = !hasErrors();
        return std::move(m_verdict);
    }

private:
    [[nodiscard]] bool hasErrors() const
    {
        return std::ranges::any_of(m_verdict.problems, isError);
    }

    /// A value that cannot be true, and what a whole model lacks, is an error of the file; what
    /// this version lacks is only a note about it.
    [[nodiscard]] Severity severityOf(ErrorCode code) const
    {
        switch (code) {
        case ErrorCode::BadKeyValue:
        case ErrorCode::WrongKeyType:
        case ErrorCode::WrongTensorShape:
        case ErrorCode::VocabularyMismatch:
            return Severity::Error;
        case ErrorCode::MissingKey:
        case ErrorCode::MissingTensor:
            return m_isWhole ? Severity::Error : Severity::Note;
        default:
            return Severity::Note;
        }
    }

    void add(Severity severity, ErrorCode code, std::vector<std::string> arguments, Where where)
    {
        m_verdict.problems.push_back(
            { severity, { code, std::move(arguments), std::move(where) } });
    }

    void refuse(Severity severity, const Error& error)
    {
        m_verdict.runs = false;
        if (!m_verdict.obstacle) {
            m_verdict.obstacle = error;
        }
        m_verdict.problems.push_back({ severity, error });
    }

    /// Those that nobody has told yet.
    void addNew(std::vector<Problem> problems)
    {
        for (Problem& problem : problems) {
            const bool isKnown = std::ranges::any_of(m_verdict.problems, [&](const Problem& other) {
                return other.error.code == problem.error.code
                    && other.error.where.subject == problem.error.where.subject;
            });
            if (!isKnown) {
                m_verdict.problems.push_back(std::move(problem));
            }
        }
    }

    void examineTokenizer()
    {
        if (!hasVocabularyKeys(*m_file)) {
            if (m_isForeign) {
                return; // no text goes in there
            }
            refuse(Severity::Note,
                   { ErrorCode::MissingKey,
                     {},
                     { m_file->path(), std::nullopt, "tokenizer.ggml.tokens" } });
            return;
        }
        auto loaded = text::Tokenizer::load(m_file);
        if (!loaded) {
            const bool isLack = loaded.error().code == ErrorCode::TokenizerModelUnsupported;
            refuse(isLack ? Severity::Note : Severity::Error, loaded.error());
            return;
        }
        m_hasTokenizer = true;
        addNew(std::move(loaded->warnings));
        examineVocabularySize(loaded->tokenizer->vocabulary());
    }

    /// Every token needs its row.
    void examineVocabularySize(const text::Vocabulary& vocabulary)
    {
        const auto* embedding = m_file->findTensor("token_embd.weight");
        const auto tokens = static_cast<std::uint64_t>(vocabulary.size());
        if (embedding && m_isWhole && tokens > embedding->rows()) {
            refuse(Severity::Error,
                   { ErrorCode::VocabularyMismatch,
                     { std::to_string(tokens), std::to_string(embedding->rows()) },
                     m_file->placeOf(embedding->entry.offset, "token_embd.weight") });
        }
    }

    void examineWeights()
    {
        const auto faults = hparamFaults(*m_file); // what it is at all comes first
        for (const Error& fault : faults) {
            refuse(severityOf(fault.code), fault);
        }
        const auto weighty = requireWeights(*m_file);
        if (!weighty) {
            refuse(Severity::Note, weighty.error());
        }
        if (!weighty || !faults.empty()) {
            return;
        }
        const auto hparams = readHparams(*m_file);
        examineFit(fitTensors(*m_file, *hparams), hparams->architecture);
    }

    void examineFit(const TensorFit& fit, const std::string& architectureName)
    {
        std::set<std::vector<std::string>> types; // one note a type says enough
        std::size_t listed = 0;
        std::size_t omitted = 0;
        for (const Error& error : fit.errors) {
            if (error.code == ErrorCode::UnsupportedTensorType
                && !types.insert(error.arguments).second) {
                continue;
            }
            if (listed++ < kMaxListedTensors) {
                refuse(severityOf(error.code), error);
            } else {
                ++omitted;
            }
        }
        if (omitted > 0) {
            add(Severity::Note, ErrorCode::GgufProblemsOmitted, { std::to_string(omitted) },
                { .file = m_file->path() });
        }
        if (!fit.unused.empty()) {
            const auto& first = *fit.unused.front();
            add(Severity::Warning, ErrorCode::TensorsUnused,
                { std::to_string(fit.unused.size()), architectureName },
                m_file->placeOf(first.entry.offset, gguf::printable(first.name)));
        }
    }

    std::shared_ptr<const gguf::GgufFile> m_file;
    bool m_isWhole;
    bool m_isForeign; ///< no language model
    bool m_hasTokenizer = false;
    Verdict m_verdict;
};

} // namespace

Verdict diagnose(const std::shared_ptr<const gguf::GgufFile>& file, const DiagnoseOptions& options)
{
    const auto set = gguf::SplitFile::of(file);
    // The first part has the metadata of all: enough where they cannot be joined.
    const auto& first = set->shards().front().file;
    const auto whole = file->set() ? file : gguf::joined(set).value_or(first ? first : file);
    Verdict verdict = Diagnosis(*set, whole).run();
    if (options.scan && verdict.loads) {
        options.scan(*whole, verdict.problems);
        verdict.loads = std::ranges::none_of(verdict.problems, isError);
    }
    return verdict;
}

Verdict examine(const std::string& path, const DiagnoseOptions& options)
{
    const auto file = gguf::openJoined(path);
    if (!file) {
        return { .problems = { { Severity::Error, file.error() } } };
    }
    return diagnose(*file, options);
}

} // namespace engine::model
