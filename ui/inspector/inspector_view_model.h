// The inspector: which file is shown, what is known of it, and the models of its parts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/inspection_service.h"
#include "ui/components/notice.h"
#include "ui/inspector/architecture_model.h"
#include "ui/inspector/bookmark_model.h"
#include "ui/inspector/explanation.h"
#include "ui/inspector/export_view_model.h"
#include "ui/inspector/file_comparison.h"
#include "ui/inspector/hex_view_model.h"
#include "ui/inspector/inspected_file.h"
#include "ui/inspector/inspector_selection.h"
#include "ui/inspector/metadata_detail.h"
#include "ui/inspector/metadata_model.h"
#include "ui/inspector/problem_model.h"
#include "ui/inspector/residency_view_model.h"
#include "ui/inspector/template_example.h"
#include "ui/inspector/tensor_detail.h"
#include "ui/inspector/tensor_model.h"
#include "ui/inspector/tensor_picture_model.h"
#include "ui/inspector/weight_check_view_model.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtCore/QUrl>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include <optional>

/// Lives on the GUI thread; the service outlives it. Shows the chat's model until another file is
/// opened.
class InspectorViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made in main")
    Q_PROPERTY(InspectedFile file READ file NOTIFY fileChanged)
    /// There is a file to show.
    Q_PROPERTY(bool shown READ isShown NOTIFY fileChanged)
    /// For longer than people take for at once.
    Q_PROPERTY(bool opening READ isOpening NOTIFY openingChanged)
    Q_PROPERTY(QString path READ path NOTIFY stateChanged)
    Q_PROPERTY(QString name READ name NOTIFY stateChanged)
    /// Path of the chat's model; empty without one.
    Q_PROPERTY(QString chatPath READ chatPath NOTIFY stateChanged)
    /// The file is the chat's model.
    Q_PROPERTY(bool chatsModel READ isChatsModel NOTIFY stateChanged)
    /// "GGUF 3 · llama · 272 tensors · 134.5 M weights · 5.85 bits per weight · 98.4 MB".
    Q_PROPERTY(QString facts READ facts NOTIFY fileChanged)
    /// Why the file could not be opened, or not read again.
    Q_PROPERTY(Notice notice READ notice NOTIFY stateChanged)
    /// What a file is that could not be opened; empty for one that is shown.
    Q_PROPERTY(QString failure READ failure NOTIFY stateChanged)
    /// Maps of name, value, note, offset and size.
    Q_PROPERTY(QVariantList headerFields READ headerFields NOTIFY fileChanged)
    /// The beginning of the file, shown or not: see magic_bytes.
    Q_PROPERTY(QVariantList magic READ magic NOTIFY stateChanged)
    Q_PROPERTY(QVariantList firstLines READ firstLines NOTIFY stateChanged)
    /// Of tensor types: maps of name, tensors, size and share.
    Q_PROPERTY(QVariantList totals READ totals NOTIFY fileChanged)
    /// What the colours of the maps stand for: see file_summary.
    Q_PROPERTY(QVariantList legend READ legend NOTIFY fileChanged)
    /// What opening did: maps of title, detail, time, offset, size and live.
    Q_PROPERTY(QVariantList stages READ stages NOTIFY fileChanged)
    Q_PROPERTY(QString openTime READ openTime NOTIFY fileChanged)
    /// Why the file can't be talked to, once that is known; nothing where it can.
    Q_PROPERTY(Notice obstacle READ obstacle NOTIFY obstacleChanged)

    Q_PROPERTY(InspectorSelection* selection READ selection CONSTANT)
    Q_PROPERTY(MetadataModel* metadata READ metadata CONSTANT)
    Q_PROPERTY(TensorModel* tensors READ tensors CONSTANT)
    Q_PROPERTY(ArchitectureModel* architecture READ architecture CONSTANT)
    Q_PROPERTY(ProblemModel* problems READ problems CONSTANT)
    Q_PROPERTY(WeightCheckViewModel* weights READ weights CONSTANT)
    Q_PROPERTY(MetadataDetail* entry READ entry CONSTANT)
    Q_PROPERTY(TensorDetail* tensor READ tensor CONSTANT)
    Q_PROPERTY(TensorPictureModel* picture READ picture CONSTANT)
    Q_PROPERTY(HexViewModel* hex READ hex CONSTANT)
    Q_PROPERTY(BookmarkModel* bookmarks READ bookmarks CONSTANT)
    Q_PROPERTY(Explanation* explanation READ explanation CONSTANT)
    Q_PROPERTY(TemplateExample* templateExample READ templateExample CONSTANT)
    Q_PROPERTY(ExportViewModel* exports READ exports CONSTANT)
    Q_PROPERTY(ResidencyViewModel* residency READ residency CONSTANT)
    Q_PROPERTY(FileComparison* comparison READ comparison CONSTANT)

