// The command line of the application.
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/options.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QUrl>
#include <QtCore/QtGlobal>

#include <array>
#include <cmath>

namespace {

constexpr double kMinScale = 0.5;
constexpr double kMaxScale = 8;
constexpr int kMinSide = 320;
constexpr int kMaxSide = 16384;

/// Reads the value of one option; false when it is no good.
using Reader = bool (*)(Options& options, const QString& value);

struct Option
{
    const char* name;
    const char* wanted; ///< what a good value is
    Reader read;
};

bool oneOf(const QString& value, std::initializer_list<const char*> good, QString& target)
{
    for (const char* candidate : good) {
        if (value == QLatin1String(candidate)) {
            target = value;
            return true;
        }
    }
    return false;
}

bool readPage(Options& options, const QString& value)
{
    return oneOf(value, { "chat", "inspect", "settings" }, options.page);
}

bool readPrompt(Options& options, const QString& value)
{
    options.prompt = value;
    return !value.trimmed().isEmpty();
}

bool readTheme(Options& options, const QString& value)
{
    return oneOf(value, { "light", "dark", "system" }, options.theme);
}

bool readSize(Options& options, const QString& value)
{
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,5})x(\\d{1,5})$"));
    const auto match = pattern.match(value);
    options.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
    const auto good = [](int side) { return side >= kMinSide && side <= kMaxSide; };
    return match.hasMatch() && good(options.size.width()) && good(options.size.height());
}

bool readScale(Options& options, const QString& value)
{
    bool isNumber = false;
    options.scale = value.toDouble(&isNumber);
    return isNumber && options.scale >= kMinScale && options.scale <= kMaxScale;
}

bool readScreenshot(Options& options, const QString& value)
{
    options.screenshot = value;
    return !value.isEmpty();
}

bool readTemperature(Options& options, const QString& value)
{
    bool isNumber = false;
    options.temperature = value.toFloat(&isNumber);
    return isNumber && std::isfinite(*options.temperature) && *options.temperature >= 0;
}

constexpr std::array kOptions {
    Option { "--page", "chat, inspect or settings", readPage },
    Option { "--prompt", "a text", readPrompt },
    Option { "--theme", "light, dark or system", readTheme },
    Option { "--size", "WIDTHxHEIGHT, e.g. 1280x800", readSize },
    Option { "--scale", "a number from 0.5 to 8", readScale },
    Option { "--screenshot", "a file name", readScreenshot },
    Option { "--temp", "a number from 0 on", readTemperature },
};

CommandLine wrong(const QString& complaint)
{
    return { CommandLine::Action::Wrong, {}, complaint };
}

const Option* findOption(const QString& name)
{
    for (const Option& option : kOptions) {
        if (name == QLatin1String(option.name)) {
            return &option;
        }
    }
    return nullptr;
}

/// File managers may hand on URLs.
QString localPath(const QString& argument)
{
    return argument.startsWith(QLatin1String("file:")) ? QUrl(argument).toLocalFile() : argument;
}

CommandLine checked(CommandLine line)
{
    const Options& options = line.options;
    if (options.printAnswer && (options.prompt.isEmpty() || options.files.isEmpty())) {
        return wrong(QStringLiteral("--print-answer needs a FILE and --prompt TEXT."));
    }
    return line;
}

} // namespace

CommandLine parseCommandLine(const QStringList& arguments)
{
    CommandLine line;
    bool onlyFiles = false;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        const QString& argument = arguments.at(at);
        if (onlyFiles || !argument.startsWith(u'-')) {
            line.options.files << localPath(argument);
            continue;
        }
        if (argument == QLatin1String("--")) {
            onlyFiles = true;
            continue;
        }
        if (argument == QLatin1String("--help") || argument == QLatin1String("-h")) {
            return { CommandLine::Action::Help, {}, {} };
        }
        if (argument == QLatin1String("--version")) {
            return { CommandLine::Action::Version, {}, {} };
        }
        if (argument == QLatin1String("--print-answer")) {
            line.options.printAnswer = true;
            continue;
        }
        const qsizetype equals = argument.indexOf(u'=');
        const QString name = argument.left(equals);
        const Option* option = findOption(name);
        if (option == nullptr) {
            return wrong(QStringLiteral("There is no option %1. See --help.").arg(name));
        }
        if (equals < 0 && at + 1 >= arguments.size()) {
            return wrong(QStringLiteral("%1 needs %2.").arg(name, QLatin1String(option->wanted)));
        }
        const QString value = equals < 0 ? arguments.at(++at) : argument.mid(equals + 1);
        if (!option->read(line.options, value)) {
            return wrong(QStringLiteral("%1 needs %2, not \"%3\".")
                             .arg(name, QLatin1String(option->wanted), value));
        }
    }
    return checked(std::move(line));
}

QString helpText()
{
    return QStringLiteral(
        "Usage: vitrine [FILE…] [options]\n"
        "Chat with a local language model (a .gguf file). Of several files the first one is "
        "opened.\n"
        "\n"
        "  --page chat|inspect|settings\n"
        "                             The page to begin with (the last one); with inspect FILE is "
        "shown, not loaded\n"
        "  --prompt TEXT              Ask this as soon as the model is loaded\n"
        "  --temp T                   Sampling temperature of this run; 0 always takes the most "
        "likely token\n"
        "  --theme light|dark|system  The look of this run\n"
        "  --size WxH                 The window's size\n"
        "  --scale F                  Make everything F times as large (0.5 to 8)\n"
        "\n"
        "Without somebody in front of it (a chat that --prompt begins is not kept then):\n"
        "  --print-answer             Print the answer to --prompt, and nothing else, to standard "
        "output while it is\n"
        "                             written, then quit\n"
        "  --screenshot PNG           Once the model is loaded and the answer is whole, write the "
        "window's picture,\n"
        "                             then quit\n"
        "\n"
        "  --help, --version          This text; the version\n"
        "\n"
        "Exit status: 0 done, 1 the work failed (one line on standard error says why), 2 wrong "
        "usage.\n"
        "VITRINE_LOG=debug logs to standard error.\n");
}

QString versionText()
{
    return QStringLiteral("vitrine %1 (Qt %2, %3, %4)\n")
        .arg(QStringLiteral(VITRINE_VERSION), QLatin1String(qVersion()),
             QStringLiteral(VITRINE_COMPILER), QStringLiteral(VITRINE_BUILD_TYPE));
}
