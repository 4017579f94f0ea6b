// The metadata entry that is selected, in full.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/array_model.h"
#include "ui/inspector/inspector_selection.h"

#include <QtCore/QObject>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; the selection outlives it.
class MetadataDetail : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// Number in the file; -1 when none is selected.
    Q_PROPERTY(int entry READ entry NOTIFY changed)
    Q_PROPERTY(QString key READ key NOTIFY changed)
    Q_PROPERTY(QString typeText READ typeText NOTIFY changed)
    Q_PROPERTY(QString place READ place NOTIFY changed)
    /// What the value stands for, beside it; see metadata::note.
    Q_PROPERTY(QString note READ note NOTIFY changed)
    /// The whole value, lines and all; empty for arrays.
    Q_PROPERTY(QString valueText READ valueText NOTIFY changed)
    /// Of a text that is too long to be shown.
    Q_PROPERTY(QString cutNote READ cutNote NOTIFY changed)
    Q_PROPERTY(bool array READ isArray NOTIFY changed)
    /// The value is a chat template.
    Q_PROPERTY(bool chatTemplate READ isChatTemplate NOTIFY changed)
    Q_PROPERTY(ArrayModel* elements READ elements CONSTANT)

public:
    explicit MetadataDetail(const InspectorSelection& selection, QObject* parent = nullptr);

    /// The vocabulary comes later.
    void setFile(const ArrayIndex::File& file);
    /// See metadata::note.
    void setVocabulary(std::shared_ptr<const ArrayIndex> vocabulary);

    [[nodiscard]] int entry() const { return m_entry; }
    [[nodiscard]] QString key() const;
    [[nodiscard]] QString typeText() const;
    [[nodiscard]] QString place() const;
    [[nodiscard]] QString note() const;
    [[nodiscard]] QString valueText() const;
    [[nodiscard]] QString cutNote() const;
    [[nodiscard]] bool isArray() const;
    [[nodiscard]] bool isChatTemplate() const;
    [[nodiscard]] ArrayModel* elements() { return &m_elements; }
    [[nodiscard]] const ArrayModel* elements() const { return &m_elements; }

Q_SIGNALS:
    void changed();

private:
    void follow();
    [[nodiscard]] const engine::gguf::MetadataEntry* current() const;

    const InspectorSelection& m_selection;
    ArrayIndex::File m_file;
    std::shared_ptr<const ArrayIndex> m_vocabulary;
    ArrayModel m_elements;
    int m_entry = -1;
};
