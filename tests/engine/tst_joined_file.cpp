// Parts as one file: bytes, offsets, sections, names and places of all of them, whole and broken.
// SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/joined_file.h"
#include "engine/gguf/residency.h"
#include "engine/gguf/splits.h"
#include "tests/engine/gguf_bytes.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace engine;
using namespace engine::gguf;
using tests::GgufBytes;

namespace {

using Shared = std::shared_ptr<const GgufFile>;
constexpr std::uint64_t kPage = 4096;

std::string named(std::size_t tensor)
{
    return std::string("t").append(std::to_string(tensor));
}

/// Part `number` (from 0) of `count`: a tensor "t<number>" of `floats` floats, each byte a letter.
std::string part(std::size_t number, int count, std::uint64_t floats = 8,
                 const std::string& tensor = {})
{
    GgufBytes out;
    out.header(1, number == 0 ? 4 : 3);
    if (number == 0) {
        out.key("general.name", ValueType::String).text("whole");
    }
    out.key("split.no", ValueType::U16).number(static_cast<std::uint16_t>(number));
    out.key("split.count", ValueType::U16).number(static_cast<std::uint16_t>(count));
    out.key("split.tensors.count", ValueType::I32).number(static_cast<std::int32_t>(count));
    out.tensor(tensor.empty() ? named(number) : tensor, { floats }, 0, 0);
    out.pad().fill(floats * 4, static_cast<char>('a' + number % 26)).pad();
    return out.bytes();
}

std::string textOf(std::span<const std::byte> bytes)
{
    return { reinterpret_cast<const char*>(bytes.data()), bytes.size() };
}

/// Nothing where they follow each other without gap or overlap from 0 to the end.
QString faultOf(const GgufFile& file)
{
    std::uint64_t end = 0;
    for (const Section& section : file.sections()) {
        if (section.span.offset != end || section.span.size == 0) {
            return QString("%1 at %2, not %3")
                .arg(QString::fromStdString(std::string(section.name)))
                .arg(section.span.offset)
                .arg(end);
        }
        end = section.span.end();
    }
    return end == file.bytes().size() ? QString() : QString("ends at %1").arg(end);
}

bool has(const GgufFile& file, ErrorCode code)
{
    return std::ranges::any_of(file.problems(),
                               [code](const Problem& each) { return each.error.code == code; });
}

} // namespace

