// Which file the inspector shows: the chat's, another one, one that changes; facts, block, exports.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/split_gguf.h"
#include "tests/ui/inspector_file.h"
#include "ui/inspector/inspector_view_model.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;

class TestInspectorViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        for (const char* name : { "chat.gguf", "other.gguf" }) {
            QVERIFY(tests::writeInspectorFile(m_folder.filePath(name)));
        }
    }

    void followsTheChat()
    {
        app::InspectionService service;
        InspectorViewModel inspector(service);
        const QString chat = m_folder.filePath("chat.gguf");
        inspector.setChatPath(chat);
        QVERIFY(!inspector.isOpening()); // not before the page is in sight
        inspector.activate();
        QTRY_VERIFY(inspector.isShown());
        QCOMPARE(inspector.path(), chat);
        QVERIFY(inspector.isChatsModel());
        // Another one that was asked for stays, whatever the chat does.
        inspector.open(m_folder.filePath("other.gguf"));
        QTRY_COMPARE(inspector.file().gguf->path(), m_folder.filePath("other.gguf").toStdString());
        QVERIFY(!inspector.isChatsModel());
        inspector.setChatPath({});
        inspector.setChatPath(chat);
        QCOMPARE(inspector.name(), QString("other.gguf"));
        inspector.showChatsModel();
        QTRY_COMPARE(inspector.file().gguf->path(), chat.toStdString());
        inspector.setChatPath({}); // closed: the file stays in sight
        QVERIFY(inspector.isShown());
    }

    void saysWhatTheFileIs()
    {
        app::InspectionService service;
        InspectorViewModel inspector(service);
        inspector.open(m_folder.filePath("chat.gguf"));
        QTRY_VERIFY(inspector.isShown());
        for (const char* part : { "GGUF 3", "llama", "25 tensors", "bits per weight", "kB" }) {
            QVERIFY2(inspector.facts().contains(part), part);
        }
        QCOMPARE(inspector.headerFields().size(), 8);
        QCOMPARE(inspector.stages().size(), 5);
        for (const QVariant& stage : inspector.stages()) {
            QVERIFY(QRegularExpression("^[0-9.,]+ (µ|m)s$")
                        .match(stage.toMap()["time"].toString())
                        .hasMatch());
        }
        QVERIFY(inspector.stages().last().toMap()["live"].toBool());
        QStringList legend;
        for (const QVariant& entry : inspector.legend()) {
            legend << entry.toMap()["name"].toString();
        }
        QCOMPARE(legend.mid(0, 6),
                 QStringList({ "Header", "Metadata", "Directory", "F16", "Q4_0", "F32" }));
        QCOMPARE(inspector.totals().size(), 3);
        QCOMPARE(inspector.totals().first().toMap()["name"].toString(), QString("F16"));
        QVERIFY(inspector.openTime().contains("ms"));
        QTRY_COMPARE(inspector.metadata()->total(), 9);
        QCOMPARE(inspector.tensors()->total(), 25);
        QCOMPARE(inspector.hex()->cursor(), 0.0);
    }

    // What the doctor finds is added to what the container says.
    void listsWhatTheDoctorFinds()
    {
        app::InspectionService service;
        InspectorViewModel inspector(service);
        inspector.open(m_folder.filePath("chat.gguf"));
        QTRY_VERIFY(inspector.isShown() && !inspector.isBusy());
        QVERIFY(inspector.file().gguf->problems().empty());
        QVERIFY(inspector.problems()->count() > 0);
        QCOMPARE(inspector.problems()->count(), static_cast<int>(service.problems().size()));
    }

    void saysWhereThePointerIs()
    {
        app::InspectionService service;
        const InspectorViewModel inspector(service);
        QCOMPARE(inspector.rangeText(0x800, 0x5DD6A40), QString("0x0000_0800 … 0x05DD_6A40"));
        QCOMPARE(inspector.placeText(16, 2000, "directory"),
                 QString("0x0000_0010 · 2.0 kB · directory"));
    }

    // In the file that people have, not in the range of all.
    void countsInEachPart()
    {
        app::InspectionService service;
        InspectorViewModel inspector(service);
        const auto prefix = m_folder.filePath("parts").toStdString();
        QVERIFY(tests::splitFile(m_folder.filePath("chat.gguf").toStdString(), prefix, 3));
        const QString second = QString::fromStdString(tests::partPath(prefix, 2, 3));
        inspector.openPlace(second, 8, {});
        QTRY_VERIFY(inspector.isShown() && !inspector.isBusy());
        QCOMPARE(inspector.path(), second);
        QVERIFY2(inspector.facts().endsWith("kB in 3 parts"), qPrintable(inspector.facts()));
        const auto& file = *inspector.file().gguf;
        const auto base = static_cast<double>(file.parts()[1].span.offset);
        QCOMPARE(inspector.selection()->offset(), base + 8);
        QCOMPARE(inspector.placeText(base + 8, 8, "Header"),
                 QString("part 2 · 0x0000_0008 · 8 bytes · Header"));
        QCOMPARE(inspector.placeText(base - 1, 1, "Gap"),
                 QString("between two parts · 1 bytes · Gap"));
        QCOMPARE(inspector.rangeText(0, base + 1), QString("1:0x0000_0000 … 2:0x0000_0001"));
        HexViewModel& hex = *inspector.hex();
        QCOMPARE(hex.cursorText(), QString("part 2 · 0x0000_0008 (8)"));
        QCOMPARE(hex.fieldName(), QString("Number of tensors"));
        QVERIFY(hex.goTo("4"));
        QCOMPARE(hex.cursor(), base + 4);
        QVERIFY(hex.goTo("3:0x18"));
        QCOMPARE(hex.cursorText(), QString("part 3 · 0x0000_0018 (24)"));
        QCOMPARE(hex.fieldName(), QString("split.no: length of the key"));
        QVERIFY(hex.goTo("+8"));
        QCOMPARE(hex.fieldName(), QString("split.no: the key"));
        for (const char* nowhere : { "4:0", "1:0xFFFF_FFFF", ":", "x:1" }) {
            QVERIFY2(!hex.goTo(nowhere), nowhere);
            QVERIFY(!hex.note().isEmpty());
        }
        QCOMPARE(hex.cursorText(), QString("part 3 · 0x0000_0020 (32)"));
        const QVariantList fields = inspector.headerFields();
        QCOMPARE(fields.size(), 8 + 3);
        const QVariantMap last = fields.last().toMap();
        QCOMPARE(last["name"].toString(), QString("Part 3"));
        QCOMPARE(last["offset"].toDouble(), static_cast<double>(file.parts()[2].span.offset));
        QCOMPARE(last["size"].toDouble(), 24.0);
        QVERIFY2(last["note"].toString().startsWith("parts-00003-of-00003.gguf"),
                 qPrintable(last["note"].toString()));
        // Without one of them the others stay, and the list says which is missing.
        QVERIFY(QFile::remove(QString::fromStdString(tests::partPath(prefix, 3, 3))));
        inspector.reload();
        QTRY_VERIFY(inspector.facts().endsWith("in 2 of 3 parts"));
        QCOMPARE(inspector.headerFields().last().toMap()["value"].toString(), QString("missing"));
        QVERIFY(inspector.problems()->errors() > 0);
    }

    void goesToAPlaceOnceOpen()
    {
        app::InspectionService service;
        InspectorViewModel inspector(service);
        inspector.openPlace(m_folder.filePath("chat.gguf"), -1, "blk.3.attn_q.weight");
        QTRY_VERIFY(inspector.isShown());
        QCOMPARE(inspector.selection()->tensor(), 8);
        inspector.openPlace(m_folder.filePath("chat.gguf"), 4, {});
        QTRY_COMPARE(inspector.selection()->offset(), 4.0);
    }

    // A place out of the chat is to be seen, and what is selected in a comparison as well.
    void leavesAComparisonForAPlace()
    {
        app::InspectionService service;
        InspectorViewModel inspector(service);
        inspector.open(m_folder.filePath("chat.gguf"));
        QTRY_VERIFY(inspector.isShown());
        FileComparison& comparison = *inspector.comparison();
        comparison.compareWith(m_folder.filePath("chat.gguf"));
        QTRY_VERIFY(comparison.isReady());
        comparison.detail()->setTable("tensors");
        comparison.tensors()->setSelected(5);
        QVERIFY(comparison.showInA());
        QCOMPARE(inspector.selection()->tensor(), 5);
        comparison.compareWith(m_folder.filePath("chat.gguf"));
        QVERIFY(comparison.isActive());
        inspector.openPlace(m_folder.filePath("chat.gguf"), 4, {});
        QVERIFY(!comparison.isActive());
        QTRY_COMPARE(inspector.selection()->offset(), 4.0);
    }

    void stepsThroughBlocks()
    {
        app::InspectionService service;
        InspectorViewModel inspector(service);
        inspector.open(m_folder.filePath("chat.gguf"));
        QTRY_VERIFY(inspector.isShown());
        TensorDetail& tensor = *inspector.tensor();
        inspector.selection()->selectTensor(2); // Q4_0, 64 × 8
        QCOMPARE(tensor.typeName(), QString("Q4_0"));
        QCOMPARE(tensor.rows(), 8.0);
        QCOMPARE(tensor.blocksPerRow(), 2.0);
        QCOMPARE(tensor.explorer()->values().size(), 32);
        tensor.selectBlock(0, 2); // past the end of the row
        QCOMPARE(tensor.row(), 1.0);
        QCOMPARE(tensor.block(), 0.0);
        QCOMPARE(inspector.selection()->size(), 18.0);
        QVERIFY(inspector.hex()->fieldName().contains("row 1, block 0"));
        tensor.setBlock(1);
        QCOMPARE(tensor.blockOffset(), inspector.selection()->offset());
        tensor.selectBlock(99, 0); // kept within the tensor
        QCOMPARE(tensor.row(), 7.0);
        tensor.selectBlock(0, -1);
        QCOMPARE(tensor.row(), 0.0);
        QTRY_COMPARE(tensor.statistics().size(), 7);
        // A byte in the bytes view leads to its block.
        inspector.hex()->moveBy(18 * 3, false);
        QCOMPARE(tensor.row(), 1.0);
        QCOMPARE(tensor.block(), 1.0);
        inspector.selection()->selectMetadata(0);
        QCOMPARE(tensor.tensor(), -1);
        QCOMPARE(tensor.explorer()->values().size(), 0);
    }

    void showsChangesAndKeepsTheSelection()
    {
        app::InspectionService service(20ms);
        InspectorViewModel inspector(service);
        const QString path = m_folder.filePath("other.gguf");
        inspector.open(path);
        QTRY_VERIFY(inspector.isShown());
        inspector.selection()->selectTensor(5);
        QSignalSpy opened(&service, &app::InspectionService::opened);
        QFile file(path);
        QVERIFY(file.open(QIODevice::Append));
        file.write("something behind the end");
        file.close();
        QVERIFY(opened.wait(5000));
        QCOMPARE(inspector.selection()->tensor(), 5);
        QCOMPARE(inspector.hex()->fileSize(), static_cast<double>(QFileInfo(path).size()));
        // Gone: said, and what was read stays.
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY(inspector.notice().isShown());
        QVERIFY(inspector.isShown());
        QCOMPARE(inspector.selection()->tensor(), 5);
        inspector.dismissNotice();
        QVERIFY(!inspector.notice().isShown());
    }

    void savesWhatIsSelected()
    {
        app::InspectionService service;
        InspectorViewModel inspector(service);
        ExportViewModel& exports = *inspector.exports();
        QCOMPARE(exports.suggestedName(ExportViewModel::Metadata), QString());
        inspector.open(m_folder.filePath("chat.gguf"));
        QTRY_VERIFY(inspector.isShown());
        QCOMPARE(exports.suggestedName(ExportViewModel::Metadata), QString("chat.metadata.json"));
        QCOMPARE(exports.suggestedName(ExportViewModel::Value), QString());
        inspector.selection()->selectMetadata(8);
        QCOMPARE(exports.suggestedName(ExportViewModel::Value),
                 QString("tokenizer.chat_template.txt"));
        exports.save(ExportViewModel::Value, QUrl::fromLocalFile(m_folder.filePath("value.txt")));
        QTRY_VERIFY(exports.done().contains("value.txt"));
        inspector.selection()->selectTensor(1);
        exports.save(ExportViewModel::TensorRaw, QUrl::fromLocalFile("/nowhere/a.bin"));
        QTRY_VERIFY(exports.notice().isShown());
        QVERIFY(exports.done().isEmpty());
        exports.dismiss();
        QVERIFY(!exports.notice().isShown());
    }

private:
    QTemporaryDir m_folder;
};

QTEST_MAIN(TestInspectorViewModel)
#include "tst_inspector_view_model.moc"
