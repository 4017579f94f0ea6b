// The shown file beside another one: what both have, what differs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/inspection_service.h"
#include "ui/inspector/comparison_detail.h"
#include "ui/inspector/inspected_file.h"
#include "ui/inspector/weights_comparison.h"

#include <QtCore/QStringList>
#include <QtCore/QUrl>
#include <QtCore/QVariantList>

/// Lives on the GUI thread; the service of the shown file outlives it. The shown file is A, the
/// other one B; both are watched, and compared anew when either is read again.
class FileComparison : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// A second file was chosen.
    Q_PROPERTY(bool active READ isActive NOTIFY changed)
    /// Both are open and compared, weights aside.
    Q_PROPERTY(bool ready READ isReady NOTIFY changed)
    Q_PROPERTY(bool busy READ isBusy NOTIFY changed)
    Q_PROPERTY(InspectedFile fileA READ fileA NOTIFY changed)
    Q_PROPERTY(InspectedFile fileB READ fileB NOTIFY changed)
    Q_PROPERTY(QString pathA READ pathA NOTIFY changed)
    Q_PROPERTY(QString pathB READ pathB NOTIFY changed)
    /// Where A lies: the other one is looked for there first.
    Q_PROPERTY(QUrl folder READ folder NOTIFY changed)
    Q_PROPERTY(QString nameA READ nameA NOTIFY changed)
    Q_PROPERTY(QString nameB READ nameB NOTIFY changed)
    /// See file_summary::facts.
    Q_PROPERTY(QString factsA READ factsA NOTIFY changed)
    Q_PROPERTY(QString factsB READ factsB NOTIFY changed)
    /// How long A is for a B of length 1, for maps of the same scale.
    Q_PROPERTY(double ratio READ ratio NOTIFY changed)
    /// Why the other file could not be opened, or not read again.
    Q_PROPERTY(Notice notice READ notice NOTIFY changed)
    /// See comparison_summary.
    Q_PROPERTY(QString verdict READ verdict NOTIFY changed)
    Q_PROPERTY(QStringList remarks READ remarks NOTIFY changed)
    Q_PROPERTY(QVariantList totals READ totals NOTIFY changed)
    /// Nothing differs, as far as was compared.
    Q_PROPERTY(bool same READ isSame NOTIFY changed)
    /// Entries and tensors that are the same are hidden.
    Q_PROPERTY(bool onlyDifferences READ isOnlyDifferences WRITE setOnlyDifferences NOTIFY changed)

    Q_PROPERTY(MetadataDiffModel* metadata READ metadata CONSTANT)
    Q_PROPERTY(TensorDiffModel* tensors READ tensors CONSTANT)
    Q_PROPERTY(ComparisonDetail* detail READ detail CONSTANT)
    Q_PROPERTY(WeightsComparison* weights READ weights CONSTANT)

public:
    explicit FileComparison(app::InspectionService& shown, QObject* parent = nullptr);

    [[nodiscard]] bool isActive() const { return m_isActive; }
    [[nodiscard]] bool isReady() const { return m_files != nullptr; }
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] InspectedFile fileA() const { return { m_files ? m_files->a : nullptr }; }
    [[nodiscard]] InspectedFile fileB() const { return { m_files ? m_files->b : nullptr }; }
    [[nodiscard]] const QString& pathA() const { return m_shown.path(); }
    [[nodiscard]] const QString& pathB() const { return m_other.path(); }
    [[nodiscard]] QUrl folder() const;
    [[nodiscard]] QString nameA() const;
    [[nodiscard]] QString nameB() const;
    [[nodiscard]] const QString& factsA() const { return m_factsA; }
    [[nodiscard]] const QString& factsB() const { return m_factsB; }
    [[nodiscard]] double ratio() const;
    [[nodiscard]] Notice notice() const;
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] const QStringList& remarks() const { return m_remarks; }
    [[nodiscard]] const QVariantList& totals() const { return m_totals; }
    [[nodiscard]] bool isSame() const;
    [[nodiscard]] bool isOnlyDifferences() const { return m_metadata.isOnlyDifferences(); }
    void setOnlyDifferences(bool only);

    [[nodiscard]] MetadataDiffModel* metadata() { return &m_metadata; }
    [[nodiscard]] TensorDiffModel* tensors() { return &m_tensors; }
    [[nodiscard]] ComparisonDetail* detail() { return &m_detail; }
    [[nodiscard]] WeightsComparison* weights() { return &m_weights; }

    /// Opens a second file beside the shown one.
    Q_INVOKABLE void compareWith(const QString& path);
    Q_INVOKABLE void compareWithUrl(const QUrl& url);
    /// Reads both files again.
    Q_INVOKABLE void reload();
    /// The other file becomes the shown one, and back.
    Q_INVOKABLE void swap();
    /// Back to the shown file alone.
    Q_INVOKABLE void leave();
    /// Leaves, and selects in the shown file what is selected here. False where A has no such
    /// thing.
    Q_INVOKABLE bool showInA();
    /// The differences as a text for a bug report; empty before they are known.
    Q_INVOKABLE QString markdown() const;
    Q_INVOKABLE void dismissNotice();

Q_SIGNALS:
    void changed();
    /// This file should be the shown one.
    void fileWanted(const QString& path);
    void metadataWanted(int entry);
    void tensorWanted(int tensor);

private:
    using Files = std::shared_ptr<const ComparedFiles>;
    /// Compares once both files are there and at rest.
    void compare();
    void take(const Files& files);

    app::InspectionService& m_shown;
    app::InspectionService m_other;
    bool m_isActive = false;
    bool m_isDismissed = false; ///< of the notice
    bool m_isSwitchSet = false; ///< by a person, for these files
    Files m_files;
    QString m_factsA;
    QString m_factsB;
    QStringList m_remarks;
    QVariantList m_totals;
    MetadataDiffModel m_metadata;
    TensorDiffModel m_tensors;
    ComparisonDetail m_detail { m_metadata, m_tensors };
    WeightsComparison m_weights { m_tensors };
    app::LatestTask m_task;
};
