// Stop texts in a stream: found across pieces, held back while possible, given back when not.
// SPDX-License-Identifier: Apache-2.0
#include "engine/session/stop_matcher.h"

#include <QTest>

using engine::session::StopMatcher;

namespace {

std::vector<std::string> strings(const QStringList& list)
{
    std::vector<std::string> out;
    for (const auto& text : list) {
        out.push_back(text.toStdString());
    }
    return out;
}

} // namespace

class TestStopMatcher : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void streams_data()
    {
        QTest::addColumn<QStringList>("stops");
        QTest::addColumn<QStringList>("pieces");
        QTest::addColumn<QStringList>("given"); // after each piece, then at the end
        QTest::addColumn<bool>("matched");
        const auto row = [](const char* name, const QStringList& stops, const QStringList& pieces,
                            const QStringList& given, bool matched) {
            QTest::newRow(name) << stops << pieces << given << matched;
        };
        row("no stop texts", {}, { "ab", "c" }, { "ab", "c", "" }, false);
        row("empty ones do not count", { "", "" }, { "ab" }, { "ab", "" }, false);
        row("never there", { "xyz" }, { "ab", "c" }, { "ab", "c", "" }, false);
        row("in one piece", { "STOP" }, { "say STOP now" }, { "say ", "" }, true);
        row("at the start", { "STOP" }, { "STOP" }, { "", "" }, true);
        row("nothing after it", { "STOP" }, { "a STOP", "b" }, { "a ", "", "" }, true);
        row("split", { "STOP" }, { "a S", "TO", "P b" }, { "a ", "", "", "" }, true);
        row("by characters", { "abc" }, { "x", "a", "b", "c" }, { "x", "", "", "", "" }, true);
        row("only begun", { "STOP" }, { "a ST", "art" }, { "a ", "STart", "" }, false);
        row("begun at the end", { "STOP" }, { "a STO" }, { "a ", "STO" }, false);
        row("begins again inside", { "aab" }, { "a", "a", "a", "b" }, { "", "", "a", "", "" },
            true);
        row("itself repeated", { "abab" }, { "aba", "cabab" }, { "", "abac", "" }, true);
        row("the first of two", { "two", "one" }, { "zero one two" }, { "zero ", "" }, true);
        row("the earlier start", { "bc", "abcd" }, { "xabcd" }, { "x", "" }, true);
        row("the longest hold", { "abc", "bcx" }, { "ab", "d" }, { "", "abd", "" }, false);
        row("one holds, another goes", { "abc", "bd" }, { "ab", "d" }, { "", "a", "" }, true);
        row("empty pieces", { "ab" }, { "", "a", "", "b" }, { "", "", "", "", "" }, true);
        row("one byte", { "\n" }, { "line", "\nmore" }, { "line", "", "" }, true);
        row("several bytes", { "€" }, { "5 €", "!" }, { "5 ", "", "" }, true);
    }
    void streams()
    {
        QFETCH(QStringList, stops);
        QFETCH(QStringList, pieces);
        QFETCH(QStringList, given);
        QFETCH(bool, matched);
        StopMatcher matcher(strings(stops));
        QCOMPARE(given.size(), pieces.size() + 1);
        for (qsizetype i = 0; i < pieces.size(); ++i) {
            QCOMPARE(QString::fromStdString(matcher.push(pieces[i].toStdString())), given[i]);
        }
        QCOMPARE(matcher.matched(), matched);
        QCOMPARE(QString::fromStdString(matcher.finish()), given.last());
        QCOMPARE(QString::fromStdString(matcher.finish()), QString());
    }

    // However a text is cut, the same part of it comes out.
    void everyCut()
    {
        const std::string text = "aabaabaaabaabaac and so on";
        for (const auto& stops : std::vector<std::vector<std::string>> {
                 { "aabaaba" }, { "aac" }, { "so", "aabaac" }, { "none" }, { "abaaa", "on" } }) {
            auto first = std::string::npos;
            for (const auto& stop : stops) {
                first = std::min(first, text.find(stop));
            }
            for (std::size_t a = 0; a <= text.size(); ++a) {
                for (std::size_t b = a; b <= text.size(); ++b) {
                    StopMatcher matcher(stops);
                    auto out = matcher.push(text.substr(0, a));
                    out += matcher.push(text.substr(a, b - a));
                    out += matcher.push(text.substr(b));
                    out += matcher.finish();
                    QCOMPARE(out, text.substr(0, first));
                    QCOMPARE(matcher.matched(), first != std::string::npos);
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestStopMatcher)
#include "tst_stop_matcher.moc"
