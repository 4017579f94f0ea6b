// The command line of the application.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QSize>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

/// What was asked for on the command line.
struct Options
{
    QStringList files;
    QString page; ///< empty: as it was last
    QString prompt; ///< asked once the model is loaded
    QString theme; ///< for this run; empty: as set
    QSize size; ///< of the window; invalid: as it was last
    double scale = 0; ///< of everything on screen; 0: the screen's
    QString screenshot; ///< file to write the window's picture to, then quit
    bool printAnswer = false; ///< the answer to `prompt` goes to standard output, then quit
    std::optional<float> temperature; ///< of sampling; 0: always the most likely token

    /// True when the application does its work and quits by itself.
    [[nodiscard]] bool isBatch() const { return printAnswer || !screenshot.isEmpty(); }
    /// True when the file is to be looked at, not loaded.
    [[nodiscard]] bool isInspection() const
    {
        return page == QLatin1String("inspect") && !files.isEmpty() && prompt.isEmpty();
    }
};

/// A command line that was read.
struct CommandLine
{
    enum class Action { Run, Help, Version, Wrong };

    Action action = Action::Run;
    Options options;
    QString complaint; ///< with Action::Wrong: what is wrong, one line
};

/// `arguments` without the program's name. Needs no application object.
[[nodiscard]] CommandLine parseCommandLine(const QStringList& arguments);

/// The text of --help and of --version.
[[nodiscard]] QString helpText();
[[nodiscard]] QString versionText();
