// vitrine-cli inspect and check: the JSON of CLI.md, damaged files, blocks of a tensor.
// SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/gguf_file.h"
#include "engine/quant/block_fields.h"
#include "engine/quant/codec.h"
#include "tests/app/cli_process.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/support/conformance.h"
#include "tests/support/tiny_gguf.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <fstream>

using Json = nlohmann::ordered_json;
using tests::runCli;
using tests::toQString;

namespace {

/// Names of an object's members, in order.
QStringList keys(const Json& object)
{
    QStringList out;
    for (const auto& [key, value] : object.items()) {
        out << QString::fromStdString(key);
    }
    return out;
}

/// All messages and subjects of a list of problems, in lower case.
QString wordsOf(const Json& problems)
{
    QString out;
    for (const auto& problem : problems) {
        out += QString::fromStdString(problem.at("message").get<std::string>()) + "\n";
        if (problem.at("subject").is_string()) {
            out += QString::fromStdString(problem.at("subject").get<std::string>()) + "\n";
        }
    }
    return out.toLower();
}

bool hasError(const Json& problems)
{
    return std::any_of(problems.begin(), problems.end(),
                       [](const Json& problem) { return problem.at("severity") == "error"; });
}

} // namespace

class TestCliFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void inspectHasTheShapeOfTheContract()
    {
        const auto folder = tests::conformanceDir("architectures/llama-256-q4_0");
        if (!folder) {
            QSKIP(tests::missing("architectures/llama-256-q4_0").c_str());
        }
        const auto path = *folder / "model.gguf";
        const auto result = runCli({ "inspect", toQString(path), "--json" });
        QCOMPARE(result.status, 0);
        const Json json = result.json();
        QCOMPARE(keys(json),
                 (QStringList { "header", "sections", "metadata", "tensors", "problems" }));
        QCOMPARE(keys(json["header"]),
                 (QStringList { "version", "tensor_count", "metadata_count", "alignment",
                                "endianness" }));
        COMPARE_JSON(json["header"]["version"], 3);
        COMPARE_JSON(json["header"]["endianness"], "little");
        QCOMPARE(json["metadata"].size(), json["header"]["metadata_count"].get<std::size_t>());
        QCOMPARE(json["tensors"].size(), json["header"]["tensor_count"].get<std::size_t>());
        QVERIFY(json["problems"].empty());
        std::uint64_t end = 0;
        for (const auto& section : json["sections"]) { // without gaps, to the end of the file
            QCOMPARE(keys(section), (QStringList { "name", "offset", "size" }));
            QCOMPARE(section["offset"].get<std::uint64_t>(), end);
            end += section["size"].get<std::uint64_t>();
        }
        QCOMPARE(end, std::filesystem::file_size(path));
        bool sawTokens = false;
        for (const auto& entry : json["metadata"]) {
            for (const char* key : { "key", "type", "value", "offset", "size" }) {
                QVERIFY2(entry.contains(key), key);
            }
            if (entry["key"] == "tokenizer.ggml.tokens") {
                sawTokens = true;
                COMPARE_JSON(entry["type"], "array");
                COMPARE_JSON(entry["count"], 320);
                QCOMPARE(entry["value"].size(), std::size_t { 16 });
            }
        }
        QVERIFY(sawTokens);
        for (const auto& tensor : json["tensors"]) {
            QCOMPARE(keys(tensor),
                     (QStringList { "name", "type", "shape", "offset", "size", "bpw" }));
        }
        const Json full = runCli({ "inspect", toQString(path), "--json", "--full" }).json();
        for (const auto& entry : full["metadata"]) {
            if (entry.contains("count")) {
                QCOMPARE(entry["value"].size(), entry["count"].get<std::size_t>());
            }
        }
        const auto table = runCli({ "inspect", toQString(path) });
        QCOMPARE(table.status, 0);
        QVERIFY(table.out.contains("PROBLEMS: none"));
    }

    void blocksAreTheBytesOfTheFile()
    {
        const auto folder = tests::conformanceDir("architectures/llama-256-q4_0");
        if (!folder) {
            QSKIP(tests::missing("architectures/llama-256-q4_0").c_str());
        }
        const auto path = *folder / "model.gguf";
        const std::string name = "blk.0.ffn_down.weight";
        const auto file = engine::gguf::GgufFile::open(path.string());
        QVERIFY(file.has_value());
        const auto* tensor = (*file)->findTensor(name);
        QVERIFY(tensor != nullptr);
        const auto& type = *tensor->typeInfo();
        const std::uint64_t perRow = tensor->shape[0] / type.blockSize;

        const auto one =
            runCli({ "inspect", toQString(path), "--tensor", QString::fromStdString(name), "--row",
                     "5", "--block", "3", "--json" });
        QCOMPARE(one.status, 0);
        const Json json = one.json();
        COMPARE_JSON(json["tensor"]["name"], name);
        QCOMPARE(json["blocks"].size(), std::size_t { 1 });
        const Json& block = json["blocks"][0];
        QCOMPARE(keys(block), (QStringList { "offset", "bytes", "fields", "values" }));
        const std::uint64_t offset = tensor->data.offset + (5 * perRow + 3) * type.typeSize;
        QCOMPARE(block["offset"].get<std::uint64_t>(), offset);
        const auto bytes = (*file)->bytes().subspan(offset, type.typeSize);
        QCOMPARE(QByteArray::fromHex(QByteArray::fromStdString(block["bytes"])),
                 QByteArray(reinterpret_cast<const char*>(bytes.data()),
                            static_cast<qsizetype>(bytes.size())));
        std::vector<float> values(type.blockSize);
        engine::quant::codec(type.type)->decode(bytes.data(), values.data(), 1);
        QCOMPARE(block["values"].get<std::vector<float>>(), values);

        const Json row = runCli({ "inspect", toQString(path), "--tensor",
                                  QString::fromStdString(name), "--row", "5", "--json" })
                             .json();
        QCOMPARE(row["blocks"].size(), static_cast<std::size_t>(perRow));
        COMPARE_JSON(row["blocks"][3], block);

        const Json all = runCli({ "inspect", toQString(path), "--tensor",
                                  QString::fromStdString(name), "--json" })
                             .json();
        QCOMPARE(all["tensor"]["statistics"]["elements"].get<std::uint64_t>(), tensor->elements);
        QVERIFY(all["blocks"].empty());
        const Json& statistics = all["tensor"]["statistics"];
        QCOMPARE(statistics["histogram"].size(), std::size_t { 64 });
        std::uint64_t counted = 0;
        for (const Json& count : statistics["histogram"]) {
            counted += count.get<std::uint64_t>();
        }
        QCOMPARE(counted, tensor->elements);
        QVERIFY(statistics["first_bad_offset"].is_null());
        const auto people =
            runCli({ "inspect", toQString(path), "--tensor", QString::fromStdString(name) });
        QCOMPARE(people.status, 0);
        QVERIFY2(people.out.contains("standard deviation") && people.out.contains("█"), people.out);
    }

    void fieldsOfABlock_data()
    {
        QTest::addColumn<QString>("tensor");
        for (const char* type :
             { "q2_k", "q3_k", "q4_0", "q4_1", "q4_k", "q5_0", "q5_1", "q5_k", "q6_k", "q8_0",
               "f16", "bf16", "iq3_s", "iq4_nl", "iq4_xs", "mxfp4", "tq1_0", "tq2_0" }) {
            QTest::newRow(type) << QString("blk.0.ffn_down.weight");
        }
    }
    void fieldsOfABlock()
    {
        QFETCH(QString, tensor);
        const std::string name = std::string("architectures/llama-256-") + QTest::currentDataTag();
        const auto folder = tests::conformanceDir(name);
        if (!folder) {
            QSKIP(tests::missing(name).c_str());
        }
        const QString path = toQString(*folder / "model.gguf");
        const QStringList arguments { "inspect", path, "--tensor", tensor,
                                      "--row",   "3",  "--block",  "0" };
        const auto result = runCli(arguments + QStringList { "--json" });
        QCOMPARE(result.status, 0);
        const Json block = result.json()["blocks"][0];
        const auto bytes = QByteArray::fromHex(QByteArray::fromStdString(block["bytes"]));
        QByteArray assembled(bytes.size(), '\0');
        qsizetype bits = 0;
        for (const Json& field : block["fields"]) {
            QCOMPARE(keys(field), (QStringList { "name", "bits", "raw", "value" }));
            auto raw = field["raw"].get<std::uint64_t>();
            for (const Json& run : field["bits"]) {
                for (qsizetype bit = run[0]; bit < run[0].get<int>() + run[1].get<int>(); ++bit) {
                    QVERIFY(bit / 8 < bytes.size());
                    assembled[bit / 8] = char(assembled[bit / 8] | int(raw & 1U) << bit % 8);
                    raw >>= 1U;
                    ++bits;
                }
            }
            QCOMPARE(raw, std::uint64_t { 0 });
        }
        QCOMPARE(bits, 8 * bytes.size());
        QCOMPARE(assembled, bytes);

        const auto text = runCli(arguments);
        QCOMPARE(text.status, 0);
        const auto type = engine::gguf::tensorTypeByName(QTest::currentDataTag()).value();
        if (block["fields"].size() > 1) {
            // The formula of the first weight ends in its value.
            const auto formula = QString::fromStdString(engine::quant::formulaText(type));
            const auto value = engine::quant::numberText(block["values"][0].get<float>(), 7);
            QVERIFY2(text.out.contains(formula.toUtf8()), text.out);
            const auto from = text.out.indexOf("\nw[0] = ");
            QVERIFY2(from > 0, text.out);
            const auto line = text.out.mid(from + 1, text.out.indexOf('\n', from + 1) - from - 1);
            QVERIFY2(line.contains(" = " + QByteArray::fromStdString(value)), line);
        }
    }

    void wrongTensorsAndBlocksAreNamed()
    {
        const auto folder = tests::conformanceDir("architectures/llama-256-q4_0");
        if (!folder) {
            QSKIP(tests::missing("architectures/llama-256-q4_0").c_str());
        }
        const QString path = toQString(*folder / "model.gguf");
        const auto name = runCli({ "inspect", path, "--tensor", "blk.0.ffn_dwn.weight" });
        QCOMPARE(name.status, 1);
        QVERIFY2(name.err.contains("did you mean blk.0.ffn_down.weight?"), name.err);
        const auto block =
            runCli({ "inspect", path, "--tensor", "blk.0.ffn_down.weight", "--block", "100000" });
        QCOMPARE(block.status, 1);
        QVERIFY2(block.err.contains("from 0 to"), block.err);
        QVERIFY(block.out.isEmpty());
    }

    void malformed_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("group");
        QTest::addColumn<QString>("expected");
        const auto folder = tests::conformanceDir("malformed");
        if (!folder) {
            QSKIP(tests::missing("malformed").c_str());
        }
        const Json table = tests::readJson(*folder / "expected.json");
        for (const char* group : { "containers", "tokenizers" }) {
            for (const auto& [name, verdict] : table.at(group).items()) {
                QTest::newRow(name.c_str())
                    << toQString(*folder / group / name) << QString::fromLatin1(group)
                    << QString::fromStdString(verdict.dump());
            }
        }
    }
    void malformed()
    {
        QFETCH(QString, path);
        QFETCH(QString, group);
        QFETCH(QString, expected);
        const Json verdict = Json::parse(expected.toStdString());
        const bool opens = verdict["opens"];

        const auto inspected = runCli({ "inspect", path, "--json" });
        QCOMPARE(inspected.status, opens ? 0 : 1);
        const auto checked = runCli({ "check", path, "--json" });
        QVERIFY2(checked.milliseconds < 5000, "an odd file must not take long"); // loaded machines
        const Json json = checked.json();
        QVERIFY2(json.is_array() && json.size() == 1, checked.out + checked.err);
        QCOMPARE(keys(json[0]), (QStringList { "file", "opens", "loads", "runs", "problems" }));
        QCOMPARE(checked.status, json[0]["loads"].get<bool>() ? 0 : 1);
        QCOMPARE(json[0]["opens"].get<bool>(), opens);
        QCOMPARE(json[0]["runs"].get<bool>(), false);
        const Json& problems = json[0]["problems"];
        QVERIFY2(!problems.empty(), "what does not run says why");
        const QString words = wordsOf(problems);
        for (const auto& mention : verdict["mention"]) {
            const auto wanted = QString::fromStdString(mention.get<std::string>()).toLower();
            QVERIFY2(words.contains(wanted), qPrintable(wanted + " is not in: " + words));
        }
        if (group == "containers") {
            QCOMPARE(json[0]["loads"].get<bool>(), verdict["loads"].get<bool>());
            QCOMPARE(hasError(problems), !verdict["loads"].get<bool>());
        } else {
            const bool tokenizes = verdict["tokenizer_loads"];
            const auto ids = runCli({ "tokenize", "-m", path, "--text", "Hello hi", "--json" });
            QVERIFY2(ids.status == (tokenizes ? 0 : 1), ids.err);
            if (!tokenizes) {
                QVERIFY(hasError(problems));
            }
        }
        // The forms for people must not stumble either.
        QCOMPARE(runCli({ "inspect", path }).status, opens ? 0 : 1);
        QCOMPARE(runCli({ "check", path }).status, checked.status);
    }

    // Any part of a split model shows the tensors of all of them, each in its own file.
    void splitModelIsOne()
    {
        using engine::gguf::ValueType;
        const auto part = [](std::uint16_t number) {
            tests::GgufBytes out;
            out.header(1, 2);
            out.key("split.no", ValueType::U16).number(number);
            out.key("split.count", ValueType::U16).number<std::uint16_t>(2);
            const std::string name = number == 0 ? "a" : "b";
            out.tensor(name, { 8 }, 0, 0).pad().number(float(number)).fill(28, 0);
            return out.bytes();
        };
        QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(name); };
        const auto write = [&](const char* name, const std::string& bytes) {
            std::ofstream(path(name).toStdString(), std::ios::binary) << bytes;
        };
        write("m-00001-of-00002.gguf", part(0));
        const auto lonely = runCli({ "check", path("m-00001-of-00002.gguf"), "--json" });
        QCOMPARE(lonely.status, 1);
        QVERIFY(wordsOf(lonely.json()[0]["problems"]).contains("m-00002-of-00002.gguf"));

        write("m-00002-of-00002.gguf", part(1));
        for (const char* name : { "m-00001-of-00002.gguf", "m-00002-of-00002.gguf" }) {
            const Json json = runCli({ "inspect", path(name), "--json" }).json();
            QCOMPARE(json["tensors"].size(), std::size_t(2));
            COMPARE_JSON(json["tensors"][0]["name"], "a");
            COMPARE_JSON(json["tensors"][1]["name"], "b");
            COMPARE_JSON(json["tensors"][1]["file"], path("m-00002-of-00002.gguf").toStdString());
            QVERIFY(json["problems"].empty());
            QVERIFY(runCli({ "inspect", path(name) }).out.contains("2 of 2, in 2 parts"));
            const Json tensor = runCli({ "inspect", path(name), "--tensor", "b", "--json" }).json();
            QVERIFY2(tensor.dump().find("\"max\":1.0") != std::string::npos, tensor.dump().c_str());
            QCOMPARE(runCli({ "check", path(name) }).status, 0);
        }

        write("joined.gguf", part(0) + part(1));
        const auto joined = runCli({ "inspect", path("joined.gguf"), "--json" });
        QCOMPARE(joined.status, 0);
        const Json json = joined.json();
        QCOMPARE(json["tensors"].size(), std::size_t(2));
        QVERIFY(!json["tensors"][1].contains("file"));
        QCOMPARE(json["tensors"][1]["offset"].get<std::size_t>(), 2 * part(0).size() - 32);
        COMPARE_JSON(json["problems"][0]["code"], "gguf-joined");
        QCOMPARE(json["problems"][0]["offset"].get<std::size_t>(), part(0).size());
        QCOMPARE(runCli({ "check", path("joined.gguf") }).status, 1);
    }

    // A big-endian file is shown with the values of its little-endian twin.
    void bigEndianValuesAreRight()
    {
        using engine::gguf::ValueType;
        const auto twin = [](bool bigEndian) {
            tests::GgufBytes out(bigEndian);
            out.header(1, 4);
            out.key("n", ValueType::U32).number<std::uint32_t>(123456);
            out.key("x", ValueType::F32).number(1.5F);
            out.key("s", ValueType::String).text("text");
            out.key("l", ValueType::Array).arrayHeader(ValueType::I16, 3);
            out.number<std::int16_t>(-2).number<std::int16_t>(300).number<std::int16_t>(7);
            out.tensor("t", { 4, 2 }, 0, 0).pad().fill(32);
            return out.bytes();
        };
        QTemporaryDir folder;
        Json shown[2];
        for (const bool bigEndian : { false, true }) {
            const auto path = folder.filePath(bigEndian ? "big.gguf" : "little.gguf");
            std::ofstream(path.toStdString(), std::ios::binary) << twin(bigEndian);
            const auto result = runCli({ "inspect", path, "--json" });
            QCOMPARE(result.status, 0);
            shown[bigEndian ? 1 : 0] = result.json();
        }
        COMPARE_JSON(shown[1]["header"]["endianness"], "big");
        COMPARE_JSON(shown[1]["header"]["version"], 3);
        COMPARE_JSON(shown[1]["metadata"][0]["value"], 123456);
        for (const char* part : { "sections", "metadata", "tensors" }) {
            COMPARE_JSON(shown[1][part], shown[0][part]);
        }
    }

    // Nobody waits for the weights unasked.
    void readsWeightsOnRequest()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("bad.gguf");
        const auto bytes =
            tests::tinyGguf({ { "good", 0, { 2 }, tests::bytesOf<float>({ 1, 2 }) },
                              { "bad", 0, { 2 }, tests::bytesOf<float>({ 1, -INFINITY }) } });
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(bytes.data()), qint64(bytes.size()));
        file.close();
        const auto quick = runCli({ "check", path, "--json" });
        QCOMPARE(quick.status, 0);
        const auto whole = runCli({ "check", path, "--json", "--weights" });
        QCOMPARE(whole.status, 1);
        const Json verdict = whole.json()[0];
        COMPARE_JSON(verdict["loads"], false);
        QCOMPARE(verdict["problems"].size(), quick.json()[0]["problems"].size() + 1);
        const Json problem = verdict["problems"].back();
        COMPARE_JSON(problem["code"], "bad-numbers");
        COMPARE_JSON(problem["severity"], "error");
        COMPARE_JSON(problem["subject"], "bad");
        COMPARE_JSON(problem["offset"], bytes.size() - 4); // the last number
        const auto text = runCli({ "check", path, "--weights" });
        QVERIFY2(text.out.contains("weights read: 16"), text.out);
        QVERIFY2(text.out.contains("in 2 tensors"), text.out);
    }

    void severalFilesAreOneList()
    {
        const auto folder = tests::conformanceDir("malformed/containers");
        if (!folder) {
            QSKIP(tests::missing("malformed/containers").c_str());
        }
        const auto sound = toQString(*folder / "ok_min.gguf");
        QCOMPARE(runCli({ "check", sound, sound }).status, 0);
        const auto mixed =
            runCli({ "check", sound, toQString(*folder / "bad_dup_key.gguf"), "--json" });
        QCOMPARE(mixed.status, 1);
        QCOMPARE(mixed.json().size(), std::size_t { 2 });
        COMPARE_JSON(mixed.json()[0]["loads"], true);
        COMPARE_JSON(mixed.json()[1]["loads"], false);
    }
};

QTEST_GUILESS_MAIN(TestCliFiles)
#include "tst_cli_files.moc"
