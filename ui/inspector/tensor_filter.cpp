#include "ui/inspector/tensor_filter.h"

#include "ui/inspector/figures.h"

#include <QtCore/QCoreApplication>

#include <algorithm>
#include <optional>

using engine::gguf::TensorInfo;

namespace {

using Test = std::function<bool(const TensorInfo&)>;

/// "<", "<=", ">", ">=", "=" and a number.
struct Comparison
{
    QString sign;
    double number = 0;

    [[nodiscard]] bool holds(double value) const
    {
        if (sign == QLatin1String("<")) {
            return value < number;
        }
        if (sign == QLatin1String("<=")) {
            return value <= number;
        }
        if (sign == QLatin1String(">")) {
            return value > number;
        }
        return sign == QLatin1String(">=") ? value >= number : value == number;
    }
};

double unitOf(const QString& unit)
{
    struct Unit
    {
        const char* name;
        double bytes;
    };
    static constexpr Unit kUnits[] = {
        { "", 1 },       { "b", 1 },         { "k", 1e3 },         { "kb", 1e3 }, { "m", 1e6 },
        { "mb", 1e6 },   { "g", 1e9 },       { "gb", 1e9 },        { "t", 1e12 }, { "tb", 1e12 },
        { "kib", 1024 }, { "mib", 1048576 }, { "gib", 1073741824 }
    };
    for (const Unit& each : kUnits) {
        if (unit.toLower() == QLatin1String(each.name)) {
            return each.bytes;
        }
    }
    return 0;
}

std::optional<Comparison> comparison(const QString& text, bool withUnit)
{
    static const QRegularExpression kForm(
        QStringLiteral("^(<=|>=|<|>|=)?([0-9]+(?:\\.[0-9]+)?)([A-Za-z]*)$"));
    const auto match = kForm.match(text);
    const double unit = unitOf(match.captured(3));
    if (!match.hasMatch() || unit == 0 || (!withUnit && !match.captured(3).isEmpty())) {
        return std::nullopt;
    }
    return Comparison { match.captured(1), match.captured(2).toDouble() * unit };
}

QRegularExpression glob(const QString& pattern, const QString& end)
{
    QString form;
    for (const QChar each : pattern) {
        form += each == u'*' ? QStringLiteral(".*")
            : each == u'?'   ? QStringLiteral(".")
                             : QRegularExpression::escape(each);
    }
    return QRegularExpression(u'^' + form + end,
                              QRegularExpression::CaseInsensitiveOption
                                  | QRegularExpression::DotMatchesEverythingOption);
}

bool hasWildcard(const QString& text)
{
    return text.contains(u'*') || text.contains(u'?');
}

QString nameOf(const TensorInfo& tensor)
{
    return QString::fromUtf8(tensor.name.data(), static_cast<qsizetype>(tensor.name.size()));
}

Test nameTest(const QString& term)
{
    if (!hasWildcard(term)) {
        return [term](const TensorInfo& tensor) {
            return nameOf(tensor).contains(term, Qt::CaseInsensitive);
        };
    }
    return [form = glob(term, QStringLiteral("(\\..*)?$"))](const TensorInfo& tensor) {
        return form.match(nameOf(tensor)).hasMatch();
    };
}

Test typeTest(const QString& value)
{
    QList<QRegularExpression> forms;
    for (const QString& each : value.split(u',', Qt::SkipEmptyParts)) {
        forms << glob(each, QStringLiteral("$"));
    }
    if (forms.isEmpty()) {
        return {};
    }
    return [forms](const TensorInfo& tensor) {
        const QString type = figures::type(tensor);
        return std::any_of(forms.begin(), forms.end(), [&type](const QRegularExpression& form) {
            return form.match(type).hasMatch();
        });
    };
}

Test sizeTest(const QString& value)
{
    const auto wanted = comparison(value, true);
    return wanted ? Test([wanted = *wanted](const TensorInfo& tensor) {
        return wanted.holds(static_cast<double>(tensor.data.size));
    })
                  : Test();
}

Test bitsTest(const QString& value)
{
    const auto wanted = comparison(value, false);
    return wanted ? Test([wanted = *wanted](const TensorInfo& tensor) {
        const auto* type = tensor.typeInfo();
        return type != nullptr && wanted.holds(type->bitsPerWeight());
    })
                  : Test();
}

Test layerTest(const QString& value)
{
    static const QRegularExpression kForm(QStringLiteral("^([0-9]{1,6})(?:-([0-9]{1,6}))?$"));
    const auto match = kForm.match(value);
    if (!match.hasMatch()) {
        return {};
    }
    const int first = match.captured(1).toInt();
    const int last = match.capturedLength(2) > 0 ? match.captured(2).toInt() : first;
    return [first, last](const TensorInfo& tensor) {
        const int layer = figures::layer(tensor.name);
        return layer >= first && layer <= last;
    };
}

Test shapeTest(const QString& value)
{
    const auto wanted = comparison(value, false);
    return wanted ? Test([wanted = *wanted](const TensorInfo& tensor) {
        const auto* end = tensor.shape.begin() + std::min(tensor.dimensions, 4U);
        return std::any_of(tensor.shape.begin(), end, [&wanted](std::uint64_t length) {
            return wanted.holds(static_cast<double>(length));
        });
    })
                  : Test();
}

} // namespace

TensorFilter::TensorFilter(const QString& text)
{
    for (QString term : text.split(u' ', Qt::SkipEmptyParts)) {
        const bool isTurned = term.size() > 1 && term.startsWith(u'!');
        const QString said = term;
        if (isTurned) {
            term.remove(0, 1);
        }
        const Test test = testFor(term);
        if (!test) {
            m_complaint = QCoreApplication::translate(
                              "TensorFilter",
                              "“%1” is not understood. Try blk.*.attn_q, type:Q4_K, >100MB, "
                              "bits:<5, layer:0-7 or shape:576.")
                              .arg(said);
            continue;
        }
        m_terms << (isTurned ? Test([test](const TensorInfo& tensor) { return !test(tensor); })
                             : test);
    }
}

TensorFilter::Test TensorFilter::testFor(const QString& term)
{
    struct Kind
    {
        const char* prefix;
        Test (*make)(const QString&);
    };
    static constexpr Kind kKinds[] = { { "type:", typeTest },   { "size:", sizeTest },
                                       { "bits:", bitsTest },   { "layer:", layerTest },
                                       { "shape:", shapeTest }, { "name:", nameTest } };
    for (const Kind& kind : kKinds) {
        const QLatin1String prefix(kind.prefix);
        if (term.startsWith(prefix, Qt::CaseInsensitive)) {
            return kind.make(term.mid(prefix.size()));
        }
    }
    const bool compares = term.startsWith(u'<') || term.startsWith(u'>') || term.startsWith(u'=');
    return compares ? sizeTest(term) : nameTest(term);
}

bool TensorFilter::matches(const TensorInfo& tensor) const
{
    return std::all_of(m_terms.begin(), m_terms.end(),
                       [&tensor](const Test& test) { return test(tensor); });
}
