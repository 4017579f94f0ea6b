// What the inspector says of every malformed file: the verdict and the words of the pack's table,
// each error with its place, the same as `vitrine-cli check`.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/verdict.h"
#include "tests/support/conformance.h"
#include "ui/inspector/inspector_view_model.h"

#include <QFile>
#include <QTest>

#include <nlohmann/json.hpp>

namespace {

QString textOf(const ProblemModel& problems, int row)
{
    const auto said = [&](int role) { return problems.data(problems.index(row), role).toString(); };
    return QStringList { said(ProblemModel::WhatRole), said(ProblemModel::PlaceRole),
                         said(ProblemModel::RemedyRole), said(ProblemModel::SubjectRole) }
        .join(' ');
}

/// Errors whose key or tensor begins so.
int errorsAbout(const ProblemModel& problems, const char* subject)
{
    int errors = 0;
    for (int row = 0; row < problems.count(); ++row) {
        const QModelIndex at = problems.index(row);
        errors += problems.data(at, ProblemModel::SeverityRole) == QString("error")
            && problems.data(at, ProblemModel::SubjectRole).toString().startsWith(subject);
    }
    return errors;
}

QString allText(const InspectorViewModel& inspector, const ProblemModel& problems)
{
    const Notice notice = inspector.notice();
    QStringList said { notice.what, notice.where, notice.remedy };
    for (int row = 0; row < problems.count(); ++row) {
        said << textOf(problems, row);
    }
    return said.join('\n').toLower();
}

} // namespace

class TestInspectorVerdicts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatTheTableSays_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("opens");
        QTest::addColumn<bool>("loads");
        QTest::addColumn<QStringList>("mention");
        const auto folder = tests::conformanceDir("malformed");
        if (!folder) {
            return;
        }
        const auto table = tests::readJson(*folder / "expected.json");
        for (const char* part : { "containers", "tokenizers" }) {
            for (const auto& [name, row] : table.at(part).items()) {
                QStringList mention;
                for (const auto& text : row.at("mention")) {
                    mention << QString::fromStdString(text.get<std::string>()).toLower();
                }
                const char* loads = row.contains("loads") ? "loads" : "tokenizer_loads";
                QTest::addRow("%s/%s", part, name.c_str())
                    << QString::fromStdString((*folder / part / name).string())
                    << row.at("opens").get<bool>() << row.at(loads).get<bool>() << mention;
            }
        }
    }

    void saysWhatTheTableSays()
    {
        if (!tests::conformanceDir("malformed")) {
            QSKIP(tests::missing("malformed").c_str());
        }
        QFETCH(QString, path);
        QFETCH(bool, opens);
        QFETCH(bool, loads);
        QFETCH(QStringList, mention);
        app::InspectionService service;
        InspectorViewModel inspector(service);
        inspector.open(path);
        QTRY_VERIFY(!inspector.isBusy());
        const ProblemModel& problems = *inspector.problems();
        QCOMPARE(inspector.isShown(), opens);
        QCOMPARE(inspector.notice().isShown(), !opens);
        // Of a vocabulary the table tells whether the tokenizer loads, not the model.
        const bool isContainer = QByteArray(QTest::currentDataTag()).startsWith("containers");
        QCOMPARE(opens && errorsAbout(problems, isContainer ? "" : "tokenizer.") == 0, loads);
        const QString said = allText(inspector, problems);
        for (const QString& text : mention) {
            QVERIFY2(said.contains(text), qPrintable(text + " is not in " + said));
        }
        const auto verdict = engine::model::examine(path.toStdString());
        if (!opens) {
            // What has no first byte has no place either.
            QVERIFY(inspector.notice().offset >= 0 || QFile(path).size() == 0);
            return;
        }
        QCOMPARE(static_cast<std::size_t>(problems.count()), verdict.problems.size());
        if (isContainer) {
            leadsToEachError(inspector, problems);
        }
    }

private:
    /// Every error has an offset, and the way there ends at it.
    static void leadsToEachError(InspectorViewModel& inspector, const ProblemModel& problems)
    {
        for (int row = 0; row < problems.count(); ++row) {
            const QModelIndex index = problems.index(row);
            if (problems.data(index, ProblemModel::SeverityRole) != QString("error")) {
                continue;
            }
            const double offset = problems.data(index, ProblemModel::OffsetRole).toDouble();
            QVERIFY2(offset >= 0, qPrintable(textOf(problems, row)));
            inspector.selection()->clear();
            if (offset < static_cast<double>(inspector.file().gguf->bytes().size())) {
                QVERIFY2(inspector.showProblem(row), qPrintable(textOf(problems, row)));
                QVERIFY(inspector.selection()->size() > 0);
            }
        }
    }
};

QTEST_MAIN(TestInspectorVerdicts)
#include "tst_inspector_verdicts.moc"
