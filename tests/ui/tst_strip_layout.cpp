// Where sections of a file lie on the strip, to scale and by logarithm.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tiny_gguf.h"
#include "ui/inspector/map/strip_layout.h"

#include <QTest>

#include <cmath>

using engine::gguf::GgufFile;
using engine::gguf::Section;

namespace {

std::vector<StripSection> hugeSections()
{
    using Kind = Section::Kind;
    return { { .section = { Kind::Header, "header", { 0, 24 } } },
             { .section = { Kind::Metadata, "metadata", { 24, 3000000 } } },
             { .section = { Kind::Padding, "padding", { 3000024, 8 } } },
             { .section = { Kind::Data, "a", { 3000032, 4000000000 } }, .tensor = 0 },
             { .section = { Kind::Data, "b", { 4003000032, 496000000000 } }, .tensor = 1 } };
}

} // namespace

class TestStripLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isEmptyWithoutAFile()
    {
        const StripLayout layout(nullptr, StripScale::ToScale);
        QCOMPARE(layout.length(), 0.0);
        QCOMPARE(layout.fileSize(), 0U);
        QVERIFY(!layout.sectionAt(0));
        QVERIFY(!layout.sectionOf(0));
        QCOMPARE(layout.offsetAt(5), 0U);
        QCOMPARE(layout.placeOf(5), 0.0);
    }

    void isToScale()
    {
        const StripLayout layout(hugeSections(), StripScale::ToScale);
        QCOMPARE(layout.length(), 500003000032.0);
        QCOMPARE(layout.fileSize(), 500003000032U);
        for (const std::uint64_t offset : { 0ULL, 23ULL, 24ULL, 3000032ULL, 400000000001ULL }) {
            QCOMPARE(layout.placeOf(offset), static_cast<double>(offset));
            QCOMPARE(layout.offsetAt(static_cast<double>(offset) + 0.5), offset);
        }
    }

    // 24 bytes beside 500 GB: a visible share.
    void showsTheHeaderByLogarithm()
    {
        const StripLayout layout(hugeSections(), StripScale::Logarithmic);
        const auto sections = layout.sections();
        QVERIFY(sections[0].length / layout.length() > 0.02);
        QVERIFY(sections[3].length < sections[4].length);
        // With ever so many tensors.
        std::vector<StripSection> many = hugeSections();
        for (int i = 0; i < 3000; ++i) {
            many.push_back({ .section = { Section::Kind::Data,
                                          "c",
                                          { many.back().section.span.end(), 1U << 30U } },
                             .tensor = 2 + i });
        }
        const StripLayout crowded(many, StripScale::Logarithmic);
        QVERIFY(crowded.sections()[0].length / crowded.length() > 0.02);
    }

    void isContinuous_data()
    {
        QTest::addColumn<StripScale>("scale");
        QTest::newRow("to scale") << StripScale::ToScale;
        QTest::newRow("logarithmic") << StripScale::Logarithmic;
    }
    void isContinuous()
    {
        QFETCH(StripScale, scale);
        const StripLayout layout(hugeSections(), scale);
        double end = 0;
        for (const StripSection& part : layout.sections()) {
            QCOMPARE(part.start, end);
            QVERIFY(part.length > 0);
            end = part.end();
        }
        QCOMPARE(layout.length(), end);
        for (std::size_t i = 0; i < layout.sections().size(); ++i) {
            const StripSection& part = layout.sections()[i];
            QCOMPARE(layout.sectionAt(part.start), i);
            QCOMPARE(layout.sectionAt(part.start + part.length / 2), i);
            QCOMPARE(layout.sectionOf(part.section.span.offset), i);
            QCOMPARE(layout.sectionOf(part.section.span.end() - 1), i);
            QCOMPARE(layout.offsetAt(part.start), part.section.span.offset);
            QVERIFY(std::abs(layout.placeOf(part.section.span.offset) - part.start) < 1e-9);
        }
        QVERIFY(!layout.sectionAt(end));
        QVERIFY(!layout.sectionAt(-1));
        QVERIFY(!layout.sectionOf(layout.fileSize()));
        QCOMPARE(layout.placeOf(layout.fileSize() + 7), end);
        QCOMPARE(layout.offsetAt(end + 1), layout.fileSize() - 1);
        QCOMPARE(layout.offsetAt(-1), 0U);
    }

    // Positions lead back to their bytes, also deep inside of a long section.
    void roundsTrip_data() { isContinuous_data(); }
    void roundsTrip()
    {
        QFETCH(StripScale, scale);
        const StripLayout layout(hugeSections(), scale);
        for (std::uint64_t offset = 1; offset < layout.fileSize(); offset = offset * 3 + 1) {
            const double half = (layout.placeOf(offset) + layout.placeOf(offset + 1)) / 2;
            QCOMPARE(layout.offsetAt(half), offset);
        }
    }

    void takesTheTensorsOfAFile()
    {
        const std::vector<std::byte> bytes =
            tests::tinyGguf({ { "one", 0, { 5 }, tests::bytesOf<float>({ 1, 2, 3, 4, 5 }) },
                              { "two", 0, { 4 }, tests::bytesOf<float>({ 1, 2, 3, 4 }) } });
        const auto file = GgufFile::parse(bytes, "tiny");
        QVERIFY(file.has_value());
        const StripLayout layout(*file, StripScale::ToScale);
        QCOMPARE(layout.fileSize(), bytes.size());
        QCOMPARE(layout.length(), static_cast<double>(bytes.size()));
        for (std::size_t i = 0; i < 2; ++i) {
            const auto section = layout.sectionOf((*file)->tensors()[i].data.offset);
            QVERIFY(section);
            QCOMPARE(layout.sections()[*section].tensor, static_cast<int>(i));
        }
        QCOMPARE(layout.sections()[0].tensor, -1);
    }
};

QTEST_GUILESS_MAIN(TestStripLayout)
#include "tst_strip_layout.moc"
