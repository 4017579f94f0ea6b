#include "ui/inspector/metadata_detail.h"

#include "ui/inspector/figures.h"
#include "ui/inspector/metadata_words.h"

using engine::gguf::MetadataEntry;
using engine::gguf::ValueType;

namespace {

constexpr std::size_t kShownText = 256 * 1024; // more makes the text field slow

} // namespace

MetadataDetail::MetadataDetail(const InspectorSelection& selection, QObject* parent)
    : QObject(parent)
    , m_selection(selection)
{
    connect(&selection, &InspectorSelection::changed, this, [this] {
        if (m_selection.metadata() != m_entry) {
            follow();
        }
    });
}

void MetadataDetail::setFile(const ArrayIndex::File& file)
{
    m_file = file;
    m_vocabulary.reset();
    follow();
}

void MetadataDetail::setVocabulary(std::shared_ptr<const ArrayIndex> vocabulary)
{
    m_vocabulary = std::move(vocabulary);
    Q_EMIT changed();
}

void MetadataDetail::follow()
{
    m_entry = m_selection.metadata();
    m_elements.setArray(m_file, current() != nullptr ? m_entry : -1);
    Q_EMIT changed();
}

const MetadataEntry* MetadataDetail::current() const
{
    return m_file && m_entry >= 0 && m_entry < static_cast<int>(m_file->metadata().size())
        ? &m_file->metadata()[static_cast<std::size_t>(m_entry)]
        : nullptr;
}

QString MetadataDetail::key() const
{
    const auto* entry = current();
    return entry != nullptr ? figures::printable(entry->key) : QString();
}

QString MetadataDetail::typeText() const
{
    const auto* entry = current();
    return entry != nullptr ? figures::type(entry->value) : QString();
}

QString MetadataDetail::place() const
{
    const auto* entry = current();
    return entry != nullptr
        ? tr("%1 at %2")
              .arg(figures::bytes(entry->span.size), figures::place(*m_file, entry->span.offset))
        : QString();
}

QString MetadataDetail::note() const
{
    const auto* entry = current();
    return entry != nullptr ? metadata::note(*entry, m_vocabulary.get()) : QString();
}

QString MetadataDetail::valueText() const
{
    const auto* entry = current();
    if (entry == nullptr || isArray()) {
        return {};
    }
    const auto text = entry->value.asText();
    if (!text) {
        return QString::fromStdString(entry->value.display());
    }
    const auto shown = text->substr(0, kShownText);
    QString decoded = QString::fromUtf8(shown.data(), static_cast<qsizetype>(shown.size()));
    return decoded.replace(QChar(0), QChar(0x2400)); // ends a text in many places
}

QString MetadataDetail::cutNote() const
{
    const auto* entry = current();
    const auto text = entry != nullptr ? entry->value.asText() : std::nullopt;
    return text && text->size() > kShownText
        ? tr("The first %1 of %2. Save the value to see the rest.")
              .arg(figures::size(kShownText), figures::size(text->size()))
        : QString();
}

bool MetadataDetail::isArray() const
{
    const auto* entry = current();
    return entry != nullptr && entry->value.type() == ValueType::Array;
}

bool MetadataDetail::isChatTemplate() const
{
    const auto* entry = current();
    return entry != nullptr && entry->key.starts_with("tokenizer.chat_template");
}
