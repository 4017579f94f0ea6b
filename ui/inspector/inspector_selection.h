// What is selected in the file, everywhere on the page at once, and the way that led there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <vector>

/// A stretch of bytes, with the tensor or metadata entry it belongs to. Lives on the GUI thread.
///
/// Selecting is a visit: `back` returns to the place before. Moving (a cursor with the arrow keys,
/// a drag) changes the place without adding one.
class InspectorSelection : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    Q_PROPERTY(double offset READ offset NOTIFY changed)
    /// 0 when nothing is selected.
    Q_PROPERTY(double size READ size NOTIFY changed)
    /// The tensor whose weights or directory entry it lies in; -1 for none.
    Q_PROPERTY(int tensor READ tensor NOTIFY changed)
    /// The metadata entry it lies in; -1 for none.
    Q_PROPERTY(int metadata READ metadata NOTIFY changed)
    Q_PROPERTY(bool canGoBack READ canGoBack NOTIFY changed)
    Q_PROPERTY(bool canGoForward READ canGoForward NOTIFY changed)

public:
    using File = std::shared_ptr<const engine::gguf::GgufFile>;

    explicit InspectorSelection(QObject* parent = nullptr);

    /// `again`: the same file read anew; what is selected is found in it by its name.
    void setFile(const File& file, bool again);

    [[nodiscard]] double offset() const { return static_cast<double>(m_place.offset); }
    [[nodiscard]] double size() const { return static_cast<double>(m_place.size); }
    [[nodiscard]] engine::gguf::ByteSpan span() const { return { m_place.offset, m_place.size }; }
    [[nodiscard]] int tensor() const { return m_place.tensor; }
    [[nodiscard]] int metadata() const { return m_place.metadata; }
    [[nodiscard]] bool canGoBack() const { return m_at > 0; }
    [[nodiscard]] bool canGoForward() const { return m_at + 1 < m_history.size(); }

    /// Cut at the end of the file.
    Q_INVOKABLE void selectBytes(double offset, double size);
    /// The same without a visit.
    Q_INVOKABLE void move(double offset, double size);
    /// Its weights; its directory entry where it has none in the file.
    Q_INVOKABLE void selectTensor(int tensor);
    Q_INVOKABLE void selectMetadata(int metadata);
    /// The same without a visit (a list under the arrow keys).
    Q_INVOKABLE void browseTensor(int tensor);
    Q_INVOKABLE void browseMetadata(int metadata);
    Q_INVOKABLE void clear();
    Q_INVOKABLE void back();
    Q_INVOKABLE void forward();

    /// The byte at `offset` (in the file that it names, else in all of it), else the tensor or
    /// metadata key of that name. False when there is neither.
    bool selectPlace(const engine::Where& where);

Q_SIGNALS:
    void changed();

private:
    struct Place
    {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        int tensor = -1;
        int metadata = -1;
        friend bool operator==(const Place&, const Place&) = default;
    };
    struct Owned
    {
        engine::gguf::ByteSpan span;
        int number;
    };

    [[nodiscard]] Place placeAt(double offset, double size) const;
    /// Nothing for a number that there isn't.
    [[nodiscard]] Place placeOfTensor(int tensor) const;
    [[nodiscard]] Place placeOfMetadata(int metadata) const;
    [[nodiscard]] Place placeAfter(const File& before) const;
    void visit(const Place& place);
    void browse(const Place& place);
    void show(const Place& place);

    File m_file;
    std::vector<Owned> m_weights; ///< by offset
    Place m_place;
    QList<Place> m_history;
    qsizetype m_at = -1; ///< m_place in the history
};
