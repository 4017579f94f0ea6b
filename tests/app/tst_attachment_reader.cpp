// Reading text files to attach: what is text comes whole, what is none is refused with its reason.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/attachment_reader.h"
#include "chat_samples.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using app::Attachment;
using app::AttachmentReader;
using app::ErrorMessage;
using tests::writeBytes;

namespace {

QByteArray utf16(const QString& text, bool bigEndian)
{
    QByteArray bytes;
    for (const QChar unit : QChar(QChar::ByteOrderMark) + text) {
        const char high = static_cast<char>(unit.row());
        const char low = static_cast<char>(unit.cell());
        bytes.append(bigEndian ? high : low).append(bigEndian ? low : high);
    }
    return bytes;
}

} // namespace

class TestAttachmentReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_path = m_directory->filePath("notes – é.txt");
    }

    void reads_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("text");
        const QString text = QStringLiteral("Grüße 🦜\nשלום\n");
        QTest::addRow("UTF-8") << text.toUtf8() << text;
        QTest::addRow("UTF-8 with mark") << "\xef\xbb\xbf" + text.toUtf8() << text;
        QTest::addRow("UTF-16LE") << utf16(text, false) << text;
        QTest::addRow("UTF-16BE") << utf16(text, true) << text;
        QTest::addRow("line ends of Windows") << QByteArray("a\r\nb\r\n") << "a\nb\n";
        QTest::addRow("one endless line") << QByteArray(5'000'000, 'x') << QString(5'000'000, u'x');
        QTest::addRow("as large as may be") << QByteArray(AttachmentReader::kLargestFile, 'y')
                                            << QString(AttachmentReader::kLargestFile, u'y');
    }

    void reads()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, text);
        QVERIFY(writeBytes(m_path, bytes));
        AttachmentReader reader;
        QSignalSpy ready(&reader, &AttachmentReader::ready);
        reader.read({ m_path });
        QVERIFY(ready.wait());
        const auto attachment = ready[0][0].value<Attachment>();
        QCOMPARE(attachment.name, "notes – é.txt");
        QVERIFY(attachment.text == text);
        QCOMPARE(attachment.tokens, -1);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("code");
        QTest::addRow("Latin-1") << QByteArray("Gr\xfc\xdf"
                                               "e an alle")
                                 << "attachment-no-text";
        QTest::addRow("cut character") << QByteArray("Gr\xc3") << "attachment-no-text";
        QTest::addRow("NUL") << QByteArray("a\0b", 3) << "attachment-no-text";
        QTest::addRow("picture") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)
                                 << "attachment-no-text";
        QTest::addRow("UTF-16 without mark")
            << utf16("plain", false).mid(2) << "attachment-no-text";
        QTest::addRow("half of a UTF-16 pair")
            << utf16("a🦜", false).chopped(2) << "attachment-no-text";
        QTest::addRow("odd UTF-16") << utf16("ab", false).chopped(1) << "attachment-no-text";
        QTest::addRow("empty") << QByteArray() << "attachment-empty";
        QTest::addRow("spaces") << QByteArray(" \r\n\t") << "attachment-empty";
        QTest::addRow("too large")
            << QByteArray(AttachmentReader::kLargestFile + 1, 'y') << "attachment-too-large";
    }

    void refuses()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, code);
        QVERIFY(writeBytes(m_path, bytes));
        QCOMPARE(refusalOf(m_path), code);
    }

    void refusesWhatIsNoFile()
    {
        QCOMPARE(refusalOf(m_path), "attachment-unreadable"); // missing
        QCOMPARE(refusalOf(m_directory->path()), "attachment-no-file");
        QCOMPARE(mkfifo(QFile::encodeName(m_path).constData(), 0600), 0);
        QCOMPARE(refusalOf(m_path), "attachment-no-file"); // and does not wait for a writer
        QCOMPARE(refusalOf("/dev/zero"), "attachment-no-file");
    }

    void refusesWhatMayNotBeRead()
    {
        QVERIFY(writeBytes(m_path, "secret"));
        QVERIFY(QFile::setPermissions(m_path, {}));
        const uid_t before = geteuid();
        if (before == 0) { // whom permissions do not stop
            QVERIFY(QFile::setPermissions(m_directory->path(),
                                          QFile::ReadOwner | QFile::ExeOwner | QFile::ExeGroup
                                              | QFile::ExeOther));
            QCOMPARE(seteuid(65534), 0);
        }
        const QString code = refusalOf(m_path);
        const QString hidden = refusalOf("/proc/1/fd/0"); // in a folder that may not be entered
        QCOMPARE(seteuid(before), 0);
        QCOMPARE(code, "attachment-unreadable");
        QCOMPARE(hidden, "attachment-unreadable");
        QVERIFY(QFile::setPermissions(m_directory->path(),
                                      QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    void inTheirOrder()
    {
        QStringList paths;
        QStringList names;
        for (int i = 0; i < 20; ++i) {
            names << QString("%1.txt").arg(i);
            paths << m_directory->filePath(names.constLast());
            if (i % 2 == 0) {
                QVERIFY(writeBytes(paths.constLast(), QByteArray(1000 * (20 - i), 'x')));
            }
        }
        AttachmentReader reader;
        QStringList ended;
        QObject::connect(&reader, &AttachmentReader::ready, &reader,
                         [&](const Attachment& attachment) { ended << attachment.name; });
        QObject::connect(&reader, &AttachmentReader::refused, &reader,
                         [&](const ErrorMessage& error) { ended << error.file.section('/', -1); });
        reader.read(paths);
        QTRY_COMPARE(ended, names);
    }

    void endsWhileReading()
    {
        QVERIFY(writeBytes(m_path, QByteArray(AttachmentReader::kLargestFile, 'y')));
        for (int i = 0; i < 3; ++i) {
            AttachmentReader reader;
            reader.read({ m_path, m_path, m_path });
        }
    }

private:
    /// The code, where all else is said too.
    static QString refusalOf(const QString& path)
    {
        AttachmentReader reader;
        QSignalSpy refused(&reader, &AttachmentReader::refused);
        reader.read({ path });
        if (!refused.wait()) {
            return "nothing";
        }
        const auto error = refused[0][0].value<ErrorMessage>();
        const bool complete = !error.what.isEmpty() && !error.remedy.isEmpty() && error.file == path
            && !error.where.isEmpty();
        return complete ? error.code : "incomplete: " + error.text();
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    QString m_path;
};

QTEST_GUILESS_MAIN(TestAttachmentReader)
#include "tst_attachment_reader.moc"
