// The example beside a chat template: made when one is selected, in words when it fails.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/template_file.h"
#include "ui/inspector/template_example.h"

#include <QTemporaryDir>
#include <QTest>

class TestTemplateExample : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void followsTheSelection()
    {
        Bench bench("{{ bos_token }}{% for m in messages %}{{ m.content }}\r\n"
                    "{% endfor %}");
        QVERIFY(bench.file);
        QVERIFY(!bench.example.isAvailable());
        bench.selectTemplate();
        QVERIFY(bench.example.isAvailable());
        QTRY_VERIFY(!bench.example.text().isEmpty());
        QVERIFY(bench.example.text().startsWith("<s>You answer"));
        QVERIFY(!bench.example.text().contains(u'\r'));
        QCOMPARE(bench.example.marks(), (QVariantList { 0, 3 }));
        QCOMPARE(bench.example.note(), QString());
        QCOMPARE(bench.example.error(), QString());
        bench.selection.selectMetadata(0);
        QVERIFY(!bench.example.isAvailable());
        QCOMPARE(bench.example.text(), QString());
        bench.selectTemplate();
        bench.example.setFile(nullptr); // while it may still run
        QVERIFY(!bench.example.isAvailable());
        QTest::qWait(50);
        QCOMPARE(bench.example.text(), QString());
    }

    void saysWhatWasLeftOut()
    {
        Bench bench("{% if messages[0].role == 'system' %}"
                    "{{ raise_exception('System role not supported') }}{% endif %}"
                    "{% for m in messages %}{{ m.content }}{% endfor %}");
        bench.selectTemplate();
        QTRY_VERIFY(!bench.example.text().isEmpty());
        QVERIFY(bench.example.note().startsWith("It takes no system message"));
        QVERIFY(bench.example.note().contains("System role not supported"));
        QCOMPARE(bench.example.error(), QString());
    }

    void saysWhereItFails()
    {
        Bench bench("one\n{{ 1 / 0 }}");
        bench.selectTemplate();
        QTRY_VERIFY(!bench.example.error().isEmpty());
        QVERIFY(bench.example.error().contains("line 2"));
        QCOMPARE(bench.example.errorLine(), 2);
        QCOMPARE(bench.example.text(), QString());
    }

private:
    struct Bench
    {
        QTemporaryDir folder;
        std::shared_ptr<const engine::gguf::GgufFile> file;
        InspectorSelection selection;
        TemplateExample example { selection };

        explicit Bench(const std::string& source)
            : file(tests::fileWithTemplate(folder.filePath("a.gguf"), source))
        {
            selection.setFile(file, false);
            example.setFile(file);
        }
        void selectTemplate()
        {
            selection.selectMetadata(static_cast<int>(file->metadata().size()) - 1);
        }
    };
};

QTEST_MAIN(TestTemplateExample)
#include "tst_template_example.moc"
