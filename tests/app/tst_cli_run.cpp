// vitrine-cli logits, generate, chat, bench, synthesize and devices on tiny models.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/support/conformance.h"

#include <QDir>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>

using Json = nlohmann::ordered_json;
using tests::runCli;
using tests::toQString;

namespace {

QStringList keys(const Json& object)
{
    QStringList out;
    for (const auto& [key, value] : object.items()) {
        out << QString::fromStdString(key);
    }
    return out;
}

double largestDifference(const Json& ours, const Json& theirs)
{
    double largest = ours.size() == theirs.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
        largest = std::max(largest, std::abs(ours[i].get<double>() - theirs[i].get<double>()));
    }
    return largest;
}

const QStringList kGeneratedKeys { "ids", "text", "finish", "timings" };
const QStringList kTimingKeys { "prefill_tokens", "prefill_ms", "decode_tokens", "decode_ms",
                                "load_ms" };

} // namespace

class TestCliRun : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_random; // random weights of 135M, for what needs a longer answer

    static std::optional<std::filesystem::path> folderOf(const QString& name)
    {
        return tests::conformanceDir("architectures/" + name.toStdString());
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_random = m_folder.filePath("random.gguf");
        const auto result = runCli({ "synthesize", "135M:Q4_0", m_random, "--json" });
        QCOMPARE(result.status, 0);
        const Json json = result.json();
        QCOMPARE(keys(json), (QStringList { "bytes", "bpw" }));
        QCOMPARE(json["bytes"].get<qint64>(), QFileInfo(m_random).size());
        QVERIFY(json["bpw"].get<double>() > 4.5 && json["bpw"].get<double>() < 4.6);
        QVERIFY(result.err.isEmpty()); // no progress line without a terminal
    }

    void logits_data()
    {
        QTest::addColumn<QString>("folder");
        for (const char* name : { "llama-mha", "llama-gqa-tied", "llama-rope-yarn" }) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }
    void logits()
    {
        QFETCH(QString, folder);
        const auto dir = folderOf(folder);
        if (!dir) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const QString model = toQString(*dir / "model.gguf");
        const Json expected = tests::readJson(*dir / "expected.json");
        const double tolerance = expected["tolerance"];
        for (const auto& testCase : expected["cases"]) {
            const auto result =
                runCli({ "logits", "-m", model, "--tokens", tests::idList(testCase["tokens"]),
                         "--ctx", "512", "--json" });
            QVERIFY2(result.status == 0, result.err);
            const Json json = result.json();
            QCOMPARE(json["vocab"].get<std::size_t>(), testCase["logprobs"].size());
            QVERIFY(largestDifference(json["logprobs"], testCase["logprobs"]) <= tolerance);
        }
        const auto& last = expected["cases"].back();
        const Json all = runCli({ "logits", "-m", model, "--tokens", tests::idList(last["tokens"]),
                                  "--ctx", "512", "--all", "--json" })
                             .json();
        QCOMPARE(all["logprobs"].size(), last["tokens"].size());
        QVERIFY(largestDifference(all["logprobs"].back(), last["logprobs"]) <= tolerance);
    }

    void activationsAsFloats()
    {
        const auto dir = folderOf("llama-256-q4_0");
        if (!dir) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const Json expected = tests::readJson(*dir / "expected.json");
        const auto& testCase = expected["cases"].back();
        const QStringList line { "logits",
                                 "-m",
                                 toQString(*dir / "model.gguf"),
                                 "--tokens",
                                 tests::idList(testCase["tokens"]),
                                 "--ctx",
                                 "512",
                                 "--json" };
        const Json exact = runCli(line + QStringList { "--activations", "f32" }).json();
        const double offExact =
            largestDifference(exact["logprobs"], testCase["logprobs_dequantized"]);
        QVERIFY2(offExact <= expected["tolerance_dequantized"].get<double>(),
                 qPrintable(QString::number(offExact)));
        const Json rounded = runCli(line).json();
        const double offRounded =
            largestDifference(rounded["logprobs"], testCase["logprobs_dequantized"]);
        QVERIFY2(offRounded > offExact, "8-bit activations are the default");
    }

    void greedyContinuation()
    {
        const auto dir = folderOf("llama-gqa-tied");
        if (!dir) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const Json greedy = tests::readJson(*dir / "expected.json")["greedy"];
        const QStringList line { "generate",
                                 "-m",
                                 toQString(*dir / "model.gguf"),
                                 "--tokens",
                                 tests::idList(greedy["prompt"]),
                                 "-n",
                                 "16",
                                 "--temp",
                                 "0",
                                 "--ignore-eos" };
        const auto result = runCli(line + QStringList { "--json" });
        QVERIFY2(result.status == 0, result.err);
        const Json json = result.json();
        QCOMPARE(keys(json), kGeneratedKeys);
        QCOMPARE(keys(json["timings"]), kTimingKeys);
        COMPARE_JSON(json["ids"], greedy["continuation"]);
        COMPARE_JSON(json["finish"], "length");
        QCOMPARE(json["timings"]["prefill_tokens"].get<std::size_t>(), greedy["prompt"].size());
        // For people: the same text, and the speeds beside it.
        const auto plain = runCli(line);
        QCOMPARE(plain.status, 0);
        QCOMPARE(plain.out.trimmed(),
                 QByteArray::fromStdString(json["text"].get<std::string>()).trimmed());
        QVERIFY2(plain.err.contains("finish: length"), plain.err);
    }

    void seedsAreReproducible()
    {
        const auto ids = [&](const char* seed) {
            return runCli({ "generate", "-m", m_random, "-p", "abc", "-n", "12", "--seed", seed,
                            "--temp", "1.5", "--top-k", "0", "--min-p", "0", "--json" })
                .json()["ids"];
        };
        const Json first = ids("7");
        QVERIFY(!first.empty());
        COMPARE_JSON(ids("7"), first);
        QVERIFY(ids("8") != first);
    }

    void tooLongAPromptIsRefused()
    {
        const auto result =
            runCli({ "generate", "-m", m_random, "-p", "a b c d e f g h i j", "--ctx", "4" });
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.contains("context"), result.err);
        const auto range = runCli({ "logits", "-m", m_random, "--tokens", "1,32000" });
        QCOMPARE(range.status, 1);
        QVERIFY2(range.err.contains("32000"), range.err);
    }

    void aFullContextEndsTheAnswer()
    {
        const auto result = runCli({ "generate", "-m", m_random, "--tokens", "1,300", "--ctx", "8",
                                     "--ignore-eos", "--json" });
        QVERIFY2(result.status == 0, result.err);
        COMPARE_JSON(result.json()["finish"], "context");
    }

    void interruptEndsWithAnAnswer()
    {
        QProcess process;
        process.start(
            tests::cliPath(),
            { "generate", "-m", m_random, "--tokens", "1,300", "--ignore-eos", "-n", "8000" });
        // The first text shows that the answer has begun.
        QVERIFY(process.waitForReadyRead(60000));
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(10000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(process.readAllStandardError().contains("finish: cancelled"));
    }

    void chatAnswersOnce()
    {
        const auto result = runCli({ "chat", "-m", m_random, "-p", "hello", "--system", "be kind",
                                     "-n", "5", "--temp", "0", "--json" });
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(keys(result.json()), kGeneratedKeys);
        QVERIFY2(result.err.contains("template"), "the user is told that the model has none");
    }

    void chatKeepsItsHistory()
    {
        const auto result = runCli({ "chat", "-m", m_random, "-n", "5", "--temp", "0", "--json" },
                                   "hello there\n\nand more\n");
        QVERIFY2(result.status == 0, result.err);
        const auto lines = result.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        const Json first = Json::parse(lines[0].toStdString(), nullptr, false);
        const Json second = Json::parse(lines[1].toStdString(), nullptr, false);
        QCOMPARE(keys(second), kGeneratedKeys);
        // The second prompt begins with the first turn, whose cache is used again: fewer tokens are
        // read than the whole conversation has.
        const Json alone =
            runCli({ "chat", "-m", m_random, "-n", "5", "--temp", "0", "--json" }, "and more\n")
                .json();
        QVERIFY(second["ids"] != alone["ids"] || second["text"] != alone["text"]
                || second["timings"]["prefill_tokens"] != alone["timings"]["prefill_tokens"]);
        QVERIFY(first["timings"]["prefill_tokens"].get<int>() > 0);
    }

    // A long conversation goes on: the oldest turns are left out, which is said.
    void chatLeavesTheOldestTurnsOut()
    {
        QByteArray lines;
        for (int turn = 0; turn < 12; ++turn) {
            lines += "tell me of the sea and of the ships, please\n";
        }
        const auto result = runCli({ "chat", "-m", m_random, "-n", "5", "--temp", "0", "--json",
                                     "--ctx", "256", "--ignore-eos" },
                                   lines);
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(result.out.trimmed().split('\n').size(), 12);
        const auto said = result.err.count("oldest messages are left out from here on");
        QVERIFY2(said >= 1 && said < 12, result.err);
        // A question that doesn't fit with nothing before it is refused with its length.
        const auto refused = runCli({ "chat", "-m", m_random, "-n", "5", "--ctx", "256" },
                                    QByteArray("sea ").repeated(400) + "\n");
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("256"), refused.err);
    }

    void bench()
    {
        const QStringList line { "bench", "-m", m_random, "-p", "16",        "-n", "3",
                                 "-r",    "2",  "-d",     "8",  "--threads", "1" };
        const auto result = runCli(line + QStringList { "--json", "--device", "cpu" });
        QVERIFY2(result.status == 0, result.err);
        const Json json = result.json();
        QCOMPARE(json.size(), std::size_t { 2 });
        QCOMPARE(keys(json[0]),
                 (QStringList { "model", "type", "device", "threads", "depth", "test", "median",
                                "min", "max", "peak_rss" }));
        COMPARE_JSON(json[0]["test"], "pp16");
        COMPARE_JSON(json[1]["test"], "tg3");
        COMPARE_JSON(json[0]["type"], "Q4_0");
        COMPARE_JSON(json[0]["threads"], 1);
        COMPARE_JSON(json[0]["depth"], 8);
        for (const auto& row : json) {
            QVERIFY(row["min"].get<double>() > 0);
            QVERIFY(row["min"] <= row["median"] && row["median"] <= row["max"]);
            QVERIFY(row["peak_rss"].get<qint64>() > 1'000'000);
        }
        const auto csv = runCli(line + QStringList { "--csv" }).out.trimmed().split('\n');
        QCOMPARE(csv.size(), 3);
        QCOMPARE(csv[0].count(','), csv[1].count(','));
        const Json single =
            runCli({ "bench", "-m", m_random, "-p", "0", "-n", "2", "-r", "1", "--json" }).json();
        QCOMPARE(single.size(), std::size_t { 1 });
        COMPARE_JSON(single[0]["test"], "tg2");
    }

    void benchProfile()
    {
        const QStringList line { "bench", "-m", m_random, "-p", "8",         "-n",        "2",
                                 "-r",    "2",  "-d",     "4",  "--profile", "--threads", "1" };
        const auto result = runCli(line + QStringList { "--json" });
        QVERIFY2(result.status == 0, result.err);
        for (const auto& row : result.json()) {
            double shares = 0;
            qint64 attentions = 0;
            qint64 embeddings = 0;
            for (const auto& op : row["ops"]) {
                QVERIFY(op["calls"].get<qint64>() > 0 && op["ms"].get<double>() >= 0);
                shares += op["share"].get<double>();
                attentions = op["op"] == "attention" ? op["calls"].get<qint64>() : attentions;
                embeddings = op["op"] == "embed" ? op["calls"].get<qint64>() : embeddings;
            }
            QVERIFY(std::abs(shares - 1) < 1e-6);
            // measured rounds only: one batch each, or one a token
            QCOMPARE(embeddings, row["test"] == "pp8" ? 2 : 4);
            QVERIFY(attentions > 0 && attentions % embeddings == 0); // one a layer
        }
        QVERIFY(runCli(line).out.contains("linear"));
        QVERIFY(runCli(line + QStringList { "--csv" }).out.contains("test,op,calls,ms,share"));
    }

    void syntheticBenchLeavesNothing()
    {
        QTemporaryDir cache;
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        const auto result = runCli(
            { "bench", "--synthetic", "135M:Q8_0", "-p", "4", "-n", "1", "-r", "1", "--json" });
        qunsetenv("XDG_CACHE_HOME");
        QVERIFY2(result.status == 0, result.err);
        COMPARE_JSON(result.json()[0]["type"], "Q8_0");
        QVERIFY(QDir(cache.filePath("vitrine")).isEmpty());
    }

    void devices()
    {
        const auto result = runCli({ "devices", "--json" });
        QCOMPARE(result.status, 0);
        const Json json = result.json();
        for (const auto& device : json) {
            QCOMPARE(keys(device),
                     (QStringList { "id", "name", "driver", "type", "memory", "features", "usable",
                                    "reason" }));
            QVERIFY(!device["reason"].get<std::string>().empty());
        }
        COMPARE_JSON(json[0]["id"], "cpu");
        COMPARE_JSON(json[0]["type"], "cpu");
        COMPARE_JSON(json[0]["usable"], true);
        QVERIFY(json[0]["driver"].get<std::string>().find("kernels: ") != std::string::npos);
        QVERIFY(json[0]["memory"].get<qint64>() > 0);
        for (std::size_t i = 1; i < json.size(); ++i) {
            COMPARE_JSON(json[i]["id"], "vulkan:" + std::to_string(i - 1));
            QVERIFY(json[i]["features"].contains("integer_dot"));
        }
        const auto table = runCli({ "devices" });
        for (const auto& device : json) {
            QVERIFY(table.out.contains(QByteArray::fromStdString(device["reason"])));
        }
    }

    void devicesWithoutVulkan()
    {
        const auto restore = qScopeGuard([] {
            qunsetenv("VK_DRIVER_FILES");
            qunsetenv("VK_ICD_FILENAMES");
        });
        qputenv("VK_DRIVER_FILES", "/nonexistent");
        qputenv("VK_ICD_FILENAMES", "/nonexistent");
        const auto result = runCli({ "devices", "--json" });
        QCOMPARE(result.status, 0);
        QCOMPARE(result.json().size(), std::size_t(1));
        QVERIFY2(result.err.contains("Vulkan cannot be used on this machine"), result.err);
        QCOMPARE(result.err.count('\n'), 1);
    }

    /// The fast kernels of the CPU are tested like a device.
    void selftest()
    {
        const auto result = runCli({ "selftest", "--device", "cpu", "--json" });
        QVERIFY2(result.status == 0, result.err);
        const Json json = result.json();
        QVERIFY(json.size() > 150);
        for (const auto& check : json) {
            QCOMPARE(keys(check), (QStringList { "op", "type", "max_abs", "max_rel", "ok" }));
            COMPARE_JSON(check["ok"], true);
        }
        QVERIFY(runCli({ "selftest", "--device", "cpu" }).out.contains("rms_norm"));
    }

    /// With a model its own ops come last, then the whole.
    void selftestOfAModel()
    {
        const auto folder = folderOf("llama-gqa-tied");
        if (!folder) {
            QSKIP("no conformance pack");
        }
        const auto plain = runCli({ "selftest", "--device", "cpu", "--json" });
        const auto result = runCli(
            { "selftest", "--device", "cpu", "--json", "-m", toQString(*folder / "model.gguf") });
        QVERIFY2(result.status == 0, result.err);
        const Json json = result.json();
        QVERIFY(json.size() > plain.json().size() + 5);
        COMPARE_JSON(json.back()["op"], "model");
        for (const auto& check : json) {
            COMPARE_JSON(check["ok"], true);
        }
        const auto missing = runCli({ "selftest", "--device", "cpu", "-m", "/nowhere.gguf" });
        QCOMPARE(missing.status, 1);
        QVERIFY2(missing.err.contains("/nowhere.gguf"), missing.err);
    }
};

QTEST_GUILESS_MAIN(TestCliRun)
#include "tst_cli_run.moc"
