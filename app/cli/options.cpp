#include "app/cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace app::cli {

namespace {

std::optional<double> parseNumber(std::string_view text)
{
    double value = 0;
    const auto end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> parseInteger(std::string_view text)
{
    std::int64_t value = 0;
    const auto end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) {
        return std::nullopt;
    }
    return value;
}

std::string shortNumber(double value)
{
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
    return error == std::errc() ? std::string(buffer, end) : std::string("?");
}

std::string spelling(const Option& option)
{
    return "--" + std::string(option.name);
}

const Option* findByName(std::span<const Option> table, std::string_view name)
{
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const Option& option) { return option.name == name; });
    return found == table.end() ? nullptr : &*found;
}

const Option* findByLetter(std::span<const Option> table, char letter)
{
    const auto found = std::find_if(table.begin(), table.end(), [&](const Option& option) {
        return option.letter != 0 && option.letter == letter;
    });
    return found == table.end() ? nullptr : &*found;
}

std::string unknownOption(std::span<const Option> table, const std::string& word)
{
    std::string line = "unknown option " + word;
    std::vector<std::string_view> names;
    for (const auto& option : table) {
        names.push_back(option.name);
    }
    const auto name = word.substr(0, word.find('=')).substr(std::min<std::size_t>(2, word.size()));
    const auto meant = nearestWord(name, names);
    if (!meant.empty()) {
        line += "; did you mean --" + std::string(meant) + "?";
    }
    return line;
}

std::string rangeText(const Option& option)
{
    if (option.most >= 1e15) {
        return "of at least " + shortNumber(option.least);
    }
    return "from " + shortNumber(option.least) + " to " + shortNumber(option.most);
}

bool isChoice(std::string_view choices, std::string_view value)
{
    while (!choices.empty()) {
        const auto bar = choices.find('|');
        if (choices.substr(0, bar) == value) {
            return true;
        }
        choices = bar == std::string_view::npos ? std::string_view() : choices.substr(bar + 1);
    }
    return false;
}

/// One word of the command line, split into option and value where it has both.
struct Split
{
    const Option* option = nullptr;
    std::optional<std::string> value;
};

Split splitWord(std::span<const Option> table, const std::string& word)
{
    Split split;
    if (word.starts_with("--")) {
        const auto equals = word.find('=');
        split.option = findByName(table, std::string_view(word).substr(2, equals - 2));
        if (equals != std::string::npos) {
            split.value = word.substr(equals + 1);
        }
    } else {
        split.option = findByLetter(table, word[1]);
        if (word.size() > 2) {
            split.value = word.substr(2);
        }
    }
    return split;
}

} // namespace

Option flag(std::string_view name, std::string_view help, char letter)
{
    return { .name = name, .letter = letter, .help = help, .kind = OptionKind::Flag };
}

Option text(std::string_view name, std::string_view argument, std::string_view help, char letter)
{
    return { .name = name, .letter = letter, .argument = argument, .help = help };
}

Option integer(std::string_view name, std::string_view argument, std::string_view help,
               double least, double most, char letter)
{
    return { .name = name,
             .letter = letter,
             .argument = argument,
             .help = help,
             .kind = OptionKind::Integer,
             .least = least,
             .most = most };
}

Option number(std::string_view name, std::string_view argument, std::string_view help, double least,
              double most)
{
    return { .name = name,
             .argument = argument,
             .help = help,
             .kind = OptionKind::Number,
             .least = least,
             .most = most };
}

Option choice(std::string_view name, std::string_view choices, std::string_view help)
{
    return { .name = name,
             .argument = choices,
             .help = help,
             .kind = OptionKind::Choice,
             .choices = choices };
}

