// The settings' view model.
// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/settings_view_model.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using app::Settings;

class TestSettingsViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void changesTheSettings()
    {
        const QTemporaryDir directory;
        Settings settings(directory.path());
        SettingsViewModel model(settings);
        QCOMPARE(model.theme(), QString("system"));
        QSignalSpy themes(&model, &SettingsViewModel::themeChanged);
        model.setTheme("dark");
        QCOMPARE(settings.theme(), Settings::Theme::Dark);
        QCOMPARE(model.theme(), QString("dark"));
        QVERIFY(themes.count() >= 1);
        model.setTheme("light");
        QCOMPARE(settings.theme(), Settings::Theme::Light);
        model.setThreads(2);
        model.setContextLength(2048);
        QCOMPARE(settings.threads(), 2);
        QCOMPARE(settings.contextLength(), 2048);
        QVERIFY(SettingsViewModel::cores() >= 1);
        QVERIFY(model.filePath().startsWith(directory.path()));
    }

    // A theme from the command line is not kept, and gives way to a choice.
    void overridesTheThemeForOneRun()
    {
        const QTemporaryDir directory;
        Settings settings(directory.path());
        settings.setTheme(Settings::Theme::Light);
        SettingsViewModel model(settings);
        QSignalSpy themes(&model, &SettingsViewModel::themeChanged);
        model.overrideTheme("dark");
        QCOMPARE(model.theme(), QString("dark"));
        QCOMPARE(settings.theme(), Settings::Theme::Light);
        QCOMPARE(themes.count(), 1);
        model.setTheme("light");
        QCOMPARE(model.theme(), QString("light"));
        QVERIFY(themes.count() >= 2);
    }

    void tellsOfADamagedFile()
    {
        const QTemporaryDir directory;
        QFile file(directory.filePath("settings.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{ not json");
        file.close();
        Settings settings(directory.path());
        SettingsViewModel model(settings);
        QTRY_VERIFY(model.notice().isShown());
        model.dismissNotice();
        QVERIFY(!model.notice().isShown());
    }
};

QTEST_GUILESS_MAIN(TestSettingsViewModel)
#include "tst_settings_view_model.moc"
