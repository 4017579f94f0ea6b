// The elements of arrays: reading by place, tokens with score and kind, looking up.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/inspector_file.h"
#include "ui/inspector/array_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace {

constexpr int kTokensEntry = 3;
constexpr int kScoresEntry = 4;

} // namespace

class TestArrayModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(tests::writeInspectorFile(m_folder.filePath("a.gguf")));
        m_file = tests::openFile(m_folder.filePath("a.gguf"));
        QVERIFY(m_file);
    }

    void indexesElements()
    {
        for (const std::size_t entry : { kTokensEntry, kScoresEntry }) {
            const auto index = ArrayIndex::make(m_file, entry);
            QVERIFY(index);
            QCOMPARE(index->count(), std::uint64_t { tests::kTokens });
            std::uint64_t number = 0;
            auto cursor = m_file->metadata()[entry].value.elements();
            for (auto element = cursor.next(); element; element = cursor.next()) {
                const auto found = index->at(number);
                QVERIFY(found);
                QCOMPARE(found->span().offset, element->span().offset);
                QCOMPARE(found->span().size, element->span().size);
                QCOMPARE(found->display(), element->display());
                QCOMPARE(index->indexOf(element->span().offset).value(), number);
                QCOMPARE(index->indexOf(element->span().end() - 1).value(), number);
                ++number;
            }
            QCOMPARE(number, index->count());
            QVERIFY(!index->at(number));
            QVERIFY(!index->indexOf(m_file->metadata()[entry].span.end()));
            QVERIFY(!index->indexOf(0));
        }
        QVERIFY(!ArrayIndex::make(m_file, 0)); // no array
    }

    void showsTokens()
    {
        ArrayModel model;
        const QAbstractItemModelTester tester(&model);
        show(model, kTokensEntry);
        QCOMPARE(model.rowCount(), tests::kTokens);
        QVERIFY(model.isVocabulary());
        QCOMPARE(text(model, 130, ArrayModel::TextRole), QString("t130"));
        QCOMPARE(text(model, 130, ArrayModel::ScoreRole), QString("-130"));
        QCOMPARE(text(model, 130, ArrayModel::KindRole), QString("normal"));
        QCOMPARE(text(model, 999, ArrayModel::KindRole), QString("control"));
        show(model, kScoresEntry);
        QVERIFY(!model.isVocabulary());
        QCOMPARE(text(model, 130, ArrayModel::TextRole), QString("-130"));
        QCOMPARE(text(model, 130, ArrayModel::KindRole), QString());
        model.setArray(m_file, 0); // no array
        QCOMPARE(model.rowCount(), 0);
        model.setArray(nullptr, -1);
        QCOMPARE(model.rowCount(), 0);
    }

    void findsByTextAndNumber()
    {
        ArrayModel model;
        show(model, kTokensEntry);
        QSignalSpy found(&model, &ArrayModel::found);
        model.find("17", 0, true);
        QCOMPARE(found.takeFirst().first().toInt(), 17);
        model.find("\"17\"", 0, true); // in quotes: a text
        QVERIFY(found.wait(5000));
        QCOMPARE(found.takeFirst().first().toInt(), 17);
        model.find("\"17\"", 18, true);
        QVERIFY(found.wait(5000));
        QCOMPARE(found.takeFirst().first().toInt(), 117);
        model.find("t99", 500, false);
        QVERIFY(found.wait(5000));
        QCOMPARE(found.takeFirst().first().toInt(), 99);
        model.find("t5", 999, true); // around the end
        QVERIFY(found.wait(5000));
        QCOMPARE(found.takeFirst().first().toInt(), 5);
        model.find("nowhere", 0, true);
        QTRY_VERIFY(!model.findNote().isEmpty());
        model.find("1000", 0, true);
        QVERIFY(model.findNote().contains("1,000"));
        QVERIFY(found.isEmpty());
        QCOMPARE(model.offsetAt(-1), 0.0);
        QCOMPARE(model.sizeAt(130), 8.0 + 4);
        QCOMPARE(model.rowAt(model.offsetAt(130) + 11), 130);
        QCOMPARE(model.rowAt(0), -1);
        QCOMPARE(model.rowAt(-1), -1);
    }

private:
    void show(ArrayModel& model, int entry)
    {
        model.setArray(m_file, entry);
        QTRY_VERIFY(!model.isBusy());
    }
    static QString text(const ArrayModel& model, int row, int role)
    {
        return model.data(model.index(row), role).toString();
    }

    QTemporaryDir m_folder;
    ArrayIndex::File m_file;
};

QTEST_GUILESS_MAIN(TestArrayModel)
#include "tst_array_model.moc"
