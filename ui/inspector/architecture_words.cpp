#include "ui/inspector/architecture_words.h"

#include "app/services/error_message.h"
#include "ui/inspector/figures.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include <algorithm>

using engine::gguf::GgufFile;
using engine::gguf::TensorInfo;
using engine::model::Outline;
using engine::model::OutlinedTensor;
using engine::model::OutlineSection;
using engine::model::Part;
using engine::model::TensorState;

namespace architecture_words {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Architecture", text);
}

QString counted(std::size_t number, const char* one, const char* many)
{
    return number == 1 ? tr(one) : tr(many).arg(figures::count(number));
}

/// "2 missing, 1 not used"; empty without any.
QString oddities(std::size_t missing, std::size_t wrong, std::size_t unused, bool byPeers)
{
    QStringList all;
    if (missing > 0) {
        all << (byPeers ? tr("%1 lacking") : tr("%1 missing")).arg(figures::count(missing));
    }
    if (wrong > 0) {
        all << tr("%1 unusable").arg(figures::count(wrong));
    }
    if (unused > 0) {
        all << (byPeers ? tr("%1 extra") : tr("%1 not used")).arg(figures::count(unused));
    }
    return all.join(QStringLiteral(", "));
}

bool isByPeers(const Outline& outline)
{
    return outline.measure == Outline::Measure::Peers
        || outline.measure == Outline::Measure::PeersForUnknownKind
        || outline.measure == Outline::Measure::PeersForFaultyMetadata;
}

QString caveatOf(const Outline& outline, const QString& why)
{
    return outline.isComparable ? tr("%1; its blocks are compared with each other.").arg(why)
                                : tr("%1, so nothing is marked.").arg(why);
}

const TensorInfo* infoOf(const GgufFile& file, const OutlinedTensor& tensor)
{
    return tensor.number < 0 ? nullptr : &file.tensors()[static_cast<std::size_t>(tensor.number)];
}

QString stackSuffix(const OutlineSection& section)
{
    return section.stack.empty() ? QString()
                                 : QStringLiteral(" (%1)").arg(figures::printable(section.stack));
}

QString needed(const OutlinedTensor& tensor)
{
    return tensor.rows == 1 ? figures::count(tensor.columns)
                            : QStringLiteral("%1 × %2").arg(figures::count(tensor.columns),
                                                            figures::count(tensor.rows));
}

/// What is wrong, without what to do: that is the doctor's part.
QString complaint(const OutlinedTensor& tensor)
{
    switch (tensor.state) {
    case TensorState::Missing:
        return tr("missing: the architecture needs it, with the shape %1").arg(needed(tensor));
    case TensorState::Wrong: {
        engine::Error error = *tensor.fault;
        error.where = {}; // the name stands in front
        return app::errorMessage(error).what;
    }
    case TensorState::Unused:
        return tr("not used: the architecture has no place for it");
    case TensorState::Shared:
        return tr("not in the file: the token embedding serves here, too");
    case TensorState::Lacking:
        return tr("not in the file, though nearly all other blocks have it");
    case TensorState::Beyond:
        return tr("nearly no other block has it");
    case TensorState::Unmarked:
    case TensorState::Fits:
        break;
    }
    return {};
}

} // namespace

QString summary(const Outline& outline)
{
    QStringList facts;
    if (!outline.architecture.empty()) {
        facts << figures::printable(outline.architecture, 32);
    }
    if (outline.blocks > 0) {
        facts << counted(outline.blocks, "1 block", "%1 blocks");
    }
    facts << counted(outline.tensors, "1 tensor", "%1 tensors");
    const QString odd =
        oddities(outline.missing, outline.wrong, outline.unused, isByPeers(outline));
    if (!odd.isEmpty()) {
        facts << odd;
    } else if (outline.measure == Outline::Measure::Architecture) {
        facts << tr("all that it needs is there");
    }
    return facts.join(QStringLiteral(" · "));
}

