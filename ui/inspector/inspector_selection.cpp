#include "ui/inspector/inspector_selection.h"

#include <algorithm>
#include <utility>

using engine::gguf::ByteSpan;

namespace {

constexpr qsizetype kKeptPlaces = 200;

/// The one of ascending spans that holds `offset`; -1 for none.
template <typename List, typename SpanOf>
int ownerOf(const List& list, std::uint64_t offset, const SpanOf& spanOf)
{
    const auto after =
        std::upper_bound(list.begin(), list.end(), offset, [&](std::uint64_t at, const auto& each) {
            return at < spanOf(each).offset;
        });
    if (after == list.begin() || offset >= spanOf(*(after - 1)).end()) {
        return -1;
    }
    return static_cast<int>(after - list.begin()) - 1;
}

/// The weights that are there: a part that was cut does not reach into the next.
ByteSpan inItsPart(const engine::gguf::GgufFile& file, const engine::gguf::TensorInfo& tensor)
{
    const auto* part = file.partAt(tensor.entry.offset);
    ByteSpan span = tensor.data;
    if (part != nullptr && span.offset < part->span.end()) {
        span.size = std::min(span.size, part->span.end() - span.offset);
    }
    return span;
}

} // namespace

InspectorSelection::InspectorSelection(QObject* parent)
    : QObject(parent)
{
}

void InspectorSelection::setFile(const File& file, bool again)
{
    const File before = std::exchange(m_file, file);
    m_weights.clear();
    if (file) {
        const auto tensors = file->tensors();
        for (std::size_t at = 0; at < tensors.size(); ++at) {
            if (tensors[at].data.size > 0) {
                m_weights.push_back({ inItsPart(*file, tensors[at]), static_cast<int>(at) });
            }
        }
        std::stable_sort(m_weights.begin(), m_weights.end(), [](const Owned& a, const Owned& b) {
            return a.span.offset < b.span.offset;
        });
    }
    const Place place = again && before && file ? placeAfter(before) : Place {};
    m_history = place.size > 0 ? QList<Place> { place } : QList<Place> {};
    m_at = m_history.size() - 1;
    m_place = place;
    Q_EMIT changed();
}

InspectorSelection::Place InspectorSelection::placeAfter(const File& before) const
{
    const auto indexOf = [](const auto& list, const auto* item) {
        return item == nullptr ? -1 : static_cast<int>(item - list.data());
    };
    if (m_place.tensor >= 0) {
        const auto& old = before->tensors()[static_cast<std::size_t>(m_place.tensor)];
        const int number = indexOf(m_file->tensors(), m_file->findTensor(old.name));
        Place place = number >= 0 ? placeOfTensor(number) : Place {};
        const ByteSpan was = old.data;
        if (number >= 0 && m_place.offset >= was.offset && m_place.size < was.size) {
            const std::uint64_t into = m_place.offset - was.offset;
            place = into < place.size ? placeAt(static_cast<double>(place.offset + into),
                                                static_cast<double>(m_place.size))
                                      : place;
        }
        return place;
    }
    if (m_place.metadata >= 0) {
        const auto key = before->metadata()[static_cast<std::size_t>(m_place.metadata)].key;
        const auto entries = m_file->metadata();
        const auto found = std::find_if(entries.begin(), entries.end(),
                                        [key](const auto& entry) { return entry.key == key; });
        return found == entries.end() ? Place {}
                                      : placeOfMetadata(static_cast<int>(found - entries.begin()));
    }
    return placeAt(offset(), size());
}

