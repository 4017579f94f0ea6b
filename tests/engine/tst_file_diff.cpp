// Two files compared: what is the same, what differs, and what only one of them has.
// SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/file_diff.h"
#include "tests/engine/gguf_bytes.h"

#include <QTest>

#include <limits>
#include <vector>

using engine::gguf::DiffState;
using engine::gguf::GgufFile;
using engine::gguf::MetadataComparison;
using engine::gguf::MetadataDiff;
using engine::gguf::TensorDiff;
using engine::gguf::ValueType;
using tests::GgufBytes;

namespace {

using File = std::shared_ptr<const GgufFile>;

File opened(const GgufBytes& bytes)
{
    return GgufFile::parse(std::as_bytes(std::span(bytes.bytes())), "a.gguf").value_or(nullptr);
}

/// A file of one text array.
GgufBytes vocabulary(const std::vector<std::string>& tokens)
{
    GgufBytes out;
    out.header(0, 1).key("tokens", ValueType::Array);
    out.arrayHeader(ValueType::String, tokens.size());
    for (const auto& token : tokens) {
        out.text(token);
    }
    return out;
}

MetadataDiff onlyDiff(const GgufBytes& a, const GgufBytes& b)
{
    const File left = opened(a);
    const File right = opened(b);
    const auto result = compareMetadata(*left, *right);
    return result.entries.size() == 1 ? result.entries.front()
                                      : MetadataDiff { .state = DiffState::OnlyInB };
}

/// One value of each kind, in either byte order.
GgufBytes everyKind(bool bigEndian)
{
    GgufBytes out(bigEndian);
    out.header(0, 8);
    out.key("u16", ValueType::U16).number<std::uint16_t>(0x1234);
    out.key("i64", ValueType::I64).number<std::int64_t>(-5);
    out.key("u64", ValueType::U64).number<std::uint64_t>(0xfffffffffffffff0);
    out.key("f32", ValueType::F32).number(0.1F);
    out.key("f64", ValueType::F64).number(std::numeric_limits<double>::quiet_NaN());
    out.key("text", ValueType::String).text("zebra");
    out.key("numbers", ValueType::Array).arrayHeader(ValueType::I32, 2);
    out.number<std::int32_t>(1).number<std::int32_t>(-2);
    out.key("nested", ValueType::Array).arrayHeader(ValueType::Array, 1);
    out.arrayHeader(ValueType::String, 2).text("a").text("bc");
    return out;
}

} // namespace