QString caveat(const Outline& outline)
{
    const QString name = figures::printable(outline.architecture, 32);
    switch (outline.measure) {
    case Outline::Measure::None:
    case Outline::Measure::Architecture:
        break;
    case Outline::Measure::Peers:
        return caveatOf(outline,
                        name.isEmpty() ? tr("The file names no architecture")
                                       : tr("Vitrine doesn't know what %1 needs").arg(name));
    case Outline::Measure::PeersForUnknownKind:
        return caveatOf(outline, tr("Vitrine doesn't know what this kind of %1 needs").arg(name));
    case Outline::Measure::PeersForFaultyMetadata:
        return caveatOf(outline, tr("The metadata don't tell the sizes that %1 needs").arg(name));
    case Outline::Measure::NoWholeModel:
        return tr("This is no whole model, so nothing in it can be called missing.");
    }
    return {};
}

QString title(const OutlineSection& section)
{
    switch (section.kind) {
    case OutlineSection::Kind::Input:
        return tr("Input");
    case OutlineSection::Kind::Block:
        return tr("Block %1").arg(section.block) + stackSuffix(section);
    case OutlineSection::Kind::Output:
        return tr("Output");
    case OutlineSection::Kind::Other:
        break;
    }
    return tr("Others");
}

QString foldTitle(const OutlineSection& first, const OutlineSection& last)
{
    return tr("Blocks %1 – %2: the same").arg(first.block).arg(last.block) + stackSuffix(first);
}

QString note(const GgufFile& file, const OutlineSection& section)
{
    std::size_t tensors = 0;
    quint64 bytes = 0;
    std::size_t missing = 0;
    std::size_t wrong = 0;
    std::size_t unused = 0;
    bool byPeers = false;
    for (const auto& part : section.parts) {
        for (const OutlinedTensor& tensor : part.tensors) {
            const TensorState state = tensor.state;
            const TensorInfo* info = state == TensorState::Shared ? nullptr : infoOf(file, tensor);
            tensors += info != nullptr ? 1 : 0;
            bytes += info != nullptr ? info->data.size : 0;
            missing += state == TensorState::Missing || state == TensorState::Lacking ? 1 : 0;
            wrong += state == TensorState::Wrong ? 1 : 0;
            unused += state == TensorState::Unused || state == TensorState::Beyond ? 1 : 0;
            byPeers = byPeers || state == TensorState::Lacking || state == TensorState::Beyond;
        }
    }
    QStringList facts { oddities(missing, wrong, unused, byPeers) };
    facts << (tensors == 0 ? tr("no tensor")
                           : QStringLiteral("%1, %2").arg(
                               counted(tensors, "1 tensor", "%1 tensors"), figures::size(bytes)));
    facts.removeAll(QString());
    return facts.join(QStringLiteral(" · "));
}

QString part(Part part)
{
    switch (part) {
    case Part::Attention:
        return tr("Attention");
    case Part::StateSpace:
        return tr("State space");
    case Part::FeedForward:
        return tr("Feed-forward");
    case Part::Experts:
        return tr("Experts");
    case Part::Input:
    case Part::Output:
    case Part::Other:
        break;
    }
    return {};
}

QString shortState(const GgufFile& file, const OutlinedTensor& tensor)
{
    switch (tensor.state) {
    case TensorState::Missing:
        return tr("missing");
    case TensorState::Lacking:
        return tr("not here");
    case TensorState::Shared:
        return tr("= token_embd");
    case TensorState::Wrong:
        return tensor.fault->code == engine::ErrorCode::WrongTensorShape ? tr("wrong shape")
                                                                         : tr("unusable");
    case TensorState::Unused:
        return tr("not used");
    case TensorState::Beyond:
        return tr("only here");
    case TensorState::Unmarked:
    case TensorState::Fits:
        break;
    }
    const TensorInfo* info = infoOf(file, tensor);
    return info != nullptr ? figures::type(*info) : QString();
}

QString sentence(const GgufFile& file, const OutlinedTensor& tensor)
{
    QStringList facts { figures::printable(tensor.name), complaint(tensor) };
    const TensorInfo* info = infoOf(file, tensor);
    if (info != nullptr && tensor.state != TensorState::Shared) {
        facts << figures::shape(*info) << figures::type(*info) << figures::size(info->data.size);
    }
    facts.removeAll(QString());
    return facts.join(QStringLiteral(" · "));
}

} // namespace architecture_words
