// Files that are no GGUF are named for what they are.
#include "engine/gguf/gguf_file.h"

#include <QTest>

#include <string>

using namespace engine;
using namespace engine::gguf;

class TestForeignFormat : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recognisesForeignFiles_data()
    {
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<QString>("mention");
        const auto row = [](const char* name, std::string_view bytes, const char* mention) {
            QTest::newRow(name) << std::string(bytes) << QString(mention);
        };
        using namespace std::string_view_literals;
        row("HTML", "\n  <HTML lang=en>"sv, "HTML");
        row("git-lfs", "version https://git-lfs.github.com/spec/v1\n"sv, "git-lfs");
        row("GGJT", "tjgg\x03\0\0\0"sv, "GGJT");
        row("safetensors", "\x02\0\0\0\0\0\0\0{}"sv, "safetensors");
        row("PyTorch", "PK\x03\x04zip"sv, "PyTorch");
        row("JSON", "{\"error\":\"not found\"}"sv, "JSON");
        row("binary", "\xFF\x00\x01\x02\x03"sv, "\\xff\\x00\\x01\\x02");
        row("one byte", "G"sv, "magic");
    }

    void recognisesForeignFiles()
    {
        QFETCH(std::string, bytes);
        QFETCH(QString, mention);
        const auto file = GgufFile::parse(std::as_bytes(std::span(bytes)), "memory.gguf");
        QVERIFY(!file.has_value());
        const auto sentence = QString::fromStdString(englishSentence(file.error()));
        QVERIFY2(sentence.contains(mention), qPrintable(sentence));
    }
};

QTEST_APPLESS_MAIN(TestForeignFormat)
#include "tst_foreign_format.moc"
