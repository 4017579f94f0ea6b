// The option table that all commands share: declaration, parsing, help text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/failure.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app::cli {

enum class OptionKind { Flag, Text, Integer, Number, Choice };

/// One row of a command's option table.
struct Option
{
    std::string_view name; ///< long name without dashes; the key of all look-ups
    char letter = 0; ///< short name, 0 for none
    std::string_view argument; ///< placeholder in the help; empty for a flag
    std::string_view help;
    OptionKind kind = OptionKind::Text;
    double least = 0; ///< of Integer and Number
    double most = 0;
    std::string_view choices; ///< of Choice: "cpu|auto"
    bool repeats = false; ///< may be given several times
};

[[nodiscard]] Option flag(std::string_view name, std::string_view help, char letter = 0);
[[nodiscard]] Option text(std::string_view name, std::string_view argument, std::string_view help,
                          char letter = 0);
[[nodiscard]] Option integer(std::string_view name, std::string_view argument,
                             std::string_view help, double least, double most, char letter = 0);
[[nodiscard]] Option number(std::string_view name, std::string_view argument, std::string_view help,
                            double least, double most);
[[nodiscard]] Option choice(std::string_view name, std::string_view choices, std::string_view help);

/// What was given on a command line, checked against an option table.
class Arguments
{
public:
    /// Options may stand anywhere; "--name=value", "-n5" and "--" work as usual. Every value is
    /// checked here, so that the getters below cannot fail.
    [[nodiscard]] static Outcome<Arguments> parse(std::span<const Option> table,
                                                  std::span<const std::string> words);

    [[nodiscard]] bool has(std::string_view name) const;
    /// The last value given.
    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> all(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t fallback) const;
    [[nodiscard]] double number(std::string_view name, double fallback) const;
    [[nodiscard]] const std::vector<std::string>& positionals() const { return m_positionals; }

private:
    [[nodiscard]] Outcome<void> store(const Option& option, std::string value);

    std::map<std::string, std::vector<std::string>, std::less<>> m_values;
    std::vector<std::string> m_positionals;
};

/// The table as aligned lines for `--help`.
[[nodiscard]] std::string optionHelp(std::span<const Option> table);

/// The word of `known` that was probably meant, or nothing.
[[nodiscard]] std::string_view nearestWord(std::string_view word,
                                           std::span<const std::string_view> known);

} // namespace app::cli
