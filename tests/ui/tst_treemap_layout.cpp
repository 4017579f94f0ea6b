// Tiles of a model's tensors: each once, in its layer, and found again.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sparse_gguf.h"
#include "tests/support/tiny_gguf.h"
#include "ui/inspector/map/treemap_layout.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <set>

using engine::gguf::GgufFile;

class TestTreemapLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsLayers_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("layer");
        for (const auto& [name, layer] :
             std::initializer_list<std::pair<const char*, const char*>> {
                 { "blk.0.attn_q.weight", "blk.0" },
                 { "blk.17.ffn_up_exps.weight", "blk.17" },
                 { "enc.blk.3.attn_q.weight", "enc.blk.3" },
                 { "blk.5", "blk.5" },
                 { "token_embd.weight", "" },
                 { "myblk.5.weight", "" },
                 { "blk.x.weight", "" },
                 { "blk.", "" },
                 { "", "" } }) {
            QTest::newRow(name) << QByteArray(name) << QByteArray(layer);
        }
    }
    void readsLayers()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, layer);
        QCOMPARE(layerOf(name.toStdString()), std::string_view(layer.constData()));
    }

    void holdsEveryTensorOnce()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("sparse.gguf").toStdString();
        QVERIFY(tests::writeSparseGguf(path, tests::layeredTensors(40)).has_value());
        const auto file = GgufFile::open(path);
        QVERIFY(file.has_value() && (*file)->loads());
        const TreemapLayout layout(*file, { 1200, 500 });
        QCOMPARE(layout.tiles().size(), (*file)->tensors().size());
        QCOMPARE(layout.groups().size(), 41U); // layers, and the rest
        std::set<int> seen;
        double sum = 0;
        std::uint64_t bytes = 0;
        for (const TreemapGroup& group : layout.groups()) {
            QVERIFY(group.begin < group.end);
            bytes += group.bytes;
            for (std::size_t i = group.begin; i < group.end; ++i) {
                const TreemapTile& tile = layout.tiles()[i];
                QVERIFY(seen.insert(tile.tensor).second);
                QCOMPARE(layerOf(layout.tensor(tile).name), group.name);
                QVERIFY(group.rect.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(tile.rect));
                QCOMPARE(layout.tileOf(tile.tensor), i);
                QCOMPARE(layout.tileAt(tile.rect.center()), i);
                sum += tile.rect.width() * tile.rect.height();
            }
        }
        QVERIFY(std::abs(sum - 1200 * 500) < 1);
        std::uint64_t expected = 0;
        for (const auto& tensor : (*file)->tensors()) {
            expected += tensor.data.size;
        }
        QCOMPARE(bytes, expected);
        QVERIFY(!layout.tileAt({ -1, 5 }));
        QVERIFY(!layout.tileAt({ 1200, 5 }));
        // Layers of one size by number.
        const auto second = std::ranges::find(layout.groups(), "blk.2", &TreemapGroup::name);
        const auto tenth = std::ranges::find(layout.groups(), "blk.10", &TreemapGroup::name);
        QVERIFY(second < tenth);
    }

    // Tensors without data have no place.
    void leavesOutWhatIsEmpty()
    {
        const std::vector<std::byte> bytes =
            tests::tinyGguf({ { "unknown", 250, { 4 }, std::vector<std::byte>(16) },
                              { "known", 0, { 4 }, std::vector<std::byte>(16) } });
        const auto file = GgufFile::parse(bytes, "tiny");
        QVERIFY(file.has_value());
        const TreemapLayout layout(*file, { 100, 100 });
        QCOMPARE(layout.tiles().size(), 1U);
        QCOMPARE(layout.tensor(layout.tiles()[0]).name, std::string_view("known"));
        QVERIFY(!layout.tileOf(0));
        QVERIFY(TreemapLayout(nullptr, { 100, 100 }).tiles().empty());
    }

    // From any tile one gets somewhere else and back into the plane; steps go the right way.
    void findsNeighbours()
    {
        std::vector<tests::TinyTensor> tensors;
        for (int i = 0; i < 12; ++i) {
            tensors.push_back({ std::to_string(i), 0, { 8 }, std::vector<std::byte>(32) });
        }
        const std::vector<std::byte> bytes = tests::tinyGguf(tensors);
        const auto file = GgufFile::parse(bytes, "tiny");
        QVERIFY(file.has_value());
        const TreemapLayout layout(*file, { 400, 300 });
        for (std::size_t i = 0; i < layout.tiles().size(); ++i) {
            const QRectF own = layout.tiles()[i].rect;
            for (const QPoint direction :
                 { QPoint(1, 0), QPoint(-1, 0), QPoint(0, 1), QPoint(0, -1) }) {
                const auto next = layout.neighbour(i, direction);
                const bool isEdge = direction.x() > 0 ? own.right() > 399.9
                    : direction.x() < 0               ? own.left() < 0.1
                    : direction.y() > 0               ? own.bottom() > 299.9
                                                      : own.top() < 0.1;
                QCOMPARE(next.has_value(), !isEdge);
                if (next) {
                    const QPointF way = layout.tiles()[*next].rect.center() - own.center();
                    QVERIFY(way.x() * direction.x() + way.y() * direction.y() > 0);
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestTreemapLayout)
#include "tst_treemap_layout.moc"
