#include "app/services/logging.h"

#include <QByteArray>
#include <QLoggingCategory>
#include <QString>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>

namespace app {

namespace {

spdlog::level::level_enum levelOf(QtMsgType type)
{
    switch (type) {
    case QtDebugMsg:
        return spdlog::level::debug;
    case QtInfoMsg:
        return spdlog::level::info;
    case QtWarningMsg:
        return spdlog::level::warn;
    case QtCriticalMsg:
        return spdlog::level::err;
    case QtFatalMsg:
        return spdlog::level::critical;
    }
    return spdlog::level::warn;
}

void passToSpdlog(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    const std::string text = message.toStdString();
    const bool named = context.category != nullptr && qstrcmp(context.category, "default") != 0;
    if (named) {
        spdlog::log(levelOf(type), "{}: {}", context.category, text);
    } else {
        spdlog::log(levelOf(type), "{}", text);
    }
    if (type == QtFatalMsg) {
        spdlog::default_logger()->flush(); // Qt aborts next
    }
}

} // namespace

void initLogging()
{
    constexpr auto kUsual = spdlog::level::warn;
    auto logger = std::make_shared<spdlog::logger>(
        "vitrine", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger->set_pattern("%H:%M:%S.%e %^%l%$ %v");
    logger->set_level(kUsual);
    logger->flush_on(spdlog::level::trace);

    // An unknown name reads as "off", which would hide everything: a typing error keeps the usual
    // level instead.
    const std::string wanted = qgetenv("VITRINE_LOG").toLower().toStdString();
    const auto level = spdlog::level::from_str(wanted);
    const bool known = level != spdlog::level::off || wanted == "off";
    if (!wanted.empty() && known) {
        logger->set_level(level);
    }
    spdlog::set_default_logger(logger);
    if (!wanted.empty() && !known) {
        spdlog::warn("VITRINE_LOG={}: no such level; use trace, debug, info, warn, error, critical "
                     "or off",
                     wanted);
    }
    qInstallMessageHandler(passToSpdlog);
}

} // namespace app
