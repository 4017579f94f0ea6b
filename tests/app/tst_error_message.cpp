// Errors in words: what, where, what to do, translated from the same code and arguments.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/error_message.h"

#include <QCoreApplication>
#include <QLocale>
#include <QSet>
#include <QTest>
#include <QTranslator>

using engine::ErrorCode;

namespace {

// German enough to see that pattern and arguments meet.
class PromptTranslator : public QTranslator
{
public:
    QString translate(const char* context, const char* source, const char*, int) const override
    {
        const bool wanted = qstrcmp(context, "EngineError") == 0
            && QByteArray(source).startsWith("The prompt has {0} tokens");
        return wanted ? QStringLiteral("Der Kontext fasst {1}, der Text hat {0}. Kürze ihn.")
                      : QString();
    }
    bool isEmpty() const override { return false; }
};

} // namespace

class TestErrorMessage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void whatWhereWhatToDo()
    {
        engine::Error error { ErrorCode::FileNotReadable,
                              { "Permission denied" },
                              { "/models/a.gguf", 1204, "general.alignment" } };
        const auto message = app::errorMessage(error);
        QCOMPARE(message.code, QStringLiteral("file-not-readable"));
        QCOMPARE(message.what, QStringLiteral("The file cannot be read (Permission denied)."));
        QCOMPARE(message.remedy, QStringLiteral("Check its permissions."));
        QCOMPARE(message.where, QStringLiteral("a.gguf, general.alignment, byte 1204 (0x4b4)"));
        QCOMPARE(message.file, QStringLiteral("/models/a.gguf"));
        QCOMPARE(message.offset, std::optional<quint64>(1204));
        QCOMPARE(message.subject, QStringLiteral("general.alignment"));
        QCOMPARE(app::errorText(error),
                 QStringLiteral("The file cannot be read (Permission denied). (a.gguf, "
                                "general.alignment, byte 1204 (0x4b4)) Check its permissions."));
    }

    void argumentsNeverMoveTheCut()
    {
        const engine::Error error { ErrorCode::FileNotReadable, { "No. Never {1}" }, {} };
        const auto message = app::errorMessage(error);
        QCOMPARE(message.what, QStringLiteral("The file cannot be read (No. Never {1})."));
        QCOMPARE(message.remedy, QStringLiteral("Check its permissions."));
        QVERIFY(message.where.isEmpty());
    }

    void oneSentenceHasNoRemedy()
    {
        const auto message = app::errorMessage({ ErrorCode::Cancelled, {}, {} });
        QCOMPARE(message.text(), QStringLiteral("Cancelled."));
        QVERIFY(message.remedy.isEmpty());
    }

    void translated()
    {
        PromptTranslator translator;
        QVERIFY(QCoreApplication::installTranslator(&translator));
        const auto message =
            app::errorMessage({ ErrorCode::PromptTooLong, { "5000", "4096" }, {} });
        QCoreApplication::removeTranslator(&translator);
        QCOMPARE(message.code, QStringLiteral("prompt-too-long"));
        QCOMPARE(message.what, QStringLiteral("Der Kontext fasst 4096, der Text hat 5000."));
        QCOMPARE(message.remedy, QStringLiteral("Kürze ihn."));
    }

    void everyCodeHasWords()
    {
        QSet<QString> slugs;
        const auto check = [&slugs](ErrorCode code, const char* name) {
            const auto message =
                app::errorMessage({ code, { "A0", "A1", "A2", "A3" }, { "f.gguf", {}, {} } });
            QVERIFY2(!message.what.isEmpty(), name);
            QVERIFY2(!message.text().contains(u'{'), qPrintable(message.text()));
            QVERIFY2(!slugs.contains(message.code), qPrintable(message.code));
            slugs << message.code;
        };
#define VITRINE_ERROR(name, slug, text) check(ErrorCode::name, #name);
#include "engine/base/error_codes.inc"
#undef VITRINE_ERROR
        QVERIFY(slugs.size() > 10);
    }
};

QTEST_GUILESS_MAIN(TestErrorMessage)
#include "tst_error_message.moc"
