#include "tests/app/cli_process.h"

#include <QElapsedTimer>
#include <QProcess>

namespace tests {

nlohmann::ordered_json CliResult::json() const
{
    return nlohmann::ordered_json::parse(out.begin(), out.end(), nullptr, false);
}

QString cliPath()
{
    return QStringLiteral(VITRINE_CLI);
}

CliResult runCli(const QStringList& arguments, const QByteArray& input, int timeoutMs)
{
    QElapsedTimer timer;
    timer.start();
    QProcess process;
    process.start(cliPath(), arguments);
    process.write(input);
    process.closeWriteChannel();
    CliResult result;
    if (!process.waitForFinished(timeoutMs)) {
        process.kill();
        process.waitForFinished();
        result.err = "did not end in time: " + process.readAllStandardError();
        return result;
    }
    result.milliseconds = timer.elapsed();
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    if (process.exitStatus() == QProcess::NormalExit) {
        result.status = process.exitCode();
    }
    return result;
}

QString toQString(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

QString idList(const nlohmann::ordered_json& ids)
{
    QStringList out;
    for (const auto& id : ids) {
        out << QString::number(id.get<int>());
    }
    return out.join(QLatin1Char(','));
}

} // namespace tests