InspectorSelection::Place InspectorSelection::placeAt(double offset, double size) const
{
    const auto whole = static_cast<double>(m_file ? m_file->bytes().size() : 0);
    if (!m_file || !(offset >= 0) || !(size > 0) || offset >= whole) {
        return {};
    }
    Place place { static_cast<std::uint64_t>(offset),
                  static_cast<std::uint64_t>(std::min(size, whole - offset)) };
    place.metadata = ownerOf(m_file->metadata(), place.offset,
                             [](const auto& entry) -> const ByteSpan& { return entry.span; });
    if (place.metadata < 0) {
        place.tensor = ownerOf(m_file->tensors(), place.offset,
                               [](const auto& tensor) -> const ByteSpan& { return tensor.entry; });
    }
    if (place.metadata < 0 && place.tensor < 0) {
        const int at = ownerOf(m_weights, place.offset,
                               [](const auto& owned) -> const ByteSpan& { return owned.span; });
        place.tensor = at < 0 ? -1 : m_weights[static_cast<std::size_t>(at)].number;
    }
    return place;
}

InspectorSelection::Place InspectorSelection::placeOfTensor(int tensor) const
{
    if (!m_file || tensor < 0 || tensor >= static_cast<int>(m_file->tensors().size())) {
        return {};
    }
    const auto& info = m_file->tensors()[static_cast<std::size_t>(tensor)];
    const ByteSpan span = m_file->data(info).empty() ? info.entry : info.data;
    return { span.offset, span.size, tensor, -1 };
}

InspectorSelection::Place InspectorSelection::placeOfMetadata(int metadata) const
{
    if (!m_file || metadata < 0 || metadata >= static_cast<int>(m_file->metadata().size())) {
        return {};
    }
    const ByteSpan span = m_file->metadata()[static_cast<std::size_t>(metadata)].span;
    return { span.offset, span.size, -1, metadata };
}

void InspectorSelection::selectBytes(double offset, double size)
{
    visit(placeAt(offset, size));
}

void InspectorSelection::move(double offset, double size)
{
    browse(placeAt(offset, size));
}

void InspectorSelection::selectTensor(int tensor)
{
    visit(placeOfTensor(tensor));
}

void InspectorSelection::selectMetadata(int metadata)
{
    visit(placeOfMetadata(metadata));
}

void InspectorSelection::browseTensor(int tensor)
{
    browse(placeOfTensor(tensor));
}

void InspectorSelection::browseMetadata(int metadata)
{
    browse(placeOfMetadata(metadata));
}

bool InspectorSelection::selectPlace(const engine::Where& where)
{
    if (!m_file) {
        return false;
    }
    const auto offset = where.file.empty() ? where.offset : m_file->offsetOf(where);
    if (offset && *offset < m_file->bytes().size()) {
        visit(placeAt(static_cast<double>(*offset), 1));
        return true;
    }
    if (const auto* tensor = where.subject.empty() ? nullptr : m_file->findTensor(where.subject)) {
        selectTensor(static_cast<int>(tensor - m_file->tensors().data()));
        return true;
    }
    const auto entries = m_file->metadata();
    const auto found = std::find_if(entries.begin(), entries.end(), [&where](const auto& entry) {
        return entry.key == where.subject;
    });
    if (where.subject.empty() || found == entries.end()) {
        return false;
    }
    selectMetadata(static_cast<int>(found - entries.begin()));
    return true;
}

void InspectorSelection::clear()
{
    show({});
}

void InspectorSelection::visit(const Place& place)
{
    if (place.size == 0 || place == m_place) {
        return;
    }
    m_history.resize(m_at + 1);
    m_history << place;
    if (m_history.size() > kKeptPlaces) {
        m_history.removeFirst();
    }
    m_at = m_history.size() - 1;
    show(place);
}

void InspectorSelection::browse(const Place& place)
{
    if (m_at < 0) {
        visit(place);
    } else if (place.size > 0) {
        m_history[m_at] = place;
        show(place);
    }
}

void InspectorSelection::back()
{
    if (canGoBack()) {
        show(m_history.at(--m_at));
    }
}

void InspectorSelection::forward()
{
    if (canGoForward()) {
        show(m_history.at(++m_at));
    }
}

void InspectorSelection::show(const Place& place)
{
    if (place != m_place) {
        m_place = place;
        Q_EMIT changed();
    }
}