public:
    explicit InspectorViewModel(app::InspectionService& service, QObject* parent = nullptr);

    [[nodiscard]] InspectedFile file() const { return { m_service.file() }; }
    [[nodiscard]] bool isShown() const { return m_service.file() != nullptr; }
    [[nodiscard]] bool isOpening() const { return m_isOpening; }
    [[nodiscard]] const QString& path() const { return m_service.path(); }
    [[nodiscard]] QString name() const;
    [[nodiscard]] const QString& chatPath() const { return m_chatPath; }
    [[nodiscard]] bool isChatsModel() const { return isShown() && path() == m_chatPath; }
    [[nodiscard]] const QString& facts() const { return m_facts; }
    [[nodiscard]] Notice notice() const;
    [[nodiscard]] QString failure() const;
    [[nodiscard]] QVariantList headerFields() const;
    [[nodiscard]] QVariantList magic() const;
    [[nodiscard]] QVariantList firstLines() const;
    [[nodiscard]] const QVariantList& totals() const { return m_totals; }
    [[nodiscard]] const QVariantList& legend() const { return m_legend; }
    [[nodiscard]] QVariantList stages() const;
    [[nodiscard]] QString openTime() const;
    [[nodiscard]] Notice obstacle() const;
    /// Something goes on whose result is not shown yet.
    [[nodiscard]] bool isBusy() const;

    [[nodiscard]] InspectorSelection* selection() { return &m_selection; }
    [[nodiscard]] MetadataModel* metadata() { return &m_metadata; }
    [[nodiscard]] TensorModel* tensors() { return &m_tensors; }
    [[nodiscard]] ArchitectureModel* architecture() { return &m_architecture; }
    [[nodiscard]] ProblemModel* problems() { return &m_problems; }
    [[nodiscard]] WeightCheckViewModel* weights() { return &m_weights; }
    [[nodiscard]] MetadataDetail* entry() { return &m_entry; }
    [[nodiscard]] TensorDetail* tensor() { return &m_tensor; }
    [[nodiscard]] TensorPictureModel* picture() { return &m_picture; }
    [[nodiscard]] HexViewModel* hex() { return &m_hex; }
    [[nodiscard]] BookmarkModel* bookmarks() { return &m_bookmarks; }
    [[nodiscard]] Explanation* explanation() { return &m_explanation; }
    [[nodiscard]] TemplateExample* templateExample() { return &m_templateExample; }
    [[nodiscard]] ExportViewModel* exports() { return &m_exports; }
    [[nodiscard]] ResidencyViewModel* residency() { return &m_residency; }
    [[nodiscard]] FileComparison* comparison() { return &m_comparison; }

    Q_INVOKABLE void open(const QString& path);
    Q_INVOKABLE void openUrl(const QUrl& url);
    /// Opens a file at a place: a byte, or a key or tensor by name. `offset` below 0: unknown.
    Q_INVOKABLE void openPlace(const QString& path, double offset, const QString& subject);
    Q_INVOKABLE void reload() { m_service.reload(); }
    /// Goes back to the chat's model.
    Q_INVOKABLE void showChatsModel();
    Q_INVOKABLE void dismissNotice();
    /// Selects the place of a problem. False where nobody knows it.
    Q_INVOKABLE bool showProblem(int row);
    /// "0x0000_0800 … 0x05DD_6A40"; of a set of files "1:0x0000_0800 … 3:0x05DD_6A40".
    Q_INVOKABLE QString rangeText(double first, double last) const;
    /// "0x05DD_6A40 · 553.0 kB · blk.0.ffn_down.weight"; see figures::place.
    Q_INVOKABLE QString placeText(double at, double size, const QString& owner) const;
    Q_INVOKABLE static void copy(const QString& text);

    /// The chat's model is another one (empty: none).
    void setChatPath(const QString& path);
    /// The page is in sight: what it follows is opened then, not before.
    Q_INVOKABLE void activate();

Q_SIGNALS:
    void fileChanged();
    void openingChanged();
    void stateChanged();
    void busyChanged();
    void obstacleChanged();

private:
    void follow();
    void onOpened(bool again);
    void setModels(bool again);
    /// Of the tables, a frame after the rest.
    void fillTables();
    void setOpening(bool opening);
    void takeProblems();

    app::InspectionService& m_service;
    InspectorSelection m_selection;
    MetadataModel m_metadata;
    TensorModel m_tensors;
    ArchitectureModel m_architecture;
    ProblemModel m_problems;
    WeightCheckViewModel m_weights;
    MetadataDetail m_entry { m_selection };
    TensorDetail m_tensor { m_service, m_selection };
    TensorPictureModel m_picture { m_selection };
    HexViewModel m_hex { m_selection };
    BookmarkModel m_bookmarks { m_hex };
    Explanation m_explanation { m_hex };
    TemplateExample m_templateExample { m_selection };
    ExportViewModel m_exports { m_selection };
    ResidencyViewModel m_residency;
    FileComparison m_comparison { m_service };
    QString m_facts;
    QVariantList m_totals;
    QVariantList m_legend;
    QString m_chatPath;
    QTimer m_slowOpening;
    QTimer m_filling;
    bool m_isOpening = false;
    bool m_isActive = false;
    bool m_isChosen = false; ///< a file was opened here; the chat's is not followed
    bool m_isDismissed = false; ///< of the notice
    std::optional<engine::Where> m_place; ///< to be selected once the file is open
};
