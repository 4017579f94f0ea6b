// Runs the real vitrine-cli, as a person or a script would.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <filesystem>

/// QCOMPARE for JSON, which converts to too much to be compared by it.
#define COMPARE_JSON(actual, expected)                                                             \
    do {                                                                                           \
        const nlohmann::ordered_json actualJson = (actual);                                        \
        const nlohmann::ordered_json expectedJson = (expected);                                    \
        QVERIFY2(actualJson == expectedJson,                                                       \
                 (actualJson.dump() + " is not " + expectedJson.dump()).c_str());                  \
    } while (false)

namespace tests {

/// What one run left behind.
struct CliResult
{
    int status = -1; ///< exit status; -1 where it crashed or did not end in time
    QByteArray out;
    QByteArray err;
    qint64 milliseconds = 0;

    /// Standard output as JSON; a discarded value where it is none.
    [[nodiscard]] nlohmann::ordered_json json() const;
};

/// The program that was built beside the tests.
[[nodiscard]] QString cliPath();
/// Runs it to the end with `input` on standard input.
[[nodiscard]] CliResult runCli(const QStringList& arguments, const QByteArray& input = {},
                               int timeoutMs = 120000);
[[nodiscard]] QString toQString(const std::filesystem::path& path);
/// "1,2,3"
[[nodiscard]] QString idList(const nlohmann::ordered_json& ids);

} // namespace tests
