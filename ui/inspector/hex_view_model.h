// The bytes of the file under a cursor: moving, naming, reading, searching, copying.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/latest_task.h"
#include "ui/inspector/field_finder.h"
#include "ui/inspector/inspector_selection.h"

#include <QtCore/QObject>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <optional>
#include <span>

/// Lives on the GUI thread; the selection outlives it. Searching runs on another thread.
class HexViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    Q_PROPERTY(double fileSize READ fileSize NOTIFY fileChanged)
    /// A set of files: offsets count in each of them.
    Q_PROPERTY(bool inParts READ isInParts NOTIFY fileChanged)
    Q_PROPERTY(double cursor READ cursor NOTIFY cursorChanged)
    Q_PROPERTY(QString cursorText READ cursorText NOTIFY cursorChanged)
    /// The field under the cursor: "general.alignment: type of the value", and what it holds.
    Q_PROPERTY(QString fieldName READ fieldName NOTIFY cursorChanged)
    Q_PROPERTY(QString fieldValue READ fieldValue NOTIFY cursorChanged)
    /// The bytes under the cursor as each type: maps of name, little and big.
    Q_PROPERTY(QVariantList readings READ readings NOTIFY cursorChanged)
    Q_PROPERTY(QString selectionText READ selectionText NOTIFY cursorChanged)
    Q_PROPERTY(bool searching READ isSearching NOTIFY searchChanged)
    Q_PROPERTY(double searchFraction READ searchFraction NOTIFY searchChanged)
    /// What the latest search, jump or copy came to, where it did not do what was asked.
    Q_PROPERTY(QString note READ note NOTIFY noteChanged)

public:
    enum Form { Hex, CArray, Python, Text };
    Q_ENUM(Form)
    static constexpr int kRowBytes = 16;
    /// More is no clipboard's work.
    static constexpr quint64 kMostCopied = 1 << 20;

    explicit HexViewModel(InspectorSelection& selection, QObject* parent = nullptr);

    void setFile(const FieldFinder::File& file);
    [[nodiscard]] const FieldFinder::File& file() const { return m_file; }
    [[nodiscard]] const FieldFinder& finder() const { return m_finder; }
    [[nodiscard]] const InspectorSelection& selection() const { return m_selection; }

    [[nodiscard]] double fileSize() const { return static_cast<double>(bytes().size()); }
    [[nodiscard]] bool isInParts() const { return m_file && m_file->hasSeveralFiles(); }
    [[nodiscard]] double cursor() const { return static_cast<double>(m_cursor); }
    [[nodiscard]] QString cursorText() const;
    [[nodiscard]] const Field& field() const { return m_field; }
    [[nodiscard]] const QString& fieldName() const { return m_field.name; }
    [[nodiscard]] const QString& fieldValue() const { return m_field.value; }
    [[nodiscard]] QVariantList readings() const;
    [[nodiscard]] QString selectionText() const;
    [[nodiscard]] bool isSearching() const { return m_search.isRunning(); }
    [[nodiscard]] double searchFraction() const { return m_search.fraction(); }
    [[nodiscard]] const QString& note() const { return m_note; }

    /// "0x0000_0800", "2:0x0000_0800" in the second file of a set.
    [[nodiscard]] QString addressOf(quint64 offset) const;

    /// By so many bytes, kept within the file. `extend`: the bytes on the way are selected.
    Q_INVOKABLE void moveBy(double bytes, bool extend);
    Q_INVOKABLE void moveTo(double offset, bool extend);
    /// A visit to "1024", "0x400", "+16" or "-16"; in a set of files offsets count in the part
    /// under the cursor, "2:0x400" in the second. False, with a note, for what is no place.
    Q_INVOKABLE bool goTo(const QString& text);
    /// A visit to a byte.
    Q_INVOKABLE void visit(double offset) { m_selection.selectBytes(offset, 1); }
    /// See searchPattern; from behind (or before) the cursor on, around the end of the file.
    Q_INVOKABLE void find(const QString& text, bool forward);
    Q_INVOKABLE void cancelSearch() { m_search.stop(); }
    /// Selects the whole field under the cursor.
    Q_INVOKABLE void selectField();
    /// The selected bytes, for the clipboard; empty, with a note, when they are too many.
    Q_INVOKABLE QString copied(HexViewModel::Form form);

Q_SIGNALS:
    void fileChanged();
    void cursorChanged();
    void searchChanged();
    void noteChanged();

private:
    [[nodiscard]] std::span<const std::byte> bytes() const;
    [[nodiscard]] QString placeOf(quint64 offset) const;
    /// What an offset counts in: the part that "2:" in front of it names, which it takes away, or
    /// the one under the cursor; the file where it is one. Nothing where there is no such part.
    [[nodiscard]] std::optional<engine::gguf::ByteSpan> rangeFor(QString& text) const;
    void followSelection();
    void update();
    void setNote(const QString& note);

    InspectorSelection& m_selection;
    FieldFinder::File m_file;
    FieldFinder m_finder { nullptr };
    Field m_field;
    quint64 m_cursor = 0;
    quint64 m_anchor = 0; ///< where a selection by cursor began
    bool m_moving = false; ///< the selection changes because the cursor moves
    QString m_note;
    app::LatestTask m_search;
};
