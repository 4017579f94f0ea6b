// The search for bad numbers in words; its findings among the problems of the file.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/bad_weights.h"
#include "ui/inspector/inspector_view_model.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;

class TestWeightCheckViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void saysThatNothingIsWrong()
    {
        const QString path = m_folder.filePath("sound.gguf");
        QVERIFY(tests::writeInspectorFile(path));
        app::InspectionService service;
        InspectorViewModel inspector(service);
        WeightCheckViewModel& weights = *inspector.weights();
        QVERIFY(!weights.isPossible());
        inspector.open(path);
        QTRY_VERIFY(inspector.isShown() && !inspector.isBusy());
        QVERIFY(weights.isPossible());
        QVERIFY(weights.offer().startsWith("Read all weights ("));
        QCOMPARE(weights.result(), QString());
        const int before = inspector.problems()->count();
        weights.start();
        QVERIFY(weights.isRunning());
        QVERIFY(weights.fraction() < 0); // not yet
        QTRY_VERIFY(!weights.result().isEmpty());
        QVERIFY2(weights.result().startsWith("No bad numbers in 25 tensors. "),
                 qPrintable(weights.result()));
        QVERIFY(weights.isSound());
        QCOMPARE(inspector.problems()->count(), before);
        QVERIFY(weights.offer().contains("again"));
    }

    void addsFindingsToTheProblems()
    {
        const QString path = m_folder.filePath("bad.gguf");
        QVERIFY(tests::writeBadWeights(path));
        app::InspectionService service(20ms);
        InspectorViewModel inspector(service);
        inspector.open(path);
        QTRY_VERIFY(inspector.isShown() && !inspector.isBusy());
        ProblemModel& problems = *inspector.problems();
        const int before = problems.count();
        const int errors = problems.errors();
        inspector.weights()->start();
        QTRY_COMPARE(problems.count(), before + 1);
        QCOMPARE(problems.errors(), errors + 1);
        QVERIFY(!inspector.weights()->isSound());
        QVERIFY2(inspector.weights()->result().startsWith("Bad numbers in 1 of 25 tensors"),
                 qPrintable(inspector.weights()->result()));
        int row = 0;
        while (problems.data(problems.index(row), ProblemModel::SubjectRole).toString()
               != "blk.2.attn_q.weight") {
            QVERIFY(++row < problems.count());
        }
        // On the map, and a click selects the block.
        const auto* tensor = inspector.file().gguf->findTensor("blk.2.attn_q.weight");
        const auto at = static_cast<double>(tensor->data.offset + 18);
        QVERIFY(problems.offsets().contains(at));
        QVERIFY(inspector.showProblem(row));
        QCOMPARE(inspector.tensor()->name(), QString("blk.2.attn_q.weight"));
        QCOMPARE(inspector.tensor()->row(), 0.0);
        QCOMPARE(inspector.tensor()->block(), 1.0);
        // What the doctor says again later comes beside it; a changed file forgets it.
        QSignalSpy opened(&service, &app::InspectionService::opened);
        QFile file(path);
        QVERIFY(file.open(QIODevice::Append));
        file.write("more");
        file.close();
        QVERIFY(opened.wait(5000));
        QCOMPARE(inspector.weights()->result(), QString());
        QTRY_VERIFY(!inspector.isBusy());
        for (int each = 0; each < problems.count(); ++each) {
            QVERIFY(!problems.data(problems.index(each), ProblemModel::WhatRole)
                         .toString()
                         .contains("NaN"));
        }
    }

    void anotherFileForgetsThem()
    {
        const QString path = m_folder.filePath("first.gguf");
        const QString other = m_folder.filePath("second.gguf");
        QVERIFY(tests::writeBadWeights(path));
        QVERIFY(tests::writeInspectorFile(other));
        app::InspectionService service;
        InspectorViewModel inspector(service);
        inspector.open(path);
        QTRY_VERIFY(inspector.isShown() && !inspector.isBusy());
        inspector.weights()->start();
        QTRY_VERIFY(!inspector.weights()->result().isEmpty());
        const int errors = inspector.problems()->errors();
        inspector.open(other);
        QTRY_VERIFY(inspector.file().gguf->path() == other.toStdString() && !inspector.isBusy());
        QCOMPARE(inspector.weights()->result(), QString());
        QCOMPARE(inspector.problems()->errors(), errors - 1);
    }

    // Read through the window's own words, byte by byte, of what is no model.
    void showsHowAForeignFileBegins()
    {
        const QString path = m_folder.filePath("page.gguf");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("<!DOCTYPE html><html>");
        file.close();
        app::InspectionService service;
        InspectorViewModel inspector(service);
        inspector.open(path);
        QTRY_VERIFY(inspector.notice().isShown());
        QCOMPARE(inspector.firstLines().size(), 2);
        QCOMPARE(inspector.magic().first().toMap()["hex"].toString(), QString("3C"));
        QVERIFY(!inspector.magic().first().toMap()["right"].toBool());
        QVERIFY(inspector.failure().contains("HTML"));
        const QString good = m_folder.filePath("good.gguf");
        QVERIFY(tests::writeInspectorFile(good));
        inspector.open(good);
        QTRY_VERIFY(inspector.isShown());
        QVERIFY(inspector.firstLines().isEmpty());
        QVERIFY(inspector.failure().isEmpty());
        for (const QVariant& cell : inspector.magic()) {
            QVERIFY(cell.toMap()["right"].toBool());
        }
    }

private:
    QTemporaryDir m_folder;
};

QTEST_MAIN(TestWeightCheckViewModel)
#include "tst_weight_check_view_model.moc"
