// The trie of token texts: against a plain search, and with texts that are left out.
// SPDX-License-Identifier: Apache-2.0
#include "engine/text/token_trie.h"

#include <QTest>

#include <random>
#include <set>
#include <string>

using namespace engine::text;

class TestTokenTrie : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheLongest()
    {
        const TokenTrie trie({ { "a", 5 }, { "abc", 1 }, { "ab", 7 }, { "b", 0 }, { "\xFF", 3 } });
        const auto longest = [&](std::string_view text) {
            const auto match = trie.longest(text);
            return std::pair(match.token, match.length);
        };
        QCOMPARE(longest("abcd"), std::pair(1, std::size_t(3)));
        QCOMPARE(longest("abd"), std::pair(7, std::size_t(2)));
        QCOMPARE(longest("ac"), std::pair(5, std::size_t(1)));
        QCOMPARE(longest("\xFF\xFF"), std::pair(3, std::size_t(1)));
        QCOMPARE(longest("c"), std::pair(kNoToken, std::size_t(0)));
        QCOMPARE(longest(""), std::pair(kNoToken, std::size_t(0)));
        QCOMPARE(TokenTrie().longest("a").length, std::size_t(0));
    }

    void leavesOutWhatIsEmptyOrEndless()
    {
        const std::string endless(TokenTrie::kMaxLength + 1, 'x');
        const std::string longest = endless.substr(1);
        const TokenTrie trie({ { "", 9 }, { endless, 8 }, { longest, 7 }, { "y", 6 }, { "y", 2 } });
        QCOMPARE(trie.longest(endless).token, 7);
        QCOMPARE(trie.longest("").token, kNoToken);
        QCOMPARE(trie.longest("y").token, 2); // the lower of two
    }

    void agreesWithASearch()
    {
        std::mt19937 random(11);
        const auto text = [&](std::size_t most) {
            std::string out;
            for (std::size_t length = random() % most; out.size() < length;) {
                out += static_cast<char>("ab\x80\xFF"[random() % 4]);
            }
            return out;
        };
        std::vector<std::string> texts;
        std::vector<TokenTrie::Entry> entries;
        for (int i = 0; i < 300; ++i) {
            texts.push_back(text(7));
        }
        std::set<std::string> known;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            entries.push_back({ texts[i], static_cast<TokenId>(i) });
            known.insert(texts[i]);
        }
        const TokenTrie trie(entries);
        for (int round = 0; round < 2000; ++round) {
            const std::string searched = text(12);
            std::size_t length = std::min<std::size_t>(searched.size(), 6);
            while (length > 0 && !known.contains(searched.substr(0, length))) {
                --length;
            }
            const auto match = trie.longest(searched);
            QCOMPARE(match.length, length);
            QCOMPARE(match.token == kNoToken, length == 0);
            if (length > 0) {
                QCOMPARE(texts[static_cast<std::size_t>(match.token)], searched.substr(0, length));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestTokenTrie)
#include "tst_token_trie.moc"
