// Names of the fields of the format, for every byte of a file.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "tests/ui/inspector_file.h"
#include "ui/inspector/field_finder.h"

#include <QTemporaryDir>
#include <QTest>

class TestFieldFinder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(tests::writeInspectorFile(m_folder.filePath("a.gguf")));
        m_file = tests::openFile(m_folder.filePath("a.gguf"));
        QVERIFY(m_file);
    }

    void namesFields()
    {
        const FieldFinder finder(m_file);
        const auto name = [&finder](std::uint64_t offset) { return finder.at(offset).name; };
        QCOMPARE(name(3), QString("Magic"));
        QCOMPARE(finder.at(4).value, QString("3"));
        QCOMPARE(finder.at(8).value, QString("25"));
        QCOMPARE(finder.at(16).value, QString("9"));
        const auto& text = m_file->metadata()[0]; // general.architecture: "llama"
        QVERIFY(name(text.span.offset).contains("length of the key"));
        QVERIFY(name(text.span.offset + 8).contains("the key"));
        QVERIFY(name(text.value.span().offset - 1).contains("type of the value"));
        QVERIFY(name(text.value.span().offset).contains("length of the text"));
        QVERIFY(finder.at(text.span.end() - 1).value.contains("llama"));
        const auto& tokens = m_file->metadata()[3];
        QVERIFY(name(tokens.value.span().offset).contains("type of the elements"));
        QVERIFY(name(tokens.value.span().offset + 4).contains("number of elements"));
        QVERIFY(name(tokens.span.end() - 1).contains("element 999: the text"));
        QVERIFY(finder.at(m_file->metadata()[4].span.end() - 1).value.contains("-999"));
        const auto& entry = m_file->tensors()[2].entry;
        QVERIFY(name(entry.offset).contains("length of the name"));
        QVERIFY(name(entry.end() - 1).contains("offset within"));
        QVERIFY(finder.at(entry.end() - 9).value.contains("Q4_0"));
        const auto& matrix = m_file->tensors()[2].data; // 64 × 8: two blocks a row
        const Field field = finder.at(matrix.offset + 18 * 5 + 17);
        QVERIFY(field.name.contains("row 2, block 1, byte 17"));
        QCOMPARE(field.span.offset, matrix.offset + 18 * 5);
        QCOMPARE(field.span.size, std::uint64_t { 18 });
        QVERIFY(name(m_file->tensors()[1].data.offset + 8).contains("row 0, value 2"));
        QCOMPARE(finder.at(m_file->bytes().size()).span.size, std::uint64_t { 0 });
    }

    // Fields cover the file from its first byte to its last: none is missing, none holds another.
    void coversEveryFile_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("good") << m_folder.filePath("a.gguf");
        const auto folder = tests::conformanceDir("malformed");
        if (!folder) {
            return;
        }
        for (const auto& each : std::filesystem::directory_iterator(*folder / "containers")) {
            const QString path = QString::fromStdString(each.path().string());
            if (tests::openFile(path)) {
                QTest::newRow(each.path().filename().c_str()) << path;
            }
        }
    }

    void coversEveryFile()
    {
        QFETCH(QString, path);
        const auto file = tests::openFile(path);
        QVERIFY(file);
        const FieldFinder finder(file);
        std::uint64_t offset = 0;
        while (offset < file->bytes().size()) {
            const Field field = finder.at(offset);
            QVERIFY2(!field.name.isEmpty(), qPrintable(QString::number(offset)));
            QVERIFY2(field.span.offset <= offset && offset < field.span.end(),
                     qPrintable(QString::number(offset)));
            offset = field.span.end();
        }
    }

private:
    QTemporaryDir m_folder;
    FieldFinder::File m_file;
};

QTEST_GUILESS_MAIN(TestFieldFinder)
#include "tst_field_finder.moc"
