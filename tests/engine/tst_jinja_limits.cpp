// Templates out of untrusted files: what they may take, and what an error says.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "tests/support/template_cases.h"

#include <QElapsedTimer>
#include <QTest>

#include <thread>

using engine::chat::jinja::Value;

namespace {

QByteArray repeated(const char* part, int count)
{
    return QByteArray(part).repeated(count);
}

} // namespace

class TestJinjaLimits : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void refused_data();
    void refused();
    void errorsNameTheLine_data();
    void errorsNameTheLine();
    void smallLimits();
    void cyclesAreCut();
    void onlyDataIsReached_data();
    void onlyDataIsReached();
    void concurrentRenderings();
};

void TestJinjaLimits::refused_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("slug");
    const QString limit = "template-limit";
    const QString runtime = "template-runtime";
    QTest::newRow("steps") << QByteArray("{% for a in range(99999) %}{% for b in range(99999) %}"
                                         "{% endfor %}{% endfor %}")
                           << limit;
    QTest::newRow("output") << QByteArray("{% for a in range(99999) %}{{ 'x' * 1000 }}{% endfor %}")
                            << limit;
    QTest::newRow("text block output")
        << QByteArray("{% for a in range(99999) %}") + QByteArray(1000, 'x') + "{% endfor %}"
        << limit;
    QTest::newRow("long string") << QByteArray("{{ 'x' * 10**9 }}") << limit;
    QTest::newRow("longest string") << QByteArray("{{ 'ab' * 9223372036854775807 }}") << limit;
    QTest::newRow("long list") << QByteArray("{{ ([1] * 10**9) | length }}") << limit;
    QTest::newRow("empty text, endless")
        << QByteArray("{{ 1 // ('' * 9223372036854775807) | length }}") << runtime;
    QTest::newRow("range") << QByteArray("{{ range(10**12) | list | length }}") << runtime;
    QTest::newRow("range overflow")
        << QByteArray("{{ range(-9223372036854775807, 9223372036854775807) }}") << runtime;
    QTest::newRow("doubling text") << QByteArray(
        "{% set n = namespace(s='x') %}{% for i in range(99) %}{% set n.s = n.s + n.s %}"
        "{% endfor %}") << limit;
    QTest::newRow("doubling list") << QByteArray(
        "{% set n = namespace(s=[1]) %}{% for i in range(99) %}{% set n.s = n.s + n.s %}"
        "{% endfor %}") << limit;
    QTest::newRow("many long strings")
        << QByteArray("{% set n = namespace(l=[]) %}{% for i in range(9999) %}"
                      "{% set n.l = n.l + ['x' * 1000000] %}{% endfor %}")
        << limit;
    QTest::newRow("printing a wide graph") << QByteArray(
        "{% set n = namespace(l=[1]) %}{% for i in range(60) %}{% set n.l = [n.l, n.l] %}"
        "{% endfor %}{{ n.l }}") << limit;
    QTest::newRow("comparing wide graphs") << QByteArray(
        "{% set n = namespace(l=[1], m=[1]) %}{% for i in range(60) %}"
        "{% set n.l = [n.l, n.l] %}{% set n.m = [n.m, n.m] %}{% endfor %}{{ n.l == n.m }}")
                                           << limit;
    QTest::newRow("deep list") << QByteArray(
        "{% set n = namespace(l=[]) %}{% for i in range(99999) %}{% set n.l = [n.l] %}"
        "{% endfor %}") << limit;
    QTest::newRow("deep dict") << QByteArray(
        "{% set n = namespace(l={}) %}{% for i in range(99999) %}{% set n.l = {'a': n.l} %}"
        "{% endfor %}") << limit;
    QTest::newRow("endless macro")
        << QByteArray("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}") << limit;
    QTest::newRow("endless deep macro") << QByteArray("{% macro f(x) %}")
            + repeated("{% if true %}", 90) + repeated("(", 90).prepend("{{ ") + "f(x)"
            + repeated(")", 90) + " }}" + repeated("{% endif %}", 90)
            + "{% endmacro %}{{ f(1) }}" << limit;
    QTest::newRow("endless loop recursion")
        << QByteArray("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}") << limit;
    QTest::newRow("endless caller") << QByteArray(
        "{% macro f() %}{% call f() %}{{ caller() }}{% endcall %}{% endmacro %}{{ f() }}")
                                    << limit;
    QTest::newRow("namespace in itself, printed")
        << QByteArray("{% set n = namespace() %}{% set n.n = n %}{{ n }}") << limit;
    QTest::newRow("parentheses") << "{{ " + repeated("(", 20000) + "1" + repeated(")", 20000)
            + " }}" << limit;
    QTest::newRow("brackets") << "{{ " + repeated("[", 20000) + repeated("]", 20000) + " }}"
                              << limit;
    QTest::newRow("braces") << "{{ " + repeated("{'a':", 20000) + "1" + repeated("}", 20000) + " }}"
                            << limit;
    QTest::newRow("not") << "{{ " + repeated("not ", 20000) + "1 }}" << limit;
    QTest::newRow("minus") << "{{ " + repeated("-", 20000) + "1 }}" << limit;
    QTest::newRow("plus chain") << "{{ 1" + repeated("+1", 20000) + " }}" << limit;
    QTest::newRow("attribute chain") << "{{ a" + repeated(".a", 20000) + " }}" << limit;
    QTest::newRow("subscript chain") << "{{ a" + repeated("[0]", 20000) + " }}" << limit;
    QTest::newRow("subscripts within")
        << "{{ a" + repeated("[a", 20000) + repeated("]", 20000) + " }}" << limit;
    QTest::newRow("call chain") << "{{ a" + repeated("()", 20000) + " }}" << limit;
    QTest::newRow("calls within") << "{{ a" + repeated("(a", 20000) + repeated(")", 20000) + " }}"
                                  << limit;
    QTest::newRow("filter chain") << "{{ a" + repeated("|upper", 20000) + " }}" << limit;
    QTest::newRow("conditionals") << "{{ 1" + repeated(" if 1 else 1", 20000) + " }}" << limit;
    QTest::newRow("conditionals without else")
        << "{{ 1" + repeated(" if 1", 20000) + " }}" << limit;
    QTest::newRow("tests chain") << "{{ 1" + repeated(" is odd | abs", 20000) + " }}" << limit;
    QTest::newRow("unclosed parentheses") << "{{ " + repeated("(", 20000) << "template-syntax";
    QTest::newRow("blocks") << repeated("{% if 1 %}", 20000) << limit;
    QTest::newRow("targets") << "{% set " + repeated("(", 20000) + "a" + repeated(")", 20000)
            + " = 1 %}" << limit;
    QTest::newRow("indent") << QByteArray("{{ 'x' | tojson(indent=10**12) }}") << limit;
    QTest::newRow("json indent text")
        << QByteArray("{{ [[[[[1]]]]] | tojson(indent='x' * 4000000) }}") << limit;
    QTest::newRow("format width") << QByteArray("{{ '%999999999d' % 1 }}") << runtime;
    QTest::newRow("format precision") << QByteArray("{{ '%.999999999f' % 1 }}") << runtime;
    QTest::newRow("brace width") << QByteArray("{{ '{:>999999999}'.format(1) }}") << runtime;
    QTest::newRow("center") << QByteArray("{{ 'x' | center(10**12) }}") << limit;
    QTest::newRow("zfill") << QByteArray("{{ 'x'.zfill(9223372036854775807) }}") << limit;
    QTest::newRow("replace all") << QByteArray("{{ ('x' * 100000).replace('', 'y' * 100000) }}")
                                 << limit;
    QTest::newRow("overflow +") << QByteArray("{{ 9223372036854775807 + 1 }}") << runtime;
    QTest::newRow("overflow *") << QByteArray("{{ 9223372036854775807 * 2 }}") << runtime;
    QTest::newRow("overflow **") << QByteArray("{{ 10 ** 100 }}") << runtime;
    QTest::newRow("overflow neg") << QByteArray("{{ -(-9223372036854775807 - 1) }}") << runtime;
    QTest::newRow("overflow //") << QByteArray("{{ (-9223372036854775807 - 1) // -1 }}") << runtime;
    QTest::newRow("float to int") << QByteArray("{{ 1e300 | int }}") << runtime;
    QTest::newRow("big literal") << QByteArray("{{ 99999999999999999999 }}") << "template-syntax";
    QTest::newRow("include") << QByteArray("{% include '/etc/passwd' %}") << "template-syntax";
}

