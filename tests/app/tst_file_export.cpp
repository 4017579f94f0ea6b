// Parts of a file saved as files: JSON, texts, raw weights, arrays for numpy; full disks, stopping.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/file_export.h"
#include "app/services/value_json.h"
#include "engine/gguf/joined_file.h"
#include "tests/support/split_gguf.h"
#include "tests/support/tiny_gguf.h"
#include "tests/ui/inspector_file.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <csignal>
#include <cstring>

namespace {

app::TaskControl control(const std::stop_token& stop = {})
{
    return { stop, [](double) {} };
}

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestFileExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(tests::writeInspectorFile(m_folder.filePath("a.gguf")));
        m_file = tests::openFile(m_folder.filePath("a.gguf"));
        QVERIFY(m_file);
        m_target = m_folder.filePath("out");
    }

    void savesAReport()
    {
        const auto size = app::exportReport(m_file, m_target.toStdString(), control());
        QVERIFY(size);
        const QByteArray bytes = read(m_target);
        QCOMPARE(static_cast<std::uint64_t>(bytes.size()), *size);
        QVERIFY(bytes.startsWith("# "));
        for (const char* part : { "a.gguf", "general.architecture", "Q4_0", "bos_token_id" }) {
            QVERIFY2(bytes.contains(part), part);
        }
        QVERIFY(!bytes.contains(m_folder.path().toUtf8())); // whoever attaches it keeps that
    }

    void savesMetadata()
    {
        const auto size = app::exportMetadataJson(*m_file, m_target.toStdString(), control());
        QVERIFY(size);
        const QByteArray bytes = read(m_target);
        QCOMPARE(static_cast<std::uint64_t>(bytes.size()), *size);
        QJsonParseError error;
        const auto json = QJsonDocument::fromJson(bytes, &error).object();
        QCOMPARE(error.error, QJsonParseError::NoError);
        QCOMPARE(json["file"].toString(), QString("a.gguf"));
        const auto entries = json["metadata"].toArray();
        QCOMPARE(entries.size(), 9);
        QCOMPARE(entries[0]["key"].toString(), QString("general.architecture"));
        QCOMPARE(entries[0]["value"].toString(), QString("llama"));
        QCOMPARE(entries[3]["element_type"].toString(), QString("string"));
        QCOMPARE(entries[3]["value"].toArray().size(), tests::kTokens);
        QCOMPARE(entries[3]["value"][17].toString(), QString("t17"));
        QCOMPARE(entries[4]["value"][2].toDouble(), -2.0);
        QVERIFY(entries[8]["value"].toString().contains("\n{{ m }}\n"));
        QCOMPARE(entries[8]["offset"].toDouble(),
                 static_cast<double>(m_file->metadata()[8].span.offset));
    }

    // A set says what it was made of, and gives each tensor from its part.
    void savesFromParts()
    {
        const auto prefix = m_folder.filePath("m").toStdString();
        QVERIFY(tests::splitFile(m_file->path(), prefix, 3));
        const auto set = engine::gguf::openJoined(tests::partPath(prefix, 2, 3));
        QVERIFY(set && (*set)->hasSeveralFiles());
        QVERIFY(app::exportMetadataJson(**set, m_target.toStdString(), control()));
        const auto json = QJsonDocument::fromJson(read(m_target)).object();
        QCOMPARE(json["file"].toString(), QString("m-00001-of-00003.gguf"));
        QCOMPARE(json["metadata"].toArray().size(), 9 + 3);
        const auto parts = json["parts"].toArray();
        QCOMPARE(parts.size(), 3);
        QCOMPARE(parts[2]["file"].toString(), QString("m-00003-of-00003.gguf"));
        QCOMPARE(parts[2]["part"].toInt(), 3);
        QCOMPARE(parts[2]["size"].toDouble(),
                 static_cast<double>(QFileInfo(m_folder.filePath("m-00003-of-00003.gguf")).size()));
        for (const auto& tensor : (*set)->tensors()) {
            QVERIFY(app::exportTensorRaw(**set, tensor, m_target.toStdString(), control()));
            const auto bytes = m_file->data(*m_file->findTensor(tensor.name));
            QCOMPARE(read(m_target),
                     QByteArray(reinterpret_cast<const char*>(bytes.data()),
                                static_cast<qsizetype>(bytes.size())));
        }
        QVERIFY(app::exportReport(*set, m_target.toStdString(), control()));
        QVERIFY(read(m_target).contains("| 2 | `m-00002-of-00003.gguf` |"));
    }

    void savesValues()
    {
        const auto save = [this](std::size_t entry) {
            return app::exportValue(*m_file, m_file->metadata()[entry].value,
                                    m_target.toStdString(), control());
        };
        QVERIFY(save(0));
        QCOMPARE(read(m_target), QByteArray("llama")); // a text as it is
        QVERIFY(save(2));
        QCOMPARE(read(m_target), QByteArray("12\n"));
        QVERIFY(save(5));
        QVERIFY(read(m_target).startsWith("[1, 1,"));
    }

    void writesJsonTexts()
    {
        QCOMPARE(app::jsonText("a\"b\\c\n\t"), std::string("\"a\\\"b\\\\c\\n\\u0009\""));
        QCOMPARE(app::jsonText("\xff"), std::string("\"\xef\xbf\xbd\""));
    }

    void savesRawWeights()
    {
        const auto& tensor = m_file->tensors()[2];
        QVERIFY(app::exportTensorRaw(*m_file, tensor, m_target.toStdString(), control()));
        QCOMPARE(read(m_target), QByteArray(64 * 8 / 32 * 18, '\x31'));
    }

    void savesForNumpy()
    {
        // Plain numbers keep their type; the slowest dimension comes first.
        QVERIFY(
            app::exportTensorNpy(*m_file, m_file->tensors()[0], m_target.toStdString(), control()));
        const QByteArray half = read(m_target);
        QVERIFY(half.startsWith("\x93NUMPY\x01"));
        const int header = static_cast<uchar>(half[8]) + 256 * static_cast<uchar>(half[9]);
        QCOMPARE((10 + header) % 64, 0);
        QVERIFY(half.mid(10, header)
                    .startsWith("{'descr': '<f2', 'fortran_order': False, 'shape': (32, 64, ), }"));
        QVERIFY(half.mid(10, header).endsWith('\n'));
        QCOMPARE(half.size(), 10 + header + 32 * 64 * 2);
        // Quantized ones are decoded.
        QVERIFY(
            app::exportTensorNpy(*m_file, m_file->tensors()[2], m_target.toStdString(), control()));
        const QByteArray decoded = read(m_target);
        QVERIFY(decoded.contains("'<f4'"));
        QVERIFY(decoded.contains("(8, 64, )"));
        float first = 0;
        std::memcpy(&first, decoded.constData() + decoded.size() - 8 * 64 * 4, sizeof first);
        // d = 0x3131 as a half (0.1622…), the low nibble of 0x31 is 1: d × (1 − 8).
        QVERIFY(std::abs(first - 0.16223144F * -7) < 1e-6F);
    }

    void savesOneDimension()
    {
        const auto bytes =
            tests::tinyGguf({ { "v", 0, { 3 }, tests::bytesOf(std::vector<float> { 1, 2, 3 }) } });
        const auto file = *engine::gguf::GgufFile::parse(bytes, "memory");
        QVERIFY(app::exportTensorNpy(*file, file->tensors()[0], m_target.toStdString(), control()));
        QVERIFY(read(m_target).contains("'shape': (3, ), }"));
    }

    void saysWhatFails()
    {
        const auto& tensor = m_file->tensors()[0];
        const auto nowhere =
            app::exportTensorRaw(*m_file, tensor, "/nowhere/at/all.bin", control());
        QVERIFY(!nowhere);
        QCOMPARE(nowhere.error().code, engine::ErrorCode::FileWriteFailed);
        QCOMPARE(nowhere.error().where.file, std::string("/nowhere/at/all.bin"));
        // A device is no place for a file, and must not be replaced by one.
        const auto device = app::exportTensorRaw(*m_file, tensor, "/dev/null", control());
        QVERIFY(!device);
        QCOMPARE(device.error().code, engine::ErrorCode::FileWriteFailed);
        QVERIFY(!QFileInfo("/dev/null").isFile());
        // What was there stays when it is stopped.
        QVERIFY(app::exportValue(*m_file, m_file->metadata()[0].value, m_target.toStdString(),
                                 control()));
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = app::exportTensorRaw(*m_file, tensor, m_target.toStdString(),
                                                  control(stop.get_token()));
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, engine::ErrorCode::Cancelled);
        QCOMPARE(read(m_target), QByteArray("llama"));
        // A tensor whose weights are cut off.
        auto bytes = tests::tinyGguf(
            { { "v", 0, { 100 }, tests::bytesOf(std::vector<float> { 1, 2, 3 }) } });
        const auto cut = *engine::gguf::GgufFile::parse(bytes, "memory");
        QVERIFY(!app::exportTensorRaw(*cut, cut->tensors()[0], m_target.toStdString(), control()));
        QVERIFY(!app::exportTensorNpy(*cut, cut->tensors()[0], m_target.toStdString(), control()));
    }

    // As on a full disk: the system takes a part only. Nothing is left behind.
    void saysThatThereIsNoRoom()
    {
        rlimit before {};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        const rlimit small { 1000, before.rlim_max };
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        const QString target = m_folder.filePath("too-large.bin");
        const auto full =
            app::exportTensorRaw(*m_file, m_file->tensors()[0], target.toStdString(), control());
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
        std::signal(SIGXFSZ, handler);
        QVERIFY(!full);
        QCOMPARE(full.error().code, engine::ErrorCode::FileWriteFailed);
        QVERIFY(!QFile::exists(target));
    }

private:
    QTemporaryDir m_folder;
    QString m_target;
    std::shared_ptr<const engine::gguf::GgufFile> m_file;
};

QTEST_GUILESS_MAIN(TestFileExport)
#include "tst_file_export.moc"
