// Runs without somebody in front of the window: picture and exit status.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window_bench.h"
#include "ui/shell/batch_run.h"

#include <QGuiApplication>
#include <QImage>

using namespace std::chrono_literals;
using engine::ErrorCode;
using tests::WindowBench;

class TestBatchRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesThePictureWhenTheAnswerIsWhole()
    {
        WindowBench bench;
        bench.script->pieceTime = 50ms;
        QVERIFY(bench.show());
        Options options;
        options.screenshot = bench.directory.filePath("x.png");
        BatchRun batch(options, bench.chat, *bench.window);
        bench.model.open("/models/a.gguf");
        bench.chat.askWhenReady("Hello?");
        batch.start();
        QCOMPARE(QGuiApplication::exec(), 0);
        QCOMPARE(bench.lastAnswer(), QString("Hello, world."));
        QVERIFY(!bench.chat.isAnswering());
        QCOMPARE(QImage(options.screenshot).size(),
                 QSize(1024, 640) * bench.window->devicePixelRatio());
    }

    void failsWhenThePictureCannotBeWritten()
    {
        WindowBench bench;
        QVERIFY(bench.show());
        Options options;
        options.screenshot = bench.directory.filePath("no/such/folder/x.png");
        BatchRun batch(options, bench.chat, *bench.window);
        batch.start();
        QCOMPARE(QGuiApplication::exec(), 1);
    }

    // A picture of an error is a picture; an answer that fails is none.
    void failsWhenTheAnswerFails()
    {
        for (const bool print : { false, true }) {
            WindowBench bench;
            bench.script->promptError =
                engine::Error { ErrorCode::OutOfMemory, { "the cache" }, {} };
            QVERIFY(bench.show());
            Options options;
            options.screenshot = bench.directory.filePath("x.png");
            options.printAnswer = print;
            BatchRun batch(options, bench.chat, *bench.window);
            bench.model.open("/models/a.gguf");
            bench.chat.askWhenReady("Hello?");
            batch.start();
            QCOMPARE(QGuiApplication::exec(), print ? 1 : 0);
            QVERIFY(!QImage(options.screenshot).isNull());
        }
    }
};

QTEST_MAIN(TestBatchRun)
#include "tst_batch_run.moc"