void TestJinjaLimits::refused()
{
    QFETCH(QByteArray, source);
    QFETCH(QString, slug);
    QElapsedTimer timer;
    timer.start();
    const auto result = tests::render(source.toStdString(), Value::object({}));
    QCOMPARE(QString::fromStdString(result.slug), slug);
    QVERIFY2(result.subject.starts_with("line "), result.subject.c_str());
    QVERIFY2(timer.elapsed() < 20'000, "takes too long");
}

void TestJinjaLimits::errorsNameTheLine_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("message");
    QTest::newRow("raised") << QByteArray(
        "a\n{% if true %}\n{{ raise_exception('No!') }}{% endif %}")
                            << "line 3"
                            << "No!";
    QTest::newRow("undefined") << QByteArray("\n\n\n{{ a.b }}") << "line 4"
                               << "'a' is undefined";
    QTest::newRow("after a macro")
        << QByteArray("{% macro f() %}\n\nx{% endmacro %}\n\n{{ f()\n+ 1 }}") << "line 6"
        << "can only concatenate str (not \"int\") to str";
    QTest::newRow("within a macro")
        << QByteArray("{% macro f() %}\n{{ 1 / 0 }}{% endmacro %}\n\n{{ f() }}") << "line 2"
        << "division by zero";
    QTest::newRow("syntax") << QByteArray("\n{# \n #}\n{{ 1 + }}") << "line 4"
                            << "expected an expression, found '}}'";
    QTest::newRow("unknown tag") << QByteArray("\r\n\r\n{% nonsense %}") << "line 3"
                                 << "unknown tag 'nonsense'";
    QTest::newRow("unknown filter") << QByteArray("\n{{ 1 | nonsense }}") << "line 2"
                                    << "there is no filter 'nonsense'";
    QTest::newRow("refused method") << QByteArray("\n{{ [1].append(2) }}") << "line 2"
                                    << "access to attribute 'append' of 'list' object is unsafe";
    QTest::newRow("unclosed") << QByteArray("{% if 1 %}\n\n") << "line 2"
                              << "the template ends, but 'endif' is missing";
}

