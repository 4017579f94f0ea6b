// Rows of the picture of an architecture: folds, long sections, the way of the arrow keys.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tiny_gguf.h"
#include "ui/inspector/architecture_rows.h"

#include <QTest>

using engine::gguf::GgufFile;
using engine::model::Marks;
using engine::model::Outline;
using Step = ArchitectureRows::Step;

namespace {

struct Outlined
{
    std::vector<std::byte> bytes;
    std::shared_ptr<const GgufFile> file;
    Outline outline;
    ArchitectureRows rows;

    explicit Outlined(const std::vector<std::string>& names)
    {
        std::vector<tests::TinyTensor> tensors;
        for (const auto& name : names) {
            tensors.push_back({ name, 0, { 1 }, std::vector<std::byte>(4) });
        }
        bytes = tests::tinyGguf(tensors);
        file = GgufFile::parse(bytes, "test.gguf").value_or(nullptr);
        outline = engine::model::outline(*file, Marks::All);
        rows = ArchitectureRows(*file, outline);
    }
};

/// token_embd; blocks of attn_norm attn_q attn_k attn_v attn_output, ffn_norm ffn_up ffn_down.
std::vector<std::string> namesOf(int blocks)
{
    std::vector<std::string> names { "token_embd.weight" };
    for (int block = 0; block < blocks; ++block) {
        for (const char* own : { "attn_norm", "attn_q", "attn_k", "attn_v", "attn_output",
                                 "ffn_norm", "ffn_up", "ffn_down" }) {
            const std::string at = std::string("blk.").append(std::to_string(block));
            names.push_back(at + "." + own + ".weight");
        }
    }
    return names;
}

void verifyPlace(ArchitecturePlace place, int row, int cell)
{
    QCOMPARE(place.row, row);
    QCOMPARE(place.cell, cell);
}

} // namespace

class TestArchitectureRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void foldsWhatIsAlike()
    {
        auto names = namesOf(8);
        names.erase(names.begin() + 1 + 4 * 8); // attn_norm of block 4
        const Outlined outlined(names);
        // Input, block 0, 1 – 3, block 4, block 5, and two like it.
        const auto& rows = outlined.rows.rows();
        QCOMPARE(rows.size(), std::size_t(6));
        QCOMPARE(rows[2].folded, std::size_t(3));
        QCOMPARE(rows[2].cells(), 1);
        QCOMPARE(rows[3].cells(), 8); // with the one that isn't there
        QCOMPARE(rows[5].folded, std::size_t(2));
        // A single block like the one above is no fold.
        QCOMPARE(Outlined(namesOf(2)).rows.rows().size(), std::size_t(3));
    }

    void opensFolds()
    {
        Outlined outlined(namesOf(5));
        auto& rows = outlined.rows;
        QCOMPARE(rows.rows().size(), std::size_t(3));
        const int tensor = 1 + 3 * 8 + 2; // attn_k of block 3
        verifyPlace(rows.placeOf(tensor), 2, 0);
        QVERIFY(rows.tensorAt({ 2, 0 }) == nullptr);
        rows.toggle(2, rows.foldedRows(2));
        QCOMPARE(rows.rows().size(), std::size_t(7));
        verifyPlace(rows.placeOf(tensor), 5, 2);
        QCOMPARE(rows.tensorAt({ 5, 2 })->name, std::string("blk.3.attn_k.weight"));
        rows.toggle(2, rows.foldedRows(2));
        QCOMPARE(rows.rows().size(), std::size_t(3));
        verifyPlace(rows.placeOf(tensor), 2, 0);
        verifyPlace(rows.placeOf(99), -1, -1);
        verifyPlace(rows.placeOf(-1), -1, -1);
    }

    // Three cells side by side: norm q k / v output // norm up down.
    void stepsThroughLines_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("cell");
        QTest::addColumn<int>("way");
        QTest::addColumn<int>("toRow");
        QTest::addColumn<int>("toCell");
        const auto add = [](const char* name, int row, int cell, Step way, int toRow, int toCell) {
            QTest::newRow(name) << row << cell << static_cast<int>(way) << toRow << toCell;
        };
        add("from nowhere", -1, -1, Step::Down, 0, 0);
        add("from no cell", 1, -1, Step::Down, 0, 0);
        add("from nowhere up", -1, -1, Step::Up, 2, 0);
        add("right", 1, 0, Step::Right, 1, 1);
        add("right into the next part", 1, 4, Step::Right, 1, 5);
        add("right into the next row", 1, 7, Step::Right, 2, 0);
        add("right at the end", 2, 0, Step::Right, 2, 0);
        add("left into the row before", 2, 0, Step::Left, 1, 7);
        add("left at the start", 0, 0, Step::Left, 0, 0);
        add("down a line", 1, 1, Step::Down, 1, 4);
        add("down a shorter line", 1, 2, Step::Down, 1, 4);
        add("down a part", 1, 4, Step::Down, 1, 6);
        add("down a row", 1, 7, Step::Down, 2, 0);
        add("down at the end", 2, 0, Step::Down, 2, 0);
        add("up a line", 1, 4, Step::Up, 1, 1);
        add("up a part", 1, 7, Step::Up, 1, 4);
        add("up a part, first", 1, 5, Step::Up, 1, 3);
        add("up a row", 1, 2, Step::Up, 0, 0);
        add("up from the fold", 2, 0, Step::Up, 1, 5);
        add("up at the start", 0, 0, Step::Up, 0, 0);
        add("first", 1, 3, Step::First, 0, 0);
        add("last", 1, 3, Step::Last, 2, 0);
        add("beyond the row", 1, 99, Step::Left, 1, 6);
    }
    void stepsThroughLines()
    {
        const Outlined outlined(namesOf(4));
        QFETCH(const int, row);
        QFETCH(const int, cell);
        QFETCH(const int, way);
        const auto place = outlined.rows.step({ row, cell }, static_cast<Step>(way), 3);
        QTEST(place.row, "toRow");
        QTEST(place.cell, "toCell");
    }

    // Down and up go through all lines, with any number of cells side by side.
    void wayEnds()
    {
        Outlined outlined(namesOf(6));
        outlined.rows.toggle(2, outlined.rows.foldedRows(2));
        for (int columns = 0; columns < 7; ++columns) {
            ArchitecturePlace place { 0, 0 };
            int steps = 0;
            for (auto next = place; ++steps < 500; place = next) {
                next = outlined.rows.step(place, Step::Down, columns);
                if (next == place) {
                    break;
                }
            }
            QCOMPARE(place.row, static_cast<int>(outlined.rows.rows().size()) - 1);
            for (auto next = place; ++steps < 500; place = next) {
                next = outlined.rows.step(place, Step::Up, columns);
                if (next == place) {
                    break;
                }
            }
            verifyPlace(place, 0, 0);
        }
    }

    void findsOddOnes()
    {
        auto names = namesOf(8);
        names.erase(names.begin() + 1 + 4 * 8 + 7); // ffn_down of block 4
        names.emplace_back("blk.6.ffn_extra.weight");
        const Outlined outlined(names);
        const auto& rows = outlined.rows;
        const auto first = rows.odd({ -1, -1 }, true);
        QCOMPARE(rows.tensorAt(first)->name, std::string("blk.4.ffn_down.weight"));
        const auto second = rows.odd(first, true);
        QCOMPARE(rows.tensorAt(second)->name, std::string("blk.6.ffn_extra.weight"));
        QVERIFY(rows.odd(second, true) == first); // around the end
        QVERIFY(rows.odd(second, false) == first);
        QVERIFY(rows.odd(first, false) == second);
        verifyPlace(Outlined(namesOf(3)).rows.odd({ 0, 0 }, true), -1, -1);
    }

    // A row is made at once; thousands of cells in one would make the page stop.
    void cutsLongSections()
    {
        std::vector<std::string> names;
        for (int at = 0; at < 1000; ++at) {
            names.push_back(std::string("w").append(std::to_string(at)));
        }
        const Outlined outlined(names);
        std::size_t cells = 0;
        for (const auto& row : outlined.rows.rows()) {
            QVERIFY(row.cells() > 0 && row.cells() <= 48);
            QCOMPARE(row.isContinued, cells > 0);
            cells += static_cast<std::size_t>(row.cells());
        }
        QCOMPARE(cells, std::size_t(1000));
        const auto place = outlined.rows.placeOf(777);
        QCOMPARE(outlined.rows.tensorAt(place)->number, 777);
    }

    void nothingAtAll()
    {
        const ArchitectureRows rows;
        verifyPlace(rows.step({ 0, 0 }, Step::Down, 3), -1, -1);
        verifyPlace(rows.odd({ 0, 0 }, true), -1, -1);
        QVERIFY(rows.tensorAt({ 0, 0 }) == nullptr);
    }
};

QTEST_APPLESS_MAIN(TestArchitectureRows)
#include "tst_architecture_rows.moc"