Outcome<Arguments> Arguments::parse(std::span<const Option> table,
                                    std::span<const std::string> words)
{
    Arguments out;
    bool onlyPositionals = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (onlyPositionals || word.size() < 2 || word[0] != '-') {
            out.m_positionals.push_back(word);
            continue;
        }
        if (word == "--") {
            onlyPositionals = true;
            continue;
        }
        Split split = splitWord(table, word);
        if (!split.option) {
            return wrongUsage(unknownOption(table, word));
        }
        if (split.option->kind == OptionKind::Flag) {
            if (split.value) {
                return wrongUsage(spelling(*split.option) + " takes no value");
            }
            out.m_values[std::string(split.option->name)] = { "" };
            continue;
        }
        if (!split.value) {
            if (i + 1 == words.size()) {
                return wrongUsage(spelling(*split.option) + " needs a value ("
                                  + std::string(split.option->argument) + ")");
            }
            split.value = words[++i];
        }
        if (auto stored = out.store(*split.option, std::move(*split.value)); !stored) {
            return tl::unexpected(stored.error());
        }
    }
    return out;
}

Outcome<void> Arguments::store(const Option& option, std::string value)
{
    const auto wrong = [&](const std::string& wanted) {
        return wrongUsage(spelling(option) + " needs " + wanted + ", not \"" + value + "\"");
    };
    if (option.kind == OptionKind::Integer) {
        const auto parsed = parseInteger(value);
        if (!parsed || static_cast<double>(*parsed) < option.least
            || static_cast<double>(*parsed) > option.most) {
            return wrong("a whole number " + rangeText(option));
        }
    } else if (option.kind == OptionKind::Number) {
        const auto parsed = parseNumber(value);
        if (!parsed || *parsed < option.least || *parsed > option.most) {
            return wrong("a number " + rangeText(option));
        }
    } else if (option.kind == OptionKind::Choice && !isChoice(option.choices, value)) {
        return wrong("one of " + std::string(option.choices));
    }
    auto& values = m_values[std::string(option.name)];
    if (!option.repeats) {
        values.clear();
    }
    values.push_back(std::move(value));
    return {};
}

bool Arguments::has(std::string_view name) const
{
    return m_values.find(name) != m_values.end();
}

std::optional<std::string> Arguments::text(std::string_view name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::nullopt : std::optional(found->second.back());
}

std::vector<std::string> Arguments::all(std::string_view name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::vector<std::string>() : found->second;
}

std::int64_t Arguments::integer(std::string_view name, std::int64_t fallback) const
{
    const auto value = text(name);
    return value ? parseInteger(*value).value_or(fallback) : fallback;
}

double Arguments::number(std::string_view name, double fallback) const
{
    const auto value = text(name);
    return value ? parseNumber(*value).value_or(fallback) : fallback;
}

std::string optionHelp(std::span<const Option> table)
{
    std::vector<std::string> heads;
    std::size_t width = 0;
    for (const auto& option : table) {
        std::string head = option.letter ? std::string("-") + option.letter + ", " : "    ";
        head += spelling(option);
        if (!option.argument.empty()) {
            head += ' ';
            head += option.argument;
        }
        width = std::max(width, head.size());
        heads.push_back(std::move(head));
    }
    std::string out;
    for (std::size_t i = 0; i < table.size(); ++i) {
        out += "  " + heads[i] + std::string(width - heads[i].size() + 2, ' ')
            + std::string(table[i].help) + "\n";
    }
    return out;
}

std::string_view nearestWord(std::string_view word, std::span<const std::string_view> known)
{
    std::string_view best;
    std::size_t bestDistance = word.size() / 3 + 1; // further off is no typing error
    for (const auto candidate : known) {
        std::vector<std::size_t> row(candidate.size() + 1);
        for (std::size_t j = 0; j <= candidate.size(); ++j) {
            row[j] = j;
        }
        for (std::size_t i = 1; i <= word.size(); ++i) {
            std::size_t diagonal = row[0];
            row[0] = i;
            for (std::size_t j = 1; j <= candidate.size(); ++j) {
                const std::size_t change = diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = std::min({ change, row[j] + 1, row[j - 1] + 1 });
            }
        }
        if (row.back() <= bestDistance && (best.empty() || row.back() < bestDistance)) {
            best = candidate;
            bestDistance = row.back();
        }
    }
    return best;
}

} // namespace app::cli
