// Each section of a file has its text.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/words_checks.h"
#include "ui/inspector/section_words.h"

#include <QSet>

using Kind = engine::gguf::Section::Kind;

class TestSectionWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areComplete()
    {
        QSet<QString> titles;
        QSet<QString> texts;
        for (int number = 0; number <= static_cast<int>(Kind::Trailing); ++number) {
            const auto kind = static_cast<Kind>(number);
            const QString title = section_words::title(kind);
            QVERIFY(!title.isEmpty());
            tests::checkWords(section_words::about(kind), title);
            titles << title;
            texts << section_words::about(kind).text;
        }
        QCOMPARE(titles.size(), 7);
        QCOMPARE(texts.size(), 7);
        tests::checkWords(section_words::aboutTheFile(), "file");
    }

    void sayWhatIsOftenToldWrong()
    {
        const QString header = section_words::about(Kind::Header).mistake;
        QVERIFY(header.indexOf("tensor_count") >= 0);
        QVERIFY(header.indexOf("tensor_count") < header.indexOf("metadata_kv_count"));
        QVERIFY(section_words::about(Kind::Metadata).mistake.contains("13"));
        QVERIFY(section_words::about(Kind::Directory).mistake.contains("64 bits"));
    }
};

QTEST_APPLESS_MAIN(TestSectionWords)
#include "tst_section_words.moc"
