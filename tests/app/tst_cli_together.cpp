// Two processes on one Vulkan device at the same time. SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/support/conformance.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <memory>

using Json = nlohmann::ordered_json;

namespace {

constexpr int kPatience = 120'000;

/// A run whose caches are its own, or shared with other runs of the same folder.
class Run
{
public:
    Run(const QStringList& arguments, const QString& cacheFolder)
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CACHE_HOME"), cacheFolder);
        m_process.setProcessEnvironment(environment);
        m_process.start(tests::cliPath(), arguments);
    }
    /// The answer's tokens and text; null after a failure, which is printed.
    Json answer()
    {
        if (!m_process.waitForFinished(kPatience) || m_process.exitCode() != 0) {
            qWarning("%s", m_process.readAllStandardError().constData());
            return nullptr;
        }
        const auto out = m_process.readAllStandardOutput();
        const auto json = Json::parse(out.begin(), out.end(), nullptr, false);
        return { json["ids"], json["text"] };
    }

private:
    QProcess m_process;
};

/// Tells one writing of a file from the next.
ino_t inodeOf(const QString& path)
{
    struct stat status = {};
    return stat(path.toUtf8().constData(), &status) == 0 ? status.st_ino : 0;
}

} // namespace

class TestCliTogether : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Each answers as it does alone, and the file of pipelines that both write is whole.
    void answersAreTheSame()
    {
        const auto folder = tests::conformanceDir("architectures/llama-256-q4_0");
        if (!folder) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const auto devices = tests::runCli({ "devices", "--json" }).json();
        if (std::ranges::none_of(devices, [](const Json& device) {
                return device["id"] != "cpu" && device["usable"].get<bool>();
            })) {
            QSKIP("this machine has no Vulkan device (install mesa-vulkan-drivers)");
        }
        const auto line = [&](const char* tokens) {
            return QStringList {
                "generate",     "-m",       tests::toQString(*folder / "model.gguf"),
                "--tokens",     tokens,     "-n",
                "24",           "--temp",   "0",
                "--ignore-eos", "--device", "vulkan",
                "--json"
            };
        };
        constexpr std::array kPrompts { "1,300,20,30,40", "1,7,99,250,61" }; // of one length
        const QTemporaryDir apart;
        std::array<Json, 2> alone;
        for (std::size_t i = 0; i < alone.size(); ++i) {
            alone[i] = Run(line(kPrompts[i]), apart.path()).answer();
            QVERIFY(!alone[i].is_null());
        }
        QVERIFY(alone[0] != alone[1]);

        for (int round = 0; round < 3; ++round) {
            const QTemporaryDir shared;
            Run first(line(kPrompts[0]), shared.path());
            Run second(line(kPrompts[1]), shared.path());
            COMPARE_JSON(first.answer(), alone[0]);
            COMPARE_JSON(second.answer(), alone[1]);

            const QDir written(shared.filePath(QStringLiteral("vitrine")));
            const auto files = written.entryList(QDir::Files);
            QCOMPARE(files.size(), 1); // no draft is left
            QVERIFY(files.first().startsWith(QStringLiteral("pipelines-")));
            // whoever wrote last left all that such a run needs: the next one adds nothing to it
            const auto path = written.filePath(files.first());
            const auto inode = inodeOf(path);
            COMPARE_JSON(Run(line(kPrompts[0]), shared.path()).answer(), alone[0]);
            QCOMPARE(inodeOf(path), inode);
        }
    }
};

QTEST_GUILESS_MAIN(TestCliTogether)
#include "tst_cli_together.moc"
