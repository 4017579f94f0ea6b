// Pictures of the format agree with the file and with the codecs.
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/codec.h"
#include "tests/ui/inspector_file.h"
#include "ui/inspector/field_finder.h"
#include "ui/inspector/format_strip.h"

#include <QTemporaryDir>
#include <QTest>
#include <QVariantMap>

using format_strip::Parts;

class TestFormatStrip : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const QString path = m_folder.filePath("a.gguf");
        QVERIFY(tests::writeInspectorFile(path));
        m_file = tests::openFile(path);
        QVERIFY(m_file);
    }

    // Each field of a picture is one that the parser's spans know, of the same size.
    void followTheFile()
    {
        const FieldFinder finder(m_file);
        const auto check = [&](const Parts& parts, std::uint64_t start, std::uint64_t size,
                               bool lastHasFieldsOfItsOwn) {
            QVERIFY(!parts.isEmpty());
            quint64 at = 0;
            for (const auto& part : parts) {
                QCOMPARE(part.at, at);
                at += part.size;
                if (!lastHasFieldsOfItsOwn || at < size) {
                    const Field field = finder.at(start + part.at);
                    QCOMPARE(field.span.offset, start + part.at);
                    QCOMPARE(field.span.size, part.size);
                }
            }
            QCOMPARE(at, size);
        };
        check(format_strip::header(m_file->header()), 0, m_file->header().span.size, false);
        for (const auto& entry : m_file->metadata()) {
            check(format_strip::entry(entry), entry.span.offset, entry.span.size,
                  entry.value.type() == engine::gguf::ValueType::Array);
        }
        for (const auto& tensor : m_file->tensors()) {
            check(format_strip::directoryEntry(tensor), tensor.entry.offset, tensor.entry.size,
                  false);
        }
        const Parts all = format_strip::file(*m_file);
        QCOMPARE(all.constFirst().at, 0U);
        QCOMPARE(all.constLast().at, m_file->dataOffset());
        QCOMPARE(all.constLast().at + all.constLast().size, m_file->bytes().size());
        QCOMPARE(all.size(), 5);
    }

    void followTheCodecs()
    {
        int pictures = 0;
        for (const auto& codec : engine::quant::codecs()) {
            const auto& info = engine::gguf::tensorTypeInfo(codec.type);
            const Parts parts = format_strip::block(static_cast<std::uint32_t>(codec.type));
            QCOMPARE(parts.isEmpty(), info.blockSize == 1);
            quint64 at = 0;
            for (const auto& part : parts) {
                QCOMPARE(part.at, at);
                QVERIFY(part.kind != "padding");
                at += part.size;
            }
            QVERIFY(parts.isEmpty() || at == info.typeSize);
            pictures += parts.isEmpty() ? 0 : 1;
        }
        QVERIFY(pictures >= 10);
        const Parts q4k =
            format_strip::block(static_cast<std::uint32_t>(engine::gguf::TensorType::Q4_K));
        QCOMPARE(q4k.size(), 4);
        QCOMPARE(q4k[0].kind, QString("scale"));
        QCOMPARE(q4k[1].kind, QString("min"));
        QCOMPARE(q4k[2].kind, QString("subScale"));
        QCOMPARE(q4k[3].kind, QString("quant"));
        QVERIFY(format_strip::block(43).isEmpty());
    }

    void areListed()
    {
        const QVariantList list = format_strip::listed(format_strip::header(m_file->header()));
        QCOMPARE(list.size(), 4);
        const QVariantMap count = list[2].toMap();
        QCOMPARE(count["name"].toString(), QString("tensor count"));
        QCOMPARE(count["size"].toString(), QString("8"));
        QCOMPARE(count["at"].toString(), QString("8"));
        QCOMPARE(count["bytes"].toString(), QString("8 bytes"));
        QCOMPARE(count["share"].toDouble(), 8.0 / 24);
        QVERIFY(format_strip::listed({}).isEmpty());
    }

private:
    QTemporaryDir m_folder;
    FieldFinder::File m_file;
};

QTEST_APPLESS_MAIN(TestFormatStrip)
#include "tst_format_strip.moc"