class TestFileDiff : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheSame_data()
    {
        QTest::addColumn<bool>("bigEndian");
        QTest::newRow("same byte order") << false;
        QTest::newRow("other byte order") << true;
    }

    void findsTheSame()
    {
        QFETCH(bool, bigEndian);
        const GgufBytes a = everyKind(false);
        const GgufBytes b = everyKind(bigEndian);
        const auto result = compareMetadata(*opened(a), *opened(b));
        QCOMPARE(result.entries.size(), std::size_t { 8 });
        for (const MetadataDiff& each : result.entries) {
            QVERIFY2(each.state == DiffState::Same && each.a == each.b,
                     std::to_string(*each.a).c_str());
        }
        QCOMPARE(result.differences, std::uint64_t { 0 });
        QVERIFY(!result.isOrderDifferent);
    }

    void findsOtherValues_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("typeDiffers");
        QTest::newRow("number") << 0 << false;
        QTest::newRow("text") << 1 << false;
        QTest::newRow("sign of zero") << 2 << false;
        QTest::newRow("type alone") << 3 << true;
        QTest::newRow("truth") << 4 << false;
        QTest::newRow("array against number") << 5 << true;
    }

    void findsOtherValues()
    {
        QFETCH(int, kind);
        QFETCH(bool, typeDiffers);
        GgufBytes a;
        GgufBytes b;
        a.header(0, 1);
        b.header(0, 1);
        switch (kind) {
        case 0:
            a.key("k", ValueType::U32).number<std::uint32_t>(1);
            b.key("k", ValueType::U32).number<std::uint32_t>(2);
            break;
        case 1:
            a.key("k", ValueType::String).text("one");
            b.key("k", ValueType::String).text("onE");
            break;
        case 2:
            a.key("k", ValueType::F32).number(0.0F);
            b.key("k", ValueType::F32).number(-0.0F);
            break;
        case 3:
            a.key("k", ValueType::U32).number<std::uint32_t>(1);
            b.key("k", ValueType::I32).number<std::int32_t>(1);
            break;
        case 4:
            a.key("k", ValueType::Bool).number<std::uint8_t>(1);
            b.key("k", ValueType::Bool).number<std::uint8_t>(0);
            break;
        default:
            a.key("k", ValueType::U32).number<std::uint32_t>(1);
            b.key("k", ValueType::Array).arrayHeader(ValueType::U32, 1).number<std::uint32_t>(1);
        }
        const MetadataDiff diff = onlyDiff(a, b);
        QVERIFY(diff.state == DiffState::Different);
        QCOMPARE(diff.isTypeDifferent, typeDiffers);
        QVERIFY(!diff.array);
        QVERIFY(onlyDiff(a, a).state == DiffState::Same);
    }

    void countsElements()
    {
        const GgufBytes a = vocabulary({ "a", "foo", "c", "d" });
        const GgufBytes b = vocabulary({ "a", "bar", "c", "D", "e" });
        const MetadataDiff diff = onlyDiff(a, b);
        QVERIFY(diff.state == DiffState::Different && diff.array);
        QVERIFY(!diff.isTypeDifferent);
        QCOMPARE(diff.array->different, std::uint64_t { 3 });
        QCOMPARE(diff.array->first, std::uint64_t { 1 });
        const GgufBytes shorter = vocabulary({ "a", "foo" });
        const MetadataDiff cut = onlyDiff(a, shorter);
        QVERIFY(cut.array);
        QCOMPARE(cut.array->different, std::uint64_t { 2 });
        QCOMPARE(cut.array->first, std::uint64_t { 2 });
        QVERIFY(cut.array->a && !cut.array->b);
        QVERIFY(onlyDiff(a, a).state == DiffState::Same);
    }

    void namesTheFirstElements()
    {
        const GgufBytes a = vocabulary({ "a", "foo" });
        const GgufBytes b = vocabulary({ "a", "bar" });
        const File left = opened(a);
        const File right = opened(b);
        const auto result = compareMetadata(*left, *right);
        const auto& array = result.entries.front().array;
        QVERIFY(array && array->a && array->b);
        QCOMPARE(array->a->display(), std::string("\"foo\""));
        QCOMPARE(array->b->display(), std::string("\"bar\""));
    }

    void tellsTypesOfElementsApart()
    {
        GgufBytes a;
        GgufBytes b;
        GgufBytes empty;
        a.header(0, 1).key("k", ValueType::Array).arrayHeader(ValueType::U32, 1);
        a.number<std::uint32_t>(7);
        b.header(0, 1).key("k", ValueType::Array).arrayHeader(ValueType::I32, 1);
        b.number<std::int32_t>(7);
        empty.header(0, 1).key("k", ValueType::Array).arrayHeader(ValueType::I32, 0);
        QVERIFY(onlyDiff(a, b).isTypeDifferent);
        QCOMPARE(onlyDiff(a, b).array->different, std::uint64_t { 1 });
        GgufBytes emptyToo;
        emptyToo.header(0, 1).key("k", ValueType::Array).arrayHeader(ValueType::F32, 0);
        QVERIFY(onlyDiff(empty, emptyToo).state == DiffState::Different);
        QVERIFY(onlyDiff(empty, empty).state == DiffState::Same);
    }

    // The order does not matter, but is told; what B alone has comes last.
    void pairsByKey()
    {
        GgufBytes a;
        GgufBytes b;
        a.header(0, 3);
        b.header(0, 3);
        for (const char* key : { "one", "two", "three" }) {
            a.key(key, ValueType::String).text(key);
        }
        for (const char* key : { "three", "four", "one" }) {
            b.key(key, ValueType::String).text(key);
        }
        const auto result = compareMetadata(*opened(a), *opened(b));
        QCOMPARE(result.entries.size(), std::size_t { 4 });
        QVERIFY(result.entries[0].state == DiffState::Same && result.entries[0].b == 2U);
        QVERIFY(result.entries[1].state == DiffState::OnlyInA && !result.entries[1].b);
        QVERIFY(result.entries[2].state == DiffState::Same && result.entries[2].b == 0U);
        QVERIFY(result.entries[3].state == DiffState::OnlyInB && result.entries[3].b == 1U);
        QCOMPARE(result.differences, std::uint64_t { 2 });
        QVERIFY(result.isOrderDifferent);
    }

    void pairsRepeatedKeysInOrder()
    {
        GgufBytes a;
        GgufBytes b;
        a.header(0, 3);
        b.header(0, 2);
        for (const std::uint32_t value : { 1U, 2U, 3U }) {
            a.key("k", ValueType::U32).number(value);
        }
        for (const std::uint32_t value : { 1U, 5U }) {
            b.key("k", ValueType::U32).number(value);
        }
        const auto result = compareMetadata(*opened(a), *opened(b));
        QCOMPARE(result.entries.size(), std::size_t { 3 });
        QVERIFY(result.entries[0].state == DiffState::Same);
        QVERIFY(result.entries[1].state == DiffState::Different && result.entries[1].b == 1U);
        QVERIFY(result.entries[2].state == DiffState::OnlyInA);
        QVERIFY(!result.isOrderDifferent);
    }

    void comparesBrokenFilesAsFarAsTheyGo()
    {
        GgufBytes a;
        a.header(0, 2);
        a.key("one", ValueType::U32).number<std::uint32_t>(1);
        GgufBytes b = a;
        a.key("two", ValueType::U32).number<std::uint32_t>(2);
        b.text("two").fill(2); // ends inside the type
        const File broken = opened(b);
        QVERIFY(broken && !broken->loads());
        const auto result = compareMetadata(*opened(a), *broken);
        QCOMPARE(result.entries.size(), std::size_t { 2 });
        QVERIFY(result.entries[0].state == DiffState::Same);
        QVERIFY(result.entries[1].state == DiffState::OnlyInA);
    }

    void comparesTensors()
    {
        GgufBytes a;
        GgufBytes b;
        a.header(4, 0);
        a.tensor("same", { 32 }, 0, 0).tensor("type", { 32 }, 0, 128);
        a.tensor("shape", { 16 }, 0, 256).tensor("gone", { 32 }, 0, 320);
        a.pad().fill(448);
        b.header(4, 0);
        b.tensor("type", { 32 }, 8, 0).tensor("same", { 32 }, 0, 64);
        b.tensor("shape", { 16, 1 }, 0, 192).tensor("new", { 8 }, 0, 256);
        b.pad().fill(288);
        const auto result = compareTensors(*opened(a), *opened(b));
        QCOMPARE(result.tensors.size(), std::size_t { 5 });
        QVERIFY(result.tensors[0].state == DiffState::Same && result.tensors[0].b == 1U);
        const TensorDiff& type = result.tensors[1];
        QVERIFY(type.state == DiffState::Different && type.isTypeDifferent);
        QVERIFY(!type.isShapeDifferent);
        const TensorDiff& shape = result.tensors[2];
        QVERIFY(shape.state == DiffState::Different && shape.isShapeDifferent);
        QVERIFY(!shape.isTypeDifferent);
        QVERIFY(result.tensors[3].state == DiffState::OnlyInA);
        QVERIFY(result.tensors[4].state == DiffState::OnlyInB && result.tensors[4].b == 3U);
        QCOMPARE(result.differences, std::uint64_t { 4 });
        QVERIFY(result.isOrderDifferent);
    }

    void stopsWhenAsked()
    {
        const GgufBytes a = vocabulary({ "a" });
        std::stop_source source;
        source.request_stop();
        QVERIFY(compareMetadata(*opened(a), *opened(a), source.get_token()).entries.empty());
    }
};

QTEST_GUILESS_MAIN(TestFileDiff)
#include "tst_file_diff.moc"
