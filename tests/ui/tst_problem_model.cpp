// Problems of a file: worst first, with place and remedy; every broken file of the pack.
// SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/joined_file.h"
#include "tests/support/conformance.h"
#include "tests/support/split_gguf.h"
#include "tests/support/tiny_gguf.h"
#include "tests/ui/inspector_file.h"
#include "ui/inspector/inspector_selection.h"
#include "ui/inspector/problem_model.h"

#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QTest>

using engine::ErrorCode;
using engine::gguf::Problem;
using engine::gguf::Severity;

class TestProblemModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTheWorstFirst()
    {
        ProblemModel model;
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.whereOf(0).subject, std::string());
        model.setProblems(
            { Problem { Severity::Note, { ErrorCode::FileEmpty, {}, {} } },
              Problem { Severity::Error, { ErrorCode::FileChanged, {}, { "a.gguf", 12, "key" } } },
              Problem { Severity::Warning, { ErrorCode::FileEmpty, {}, {} } } });
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.errors(), 1);
        QCOMPARE(model.warnings(), 1);
        QCOMPARE(model.notes(), 1);
        const auto text = [&model](int row, int role) {
            return model.data(model.index(row), role).toString();
        };
        QCOMPARE(text(0, ProblemModel::SeverityRole), QString("error"));
        QCOMPARE(text(1, ProblemModel::SeverityRole), QString("warning"));
        QCOMPARE(text(2, ProblemModel::SeverityRole), QString("note"));
        QVERIFY(text(0, ProblemModel::PlaceRole).contains("key"));
        QVERIFY(!text(0, ProblemModel::PlaceRole).contains("a.gguf")); // stands above the page
        QCOMPARE(text(0, ProblemModel::RemedyRole), QString("Load it again."));
        QCOMPARE(model.whereOf(0).offset.value_or(0), std::uint64_t { 12 });
        QCOMPARE(model.data(model.index(1), ProblemModel::OffsetRole).toDouble(), -1.0);
    }

    // Of a split model: what is wrong with another part has its place there.
    void tellsFilesApart()
    {
        const auto bytes = tests::tinyGguf({});
        const auto file = engine::gguf::GgufFile::parse(bytes, "a.gguf");
        QVERIFY(file);
        ProblemModel model;
        model.setProblems(
            { Problem { Severity::Error, { ErrorCode::FileChanged, {}, { "a.gguf", 12, "key" } } },
              Problem { Severity::Error,
                        { ErrorCode::FileChanged, {}, { "b.gguf", 16, "key" } } } },
            *file);
        QCOMPARE(model.offsets(), QList<qreal>({ 12 }));
        QVERIFY(!model.data(model.index(0), ProblemModel::PlaceRole).toString().contains("a.gguf"));
        QVERIFY(model.data(model.index(1), ProblemModel::PlaceRole).toString().contains("b.gguf"));
        QCOMPARE(model.data(model.index(0), ProblemModel::OffsetRole).toDouble(), 12.0);
        QCOMPARE(model.data(model.index(1), ProblemModel::OffsetRole).toDouble(), -1.0);
        QVERIFY(!model.whereOf(1).offset && model.whereOf(1).subject.empty());
    }

    // Of a set: what is wrong with one of its parts is marked in the range of all, and named.
    void findsPlacesInParts()
    {
        const QTemporaryDir folder;
        const QString source = folder.filePath("whole.gguf");
        const auto prefix = folder.filePath("m").toStdString();
        QVERIFY(tests::writeInspectorFile(source));
        QVERIFY(tests::splitFile(source.toStdString(), prefix, 2));
        const auto second = tests::partPath(prefix, 2, 2);
        const auto file = engine::gguf::openJoined(second);
        QVERIFY(file && (*file)->hasSeveralFiles());
        ProblemModel model;
        model.setProblems(
            { Problem { Severity::Error, { ErrorCode::FileChanged, {}, { second, 8, "" } } } },
            *file);
        const auto base = (*file)->parts()[1].span.offset;
        QCOMPARE(model.offsets(), QList<qreal>({ static_cast<qreal>(base + 8) }));
        const QString place = model.data(model.index(0), ProblemModel::PlaceRole).toString();
        QVERIFY2(place.contains("m-00002-of-00002.gguf") && place.contains("byte 8 "),
                 qPrintable(place));
        InspectorSelection selection;
        selection.setFile(*file, false);
        QVERIFY(selection.selectPlace(model.whereOf(0)));
        QCOMPARE(selection.span().offset, base + 8);
    }

    void leadsToThePlacesOfBrokenFiles_data()
    {
        QTest::addColumn<QString>("path");
        const auto folder = tests::conformanceDir("malformed");
        if (!folder) {
            QSKIP(tests::missing("malformed").c_str());
        }
        for (const auto& each : std::filesystem::directory_iterator(*folder / "containers")) {
            const QString path = QString::fromStdString(each.path().string());
            const auto file = tests::openFile(path);
            if (file && !file->loads()) {
                QTest::newRow(each.path().filename().c_str()) << path;
            }
        }
    }

    // Each error of a container has a place in the file that the selection finds.
    void leadsToThePlacesOfBrokenFiles()
    {
        QFETCH(QString, path);
        const auto file = tests::openFile(path);
        ProblemModel model;
        const QAbstractItemModelTester tester(&model);
        model.setProblems({ file->problems().begin(), file->problems().end() });
        QVERIFY(model.errors() > 0);
        InspectorSelection selection;
        selection.setFile(file, false);
        for (int row = 0; row < model.errors(); ++row) {
            QVERIFY(!model.data(model.index(row), ProblemModel::WhatRole).toString().isEmpty());
            const auto where = model.whereOf(row);
            QVERIFY(where.offset.has_value());
            // At the very end there is no byte to select.
            QVERIFY(*where.offset >= file->bytes().size() || selection.selectPlace(where));
        }
    }
};

QTEST_GUILESS_MAIN(TestProblemModel)
#include "tst_problem_model.moc"