class TestJoinedFile : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] std::string path(const std::string& name) const
    {
        return m_folder->filePath(QString::fromStdString(name)).toStdString();
    }
    void write(const std::string& name, const std::string& bytes) const
    {
        std::ofstream(path(name), std::ios::binary) << bytes;
    }
    [[nodiscard]] Shared open(const std::string& name) const
    {
        auto file = openJoined(path(name));
        return file ? *file : nullptr;
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void fileOfItsOwnStaysOne()
    {
        GgufBytes bytes;
        bytes.header(1, 0).tensor("t", { 8 }, 0, 0).pad().fill(32);
        write("one.gguf", bytes.bytes());
        const auto file = open("one.gguf");
        QVERIFY(file && !file->set() && !file->hasSeveralFiles());
        QCOMPARE(file->parts().size(), std::size_t { 1 });
        QCOMPARE(file->parts()[0].span.size, std::uint64_t { bytes.size() });
        QCOMPARE(file->placeOf(40, "t").offset, std::optional<std::uint64_t>(40));
        QCOMPARE(file->placeOf(40, "t").subject, std::string("t"));
        // Past the end, as a truncated file's tensors are.
        QCOMPARE(file->placeOf(1U << 20U).offset, std::optional<std::uint64_t>(1U << 20U));
        QVERIFY(!openJoined(path("none.gguf")));
    }

    void partsFollowEachOther_data()
    {
        QTest::addColumn<int>("asked");
        QTest::newRow("first") << 1;
        QTest::newRow("middle") << 2;
        QTest::newRow("last") << 3;
    }
    void partsFollowEachOther()
    {
        QFETCH(int, asked);
        // The second ends exactly at the end of a page, the others do not.
        std::vector<std::string> parts { part(0, 3), part(1, 3), part(2, 3, 3000) };
        const std::uint64_t head = parts[1].size() - 32;
        parts[1] = part(1, 3, (2 * kPage - head) / 4);
        QCOMPARE(parts[1].size(), std::size_t { 2 * kPage });
        for (std::size_t i = 0; i < parts.size(); ++i) {
            write("m-0000" + std::to_string(i + 1) + "-of-00003.gguf", parts[i]);
        }
        const auto file = open("m-0000" + std::to_string(asked) + "-of-00003.gguf");
        QVERIFY(file && file->set() && file->hasSeveralFiles() && file->loads());
        QCOMPARE(file->path(), path("m-00001-of-00003.gguf"));
        QCOMPARE(file->parts().size(), std::size_t { 3 });
        QCOMPARE(file->parts()[1].span.offset, kPage);
        QCOMPARE(file->parts()[2].span.offset, 3 * kPage);
        QCOMPARE(file->bytes().size(), 3 * kPage + parts[2].size());
        QCOMPARE(file->header().tensorCount, std::uint64_t { 3 });
        QCOMPARE(file->tensors().size(), std::size_t { 3 });
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const Part& each = file->parts()[i];
            QCOMPARE(each.number, static_cast<std::uint32_t>(i));
            QCOMPARE(textOf(file->bytes().subspan(each.span.offset, each.span.size)), parts[i]);
            const TensorInfo* tensor = file->findTensor(named(i));
            QVERIFY(tensor == &file->tensors()[i]);
            QCOMPARE(textOf(file->data(*tensor)),
                     std::string(tensor->elements * 4, static_cast<char>('a' + i)));
            QCOMPARE(textOf(file->bytes().subspan(tensor->entry.offset + 8, 2)), named(i));
        }
        const auto gap = file->bytes().subspan(parts[0].size(), kPage - parts[0].size());
        QVERIFY(std::ranges::all_of(gap, [](std::byte each) { return each == std::byte { 0 }; }));
        QCOMPARE(faultOf(*file), QString());
        const auto sections = file->sections();
        QCOMPARE(
            std::ranges::count(sections, std::string_view("between the parts"), &Section::name),
            std::ptrdiff_t { 1 });
        QCOMPARE(std::ranges::count(sections, Section::Kind::Header, &Section::kind),
                 std::ptrdiff_t { 3 });
        QCOMPARE(file->find("general.name")->asText(), std::optional<std::string_view>("whole"));
        QVERIFY(!file->changed());
    }

    void placesTranslateBothWays()
    {
        write("m-00001-of-00002.gguf", part(0, 2));
        write("m-00002-of-00002.gguf", part(1, 2));
        const auto file = open("m-00001-of-00002.gguf");
        QVERIFY(file);
        const std::uint64_t size = file->parts()[0].span.size;
        for (const std::uint64_t offset : { std::uint64_t { 0 }, size - 1, kPage, kPage + 7 }) {
            const Where place = file->placeOf(offset, "x");
            QCOMPARE(place.file,
                     path(offset < kPage ? "m-00001-of-00002.gguf" : "m-00002-of-00002.gguf"));
            QCOMPARE(place.offset, std::optional(offset % kPage));
            QCOMPARE(place.subject, std::string("x"));
            QCOMPARE(file->offsetOf(place), std::optional(offset));
        }
        for (const std::uint64_t nowhere : { size, kPage - 1, file->bytes().size(), ~0UL }) {
            QVERIFY(file->partAt(nowhere) == nullptr);
            QVERIFY(!file->placeOf(nowhere).offset);
        }
        QVERIFY(!file->offsetOf({ path("m-00001-of-00002.gguf"), size }));
        QVERIFY(!file->offsetOf({ path("m-00001-of-00002.gguf") }));
        QVERIFY(!file->offsetOf({ path("other.gguf"), 0 }));
    }

    void partsInOneFileAsTheyLie_data()
    {
        QTest::addColumn<QList<int>>("order");
        QTest::newRow("in order") << QList<int> { 0, 1, 2 };
        QTest::newRow("mixed") << QList<int> { 2, 0, 1 };
    }
    void partsInOneFileAsTheyLie()
    {
        QFETCH(QList<int>, order);
        std::string all;
        for (const int number : order) {
            all += part(number, 3);
        }
        write("joined.gguf", all);
        const auto file = open("joined.gguf");
        QVERIFY(file && file->set() && !file->hasSeveralFiles());
        QCOMPARE(textOf(file->bytes()), all);
        QCOMPARE(file->parts().size(), std::size_t { 3 });
        for (std::size_t i = 0; i < 3; ++i) {
            const Part& each = file->parts()[i];
            QCOMPARE(each.number, static_cast<std::uint32_t>(order[static_cast<int>(i)]));
            QCOMPARE(textOf(file->bytes().subspan(each.span.offset, each.span.size)),
                     part(order[static_cast<int>(i)], 3));
            const auto* tensor = file->findTensor(named(i));
            QVERIFY(tensor);
            QCOMPARE(textOf(file->data(*tensor)), std::string(32, static_cast<char>('a' + i)));
        }
        const std::uint64_t offset = file->parts()[2].span.offset + 5;
        QCOMPARE(file->placeOf(offset).offset, std::optional(offset));
        QCOMPARE(file->offsetOf({ file->path(), offset }), std::optional(offset));
        QCOMPARE(faultOf(*file), QString());
        const auto* name = file->find("general.name");
        QCOMPARE(name->asText(), std::optional<std::string_view>("whole"));
        QCOMPARE(textOf(file->bytes().subspan(name->span().offset + 8, 5)), std::string("whole"));
        QVERIFY(has(*file, ErrorCode::GgufJoined));
    }

    // A cut part must not show the bytes of the next one as its own.
    void cutPartEndsWhereItEnds()
    {
        const std::string whole = part(0, 2, 5000);
        write("m-00001-of-00002.gguf", whole.substr(0, whole.size() / 2));
        write("m-00002-of-00002.gguf", part(1, 2, 5000));
        const auto file = open("m-00002-of-00002.gguf");
        QVERIFY(file && !file->loads());
        QVERIFY(file->data(*file->findTensor("t0")).empty());
        QCOMPARE(file->data(*file->findTensor("t1")).size(), std::size_t { 20000 });
        QCOMPARE(faultOf(*file), QString());
        const auto problem = std::ranges::find_if(file->problems(), [&](const Problem& each) {
            return each.severity == Severity::Error
                && each.error.where.file == path("m-00001-of-00002.gguf");
        });
        QVERIFY(problem != file->problems().end());
    }

    void hostileOffsetsStayOutside()
    {
        GgufBytes first;
        first.header(1, 2);
        first.key("split.no", ValueType::U16).number<std::uint16_t>(0);
        first.key("split.count", ValueType::U16).number<std::uint16_t>(2);
        first.tensor("u", { 8 }, 0, 0x2000).pad().fill(32);
        write("m-00001-of-00002.gguf", first.bytes());
        write("m-00002-of-00002.gguf", part(1, 2, 5000));
        const auto file = open("m-00001-of-00002.gguf");
        QVERIFY(file && !file->loads());
        const auto* tensor = file->findTensor("u");
        QVERIFY(tensor && !file->partAt(tensor->data.offset));
        QVERIFY(file->data(*tensor).empty());
        QCOMPARE(faultOf(*file), QString());
    }

    void missingPartsLeaveTheOthers()
    {
        write("m-00001-of-00003.gguf", part(0, 3));
        const auto lonely = open("m-00001-of-00003.gguf");
        QVERIFY(lonely && !lonely->set());
        write("m-00003-of-00003.gguf", part(2, 3));
        const auto file = open("m-00003-of-00003.gguf");
        QVERIFY(file && file->set() && !file->loads());
        QCOMPARE(file->parts().size(), std::size_t { 2 });
        QCOMPARE(file->parts()[1].number, 2U);
        QVERIFY(has(*file, ErrorCode::GgufShardMissing));
        QCOMPARE(faultOf(*file), QString());
        // Of no length, and the same part again.
        write("m-00002-of-00003.gguf", "");
        QCOMPARE(open("m-00001-of-00003.gguf")->parts().size(), std::size_t { 2 });
        write("m-00002-of-00003.gguf", part(2, 3));
        const auto twice = open("m-00001-of-00003.gguf");
        QCOMPARE(twice->parts().size(), std::size_t { 2 });
        QVERIFY(has(*twice, ErrorCode::GgufShardForeign));
    }

    void manyParts()
    {
        constexpr std::size_t kParts = 200;
        for (std::size_t i = 0; i < kParts; ++i) {
            const std::string number = std::to_string(i + 1);
            write("m-" + std::string(5 - number.size(), '0') + number + "-of-00200.gguf",
                  part(i, kParts, 100));
        }
        const auto file = open("m-00077-of-00200.gguf");
        QVERIFY(file && file->loads());
        QCOMPARE(file->parts().size(), std::size_t { kParts });
        QCOMPARE(faultOf(*file), QString());
        for (std::size_t i = 0; i < kParts; ++i) {
            QCOMPARE(textOf(file->data(*file->findTensor(named(i)))),
                     std::string(400, static_cast<char>('a' + i % 26)));
        }
    }

    // It reads as zeros from there on, and the set says that it changed.
    void partThatShrinks()
    {
        write("m-00001-of-00002.gguf", part(0, 2, 5000));
        write("m-00002-of-00002.gguf", part(1, 2, 5000));
        const auto file = open("m-00001-of-00002.gguf");
        QVERIFY(file && !file->changed());
        const TensorInfo& first = file->tensors()[0];
        std::filesystem::resize_file(path("m-00001-of-00002.gguf"), 1);
        QVERIFY(file->changed());
        const auto data = file->data(first);
        QCOMPARE(data.size(), std::size_t { 20000 });
        QVERIFY(data[10000] == std::byte { 0 });
        QCOMPARE(textOf(file->data(file->tensors()[1])), std::string(20000, 'b'));
    }

    // A part of another byte order is read in its own.
    void eachPartHasItsHeader()
    {
        GgufBytes big(true);
        big.header(1, 2);
        big.key("split.no", ValueType::U16).number<std::uint16_t>(1);
        big.key("split.count", ValueType::U16).number<std::uint16_t>(2);
        big.tensor("u", { 8 }, 0, 0).pad().fill(32);
        write("m-00001-of-00002.gguf", part(0, 2));
        write("m-00002-of-00002.gguf", big.bytes());
        const auto file = open("m-00001-of-00002.gguf");
        QVERIFY(file && file->set());
        QVERIFY(!file->headerOf(*file->findTensor("t0")).bigEndian);
        QVERIFY(file->headerOf(*file->findTensor("u")).bigEndian);
    }

    void setIsKnownByItsFile()
    {
        write("m-00001-of-00002.gguf", part(0, 2));
        write("m-00002-of-00002.gguf", part(1, 2));
        const auto file = open("m-00002-of-00002.gguf");
        QVERIFY(SplitFile::of(file) == file->set());
        QCOMPARE(file->set()->opened()->path(), path("m-00002-of-00002.gguf"));
        QVERIFY(file->loadTimes().total() >= file->parts()[1].file->loadTimes().total());
    }

    // The pages of all parts, as one file has them.
    void pagesAreCounted()
    {
        write("m-00001-of-00002.gguf", part(0, 2, 5000));
        write("m-00002-of-00002.gguf", part(1, 2, 5000));
        const auto file = open("m-00001-of-00002.gguf");
        const auto pages = measureResidency(*file, { .ownPages = true });
        QVERIFY(pages && pages->source == ResidencySource::OwnPages);
        QCOMPARE(pages->pages(), std::uint64_t { 10 });
        // a part is read through another map than the whole: nothing of this one was touched
        const std::uint64_t before = pages->residentBytes();
        QVERIFY(file->data(file->tensors()[1])[10000] == std::byte { 'b' });
        const auto after = measureResidency(*file, { .ownPages = true });
        QVERIFY(after && after->residentBytes() > before);
    }

    // Memory cannot be mapped a second time.
    void parsedBytes()
    {
        const std::string both = part(0, 2) + part(1, 2);
        const auto file = GgufFile::parse(std::as_bytes(std::span(both)), "memory");
        QVERIFY(file);
        const auto whole = joined(SplitFile::of(*file));
        QVERIFY(whole && (*whole)->parts().size() == 2);
        QCOMPARE(textOf((*whole)->data(*(*whole)->findTensor("t1"))), std::string(32, 'b'));
        QVERIFY(!(*whole)->map());
    }
};

QTEST_APPLESS_MAIN(TestJoinedFile)
#include "tst_joined_file.moc"
