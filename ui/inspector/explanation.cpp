#include "ui/inspector/explanation.h"

#include "ui/inspector/figures.h"
#include "ui/inspector/format_strip.h"
#include "ui/inspector/key_words.h"
#include "ui/inspector/section_words.h"
#include "ui/inspector/type_words.h"
#include "ui/inspector/value_words.h"

#include <QtCore/QVariantMap>

using engine::gguf::Section;
using engine::gguf::TensorInfo;

namespace {

QVariantMap part(const QString& title, const Words& words, const format_strip::Parts& strip = {})
{
    return { { QStringLiteral("title"), title },
             { QStringLiteral("text"), words.text },
             { QStringLiteral("mistake"), words.mistake },
             { QStringLiteral("strip"), format_strip::listed(strip) } };
}

} // namespace

Explanation::Explanation(const HexViewModel& hex, QObject* parent)
    : QObject(parent)
    , m_hex(hex)
{
    connect(&hex, &HexViewModel::fileChanged, this, &Explanation::follow);
    connect(&hex.selection(), &InspectorSelection::changed, this, &Explanation::follow);
}

QString Explanation::brief() const
{
    return m_parts.isEmpty() ? QString()
                             : m_parts.constFirst().toMap()[QStringLiteral("text")].toString();
}

void Explanation::follow()
{
    const QVariantList before = std::exchange(m_parts, {});
    const auto& file = m_hex.file();
    const InspectorSelection& selection = m_hex.selection();
    const auto span = selection.span();
    const auto entry = static_cast<std::size_t>(selection.metadata());
    const auto tensor = static_cast<std::size_t>(selection.tensor());
    const Section* section = m_hex.finder().sectionAt(span.offset);
    if (!file) {
        // Nothing to explain.
    } else if (span.size == 0) {
        explainFile(*file);
    } else if (selection.metadata() >= 0 && entry < file->metadata().size()) {
        explainEntry(file->metadata()[entry]);
    } else if (selection.tensor() >= 0 && tensor < file->tensors().size()) {
        explainTensor(file->tensors()[tensor], section);
    } else if (section != nullptr) {
        explainSection(*file, *section);
    }
    if (m_parts != before) {
        Q_EMIT changed();
    }
}

void Explanation::explainEntry(const engine::gguf::MetadataEntry& entry)
{
    const auto type = entry.value.type();
    m_parts << part(figures::printable(entry.key), key_words::about(entry.key));
    m_parts << part(value_words::title(type), value_words::about(type), format_strip::entry(entry));
    if (type == engine::gguf::ValueType::Array) {
        const auto element = entry.value.elementType();
        m_parts << part(value_words::title(element), value_words::about(element));
    }
}

void Explanation::explainTensor(const TensorInfo& tensor, const Section* section)
{
    const QVariantMap type =
        part(tr("Tensor type %1: %2").arg(tensor.typeNumber).arg(figures::type(tensor)),
             type_words::about(tensor.typeNumber), format_strip::block(tensor.typeNumber));
    if (section != nullptr && section->kind == Section::Kind::Directory) {
        m_parts << part(section_words::title(section->kind), section_words::about(section->kind),
                        format_strip::directoryEntry(tensor))
                << type;
        return;
    }
    m_parts << type;
    if (section != nullptr) {
        m_parts << part(section_words::title(section->kind), section_words::about(section->kind));
    }
}

void Explanation::explainSection(const File& file, const Section& section)
{
    m_parts << part(section_words::title(section.kind), section_words::about(section.kind),
                    section.kind == Section::Kind::Header ? format_strip::header(file.header())
                                                          : format_strip::Parts());
}

void Explanation::explainFile(const File& file)
{
    m_parts << part(tr("A GGUF file"), section_words::aboutTheFile(), format_strip::file(file));
}
