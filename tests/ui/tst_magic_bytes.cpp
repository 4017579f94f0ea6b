// The magic byte by byte, and first bytes as lines.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/magic_bytes.h"

#include <QTest>
#include <QVariantMap>

class TestMagicBytes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void checksEachByte_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QString>("hex");
        QTest::addColumn<QString>("right");
        QTest::newRow("GGUF") << QByteArray("GGUF\3") << "47 47 55 46"
                              << "1111";
        QTest::newRow("old") << QByteArray("lmgg") << "6C 6D 67 67"
                             << "0000";
        QTest::newRow("GGML") << QByteArray("GGML") << "47 47 4D 4C"
                              << "1100";
        QTest::newRow("short") << QByteArray("GG") << "47 47  "
                               << "1100";
        QTest::newRow("zip") << QByteArray("PK\3\4", 4) << "50 4B 03 04"
                             << "0000";
    }
    void checksEachByte()
    {
        QFETCH(QByteArray, first);
        QFETCH(QString, hex);
        QFETCH(QString, right);
        QStringList bytes;
        QString checks;
        QString wanted;
        for (const QVariant& cell : magic_bytes::cells(first)) {
            bytes << cell.toMap()["hex"].toString();
            checks += cell.toMap()["right"].toBool() ? '1' : '0';
            wanted += cell.toMap()["wanted"].toString();
        }
        QCOMPARE(bytes.join(' '), hex);
        QCOMPARE(checks, right);
        QCOMPARE(wanted, QString("GGUF"));
    }

    void linesOfSixteen()
    {
        const auto lines = magic_bytes::lines(QByteArray("<!DOCTYPE html>\n<html>\x80"));
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0].toMap()["text"].toString(), QString("<!DOCTYPE html>."));
        QCOMPARE(lines[1].toMap()["offset"].toString(), QString("0x0000_0010"));
        QCOMPARE(lines[1].toMap()["hex"].toString(), QString("3C 68 74 6D 6C 3E 80"));
        QCOMPARE(lines[1].toMap()["text"].toString(), QString("<html>."));
        QVERIFY(magic_bytes::lines({}).isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestMagicBytes)
#include "tst_magic_bytes.moc"
