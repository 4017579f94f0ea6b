// Blocks held against each other: what is odd, and what only takes turns.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/block_peers.h"

#include <QTest>

using namespace engine::model;

namespace {

const BlockNames kDense { "norm", "q", "k", "v", "o", "norm2", "gate", "up", "down" };
const BlockNames kExperts {
    "norm", "q", "k", "v", "o", "norm2", "router", "gates", "ups", "downs"
};

BlockNames without(BlockNames names, std::string_view name)
{
    names.erase(name);
    return names;
}

bool isQuiet(const PeerComparison& peers)
{
    return std::ranges::all_of(peers.differences, [](const PeerDifference& difference) {
        return difference.lacking.empty() && difference.beyond.empty();
    });
}

} // namespace

class TestBlockPeers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesWhatIsOdd()
    {
        std::vector<BlockNames> blocks(8, kDense);
        blocks[2].erase("k");
        blocks[5].insert("extra");
        const auto peers = comparePeers(blocks);
        QVERIFY(peers.usual && *peers.usual == kDense);
        QCOMPARE(peers.differences.size(), std::size_t(8));
        QCOMPARE(peers.differences[2].lacking, std::vector<std::string_view> { "k" });
        QVERIFY(peers.differences[2].beyond.empty());
        QCOMPARE(peers.differences[5].beyond, std::vector<std::string_view> { "extra" });
        QVERIFY(peers.differences[5].lacking.empty());
        QVERIFY(peers.differences[0].lacking.empty() && peers.differences[0].beyond.empty());
    }

    void isQuietAboutDesigns_data()
    {
        QTest::addColumn<int>("blocks");
        QTest::addColumn<int>("every"); // one of so many is the other kind
        QTest::addColumn<bool>("small"); // the kinds differ in one tensor alone
        QTest::newRow("alternating") << 24 << 2 << false;
        QTest::newRow("alternating, nearly the same") << 24 << 2 << true;
        QTest::newRow("every fourth") << 24 << 4 << true;
        QTest::newRow("every sixth") << 24 << 6 << true;
        QTest::newRow("the first is dense") << 27 << 27 << false;
        QTest::newRow("few") << 3 << 3 << true;
    }
    void isQuietAboutDesigns()
    {
        QFETCH(const int, blocks);
        QFETCH(const int, every);
        QFETCH(const bool, small);
        std::vector<BlockNames> names;
        for (int at = 0; at < blocks; ++at) {
            names.push_back(at % every != 0 ? kExperts : small ? without(kExperts, "k") : kDense);
        }
        QVERIFY(isQuiet(comparePeers(names)));
    }

    void nothingToCompare()
    {
        QVERIFY(comparePeers({}).differences.empty());
        const std::vector<BlockNames> empty(6);
        QVERIFY(isQuiet(comparePeers(empty)));
    }
};

QTEST_APPLESS_MAIN(TestBlockPeers)
#include "tst_block_peers.moc"
