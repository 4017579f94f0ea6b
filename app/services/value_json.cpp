#include "app/services/value_json.h"

#include <QString>

#include <array>
#include <charconv>
#include <cmath>

namespace app {

namespace {

using engine::gguf::Value;
using engine::gguf::ValueType;

constexpr int kShownDepth = 32; // deeper arrays are valid, but nobody reads them
constexpr std::size_t kPiece = 1 << 16; // of text handed on at once

template <typename T>
std::string numberText(T number)
{
    std::array<char, 40> text {};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    return { text.data(), end.ptr };
}

std::string scalarText(const Value& value)
{
    if (const auto text = value.asText()) {
        return jsonText(*text);
    }
    if (const auto flag = value.asBool()) {
        return *flag ? "true" : "false";
    }
    if (const auto whole = value.asInteger()) {
        return numberText(*whole);
    }
    if (const auto whole = value.asUnsigned()) { // above the range of a signed number
        return numberText(*whole);
    }
    const auto number = value.asNumber();
    if (!number || !std::isfinite(*number)) {
        return "null";
    }
    return value.type() == ValueType::F32 ? numberText(static_cast<float>(*number))
                                          : numberText(*number);
}

/// Gathers small pieces, so that the sink is not called for each element.
class Pieces
{
public:
    explicit Pieces(const TextSink& sink)
        : m_sink(sink)
    {
    }
    bool add(std::string_view text)
    {
        m_text += text;
        return m_text.size() < kPiece || flush();
    }
    bool flush()
    {
        m_good = m_good && m_sink(m_text);
        m_text.clear();
        return m_good;
    }

private:
    const TextSink& m_sink;
    std::string m_text;
    bool m_good = true;
};

bool addValue(const Value& value, Pieces& pieces, int depth)
{
    if (value.type() != ValueType::Array) {
        return pieces.add(scalarText(value));
    }
    if (!pieces.add("[")) {
        return false;
    }
    auto cursor = value.elements();
    bool isFirst = true;
    for (auto element = depth < kShownDepth ? cursor.next() : std::nullopt; element;
         element = cursor.next()) {
        if (!pieces.add(isFirst ? "" : ", ") || !addValue(*element, pieces, depth + 1)) {
            return false;
        }
        isFirst = false;
    }
    return pieces.add("]");
}

} // namespace

std::string jsonText(std::string_view text)
{
    constexpr char32_t kFirstPlain = 0x20;
    const QString decoded = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    QString escaped;
    escaped.reserve(decoded.size() + 2);
    escaped += u'"';
    for (const QChar each : decoded) {
        if (each == u'"' || each == u'\\') {
            escaped += u'\\';
            escaped += each;
        } else if (each == u'\n') {
            escaped += QLatin1String("\\n");
        } else if (each.unicode() < kFirstPlain) {
            escaped += QStringLiteral("\\u%1").arg(each.unicode(), 4, 16, QLatin1Char('0'));
        } else {
            escaped += each;
        }
    }
    escaped += u'"';
    return escaped.toStdString();
}

bool writeJson(const Value& value, const TextSink& sink)
{
    Pieces pieces(sink);
    return addValue(value, pieces, 0) && pieces.flush();
}

} // namespace app