void TestJinjaLimits::errorsNameTheLine()
{
    QFETCH(QByteArray, source);
    QFETCH(QString, subject);
    QFETCH(QString, message);
    const auto result = tests::render(source.toStdString(), Value::object({}));
    QCOMPARE(QString::fromStdString(result.subject), subject);
    QCOMPARE(QString::fromStdString(result.message), message);
}

void TestJinjaLimits::smallLimits()
{
    auto options = tests::packOptions();
    options.limits.outputBytes = 10;
    QCOMPARE(tests::render("0123456789", Value::object({}), options).text,
             std::string("0123456789"));
    QCOMPARE(tests::render("0123456789x", Value::object({}), options).slug,
             std::string("template-limit"));
    options = tests::packOptions();
    options.limits.steps = 100;
    QCOMPARE(
        tests::render("{% for i in range(200) %}{% endfor %}", Value::object({}), options).slug,
        std::string("template-limit"));
    options = tests::packOptions();
    options.limits.depth = 3;
    const std::string recursive =
        "{% macro f(n) %}{{ n }}{% if n %}{{ f(n - 1) }}{% endif %}{% endmacro %}";
    QCOMPARE(tests::render(recursive + "{{ f(2) }}", Value::object({}), options).text,
             std::string("210"));
    QCOMPARE(tests::render(recursive + "{{ f(3) }}", Value::object({}), options).slug,
             std::string("template-limit"));
}

void TestJinjaLimits::cyclesAreCut()
{
    // Leaks and deep chains of destructors show under the sanitizers.
    const auto result = tests::render(
        "{% set n = namespace() %}{% set n.self = n %}{% set n.list = [n] %}"
        "{% for i in range(50000) %}{% set m = namespace(before=n.last) %}{% set n.last = m %}{% "
        "endfor %}"
        "{% for i in range(20000) %}{% set before = n.macro %}{% macro f() %}{% endmacro %}"
        "{% set n.macro = f %}{% endfor %}"
        "{% for i in range(20000) %}{% for x in [n.loop] %}{% set n.loop = loop %}{% endfor %}{% "
        "endfor %}"
        "{% macro g() %}{{ g is callable }}{% endmacro %}{{ g() }}",
        Value::object({}));
    QCOMPARE(result.message, std::string());
    QCOMPARE(result.text, std::string("True"));
}

void TestJinjaLimits::onlyDataIsReached_data()
{
    QTest::addColumn<QByteArray>("expression");
    for (const char* expression :
         { "''.__class__", "[].__len__", "{}.__dict__", "(1).__add__", "x.__init__",
           "raise_exception.__globals__", "''['__class__']", "''|attr('__class__')",
           "namespace().__dict__", "f.__call__", "true.real", "''.encode", "''.translate",
           "{}.fromkeys", "range.__doc__", "[].sort", "{}.setdefault" }) {
        QTest::newRow(expression) << QByteArray(expression);
    }
}

void TestJinjaLimits::onlyDataIsReached()
{
    QFETCH(QByteArray, expression);
    const auto result = tests::render("{% macro f() %}{% endmacro %}{{ (" + expression.toStdString()
                                          + ") is defined }}",
                                      tests::toValue({ { "x", "text" } }));
    QCOMPARE(QString::fromStdString(result.message), QString());
    QCOMPARE(QString::fromStdString(result.text), QString("False"));
}

void TestJinjaLimits::concurrentRenderings()
{
    const auto shared = engine::chat::ChatTemplate::parse(
        "{% macro f(m) %}{{ m.a ~ 'x' }}{% endmacro %}{% for m in l %}{{ f(m) }}{% endfor %}");
    QVERIFY(shared.has_value());
    const Value variables = tests::toValue({ { "l", { { { "a", 1 } }, { { "a", "b" } } } } });
    std::vector<std::string> texts(4);
    std::vector<std::thread> threads;
    for (auto& text : texts) {
        threads.emplace_back([&] {
            for (int i = 0; i < 200; ++i) {
                const auto parts = shared->render(variables);
                text = parts ? engine::chat::joined(*parts) : "failed";
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    for (const auto& text : texts) {
        QCOMPARE(text, std::string("1xbx"));
    }
}

QTEST_APPLESS_MAIN(TestJinjaLimits)
#include "tst_jinja_limits.moc"
