// The tool of the build that rewrites shaders with cooperative matrices.
// SPDX-License-Identifier: Apache-2.0
#include "shaders/tools/khr_matrices.h"

#include <QTest>

#include <initializer_list>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kBound = 40;

Words header(std::uint32_t bound)
{
    return { 0x07230203, 0x00010300, 0, bound, 0 };
}

void add(Words& module, std::uint32_t op, const Words& operands)
{
    module.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | op);
    module.insert(module.end(), operands.begin(), operands.end());
}

/// A string of a module.
Words extension(const std::string& name)
{
    Words words(name.size() / 4 + 1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        words[i / 4] |= std::uint32_t(static_cast<unsigned char>(name[i])) << 8 * (i % 4);
    }
    return words;
}

// ids
enum : std::uint32_t {
    Uint = 1,
    Float,
    Half,
    Bool,
    Scope,
    M,
    N,
    K,
    TypeA,
    TypeB,
    TypeC,
    True,
    False,
    Zeros,
    Pointer,
    Stride,
    ValueA,
    ValueB,
    Result,
    Length,
    SpecLength,
};

struct Parts
{
    std::uint32_t columnMajor = True;
    std::uint32_t component = Half;
    bool multiplies = true;
};

/// A module with every instruction that is rewritten and some that stay.
Words nvModule(const Parts& parts = {})
{
    Words m = header(kBound);
    add(m, 17, { 1 }); // Capability Shader
    add(m, 17, { 5357 });
    add(m, 10, extension("SPV_KHR_vulkan_memory_model"));
    add(m, 10, extension("SPV_NV_cooperative_matrix"));
    add(m, 5, { TypeA, 0x41 }); // Name
    add(m, 21, { Uint, 32, 0 });
    add(m, 22, { Float, 32 });
    add(m, 22, { Half, 16 });
    add(m, 20, { Bool });
    add(m, 43, { Uint, Scope, 3 });
    for (const std::uint32_t size : { M, N, K }) {
        add(m, 50, { Uint, size, 16 });
    }
    add(m, 5358, { TypeA, parts.component, Scope, M, K });
    add(m, 5358, { TypeB, Half, Scope, K, N });
    add(m, 5358, { TypeC, Float, Scope, M, N });
    add(m, 41, { Bool, True });
    add(m, 42, { Bool, False });
    add(m, 44, { TypeC, Zeros, 90 }); // ConstantComposite
    add(m, 52, { Uint, SpecLength, 5362, TypeC });
    add(m, 5359, { TypeA, ValueA, Pointer, Stride, False, 40, 7 });
    add(m, 5359, { TypeB, ValueB, Pointer, Stride, parts.columnMajor });
    if (parts.multiplies) {
        add(m, 5361, { TypeC, Result, ValueA, ValueB, Zeros });
    }
    add(m, 5362, { Uint, Length, TypeC });
    add(m, 5360, { Pointer, Result, Stride, True, 24, 7 });
    return m;
}

/// What it must become.
Words khrModule()
{
    constexpr std::uint32_t zero = kBound;
    Words m = header(kBound + 3);
    add(m, 17, { 1 });
    add(m, 17, { 6022 });
    add(m, 10, extension("SPV_KHR_vulkan_memory_model"));
    add(m, 10, extension("SPV_KHR_cooperative_matrix"));
    add(m, 5, { TypeA, 0x41 });
    add(m, 21, { Uint, 32, 0 });
    for (const std::uint32_t number : { 0U, 1U, 2U }) {
        add(m, 43, { Uint, zero + number, number });
    }
    add(m, 22, { Float, 32 });
    add(m, 22, { Half, 16 });
    add(m, 20, { Bool });
    add(m, 43, { Uint, Scope, 3 });
    for (const std::uint32_t size : { M, N, K }) {
        add(m, 50, { Uint, size, 16 });
    }
    add(m, 4456, { TypeA, Half, Scope, M, K, zero });
    add(m, 4456, { TypeB, Half, Scope, K, N, zero + 1 });
    add(m, 4456, { TypeC, Float, Scope, M, N, zero + 2 });
    add(m, 41, { Bool, True });
    add(m, 42, { Bool, False });
    add(m, 44, { TypeC, Zeros, 90 });
    add(m, 52, { Uint, SpecLength, 4460, TypeC });
    add(m, 4457, { TypeA, ValueA, Pointer, zero, Stride, 40, 7 });
    add(m, 4457, { TypeB, ValueB, Pointer, zero + 1, Stride });
    add(m, 4459, { TypeC, Result, ValueA, ValueB, Zeros });
    add(m, 4460, { Uint, Length, TypeC });
    add(m, 4458, { Pointer, Result, zero + 1, Stride, 24, 7 });
    return m;
}

} // namespace

class TestKhrMatrices : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rewrites()
    {
        auto words = nvModule();
        QCOMPARE(QString::fromStdString(shaders::toKhrMatrices(words)), QString());
        QCOMPARE(words, khrModule());
    }

    void refuses_data()
    {
        QTest::addColumn<std::vector<std::uint32_t>>("words");
        QTest::addColumn<QString>("problem");
        QTest::newRow("nothing") << Words {} << "no SPIR-V";
        auto words = nvModule();
        words[0] = 0x03022307;
        QTest::newRow("other byte order") << words << "byte order";
        words = nvModule();
        words.pop_back();
        QTest::newRow("cut off") << words << "cut off";
        words = nvModule();
        words.push_back(0);
        QTest::newRow("no length") << words << "cut off";
        words = nvModule();
        add(words, 5360, { Pointer, Result });
        QTest::newRow("operands") << words << "5360 lacks operands";
        // A and B, 16 × 16 both, are one type
        words = nvModule();
        add(words, 5361, { TypeC, Result + 20, ValueB, ValueA, Zeros });
        QTest::newRow("one type, two uses") << words << "three different constants";
        words = nvModule();
        add(words, 5361, { TypeC, Result + 20, Pointer, ValueB, Zeros });
        QTest::newRow("product of a pointer") << words << "no matrix";
        QTest::newRow("no product")
            << nvModule({ .multiplies = false }) << "no part in any product";
        QTest::newRow("layout at run time")
            << nvModule({ .columnMajor = Scope }) << "must be a constant";
        QTest::newRow("integers") << nvModule({ .component = Uint }) << "integers";
        words = header(1);
        add(words, 17, { 1 });
        QTest::newRow("no integers") << words << "no matrices";
    }
    void refuses()
    {
        QFETCH(std::vector<std::uint32_t>, words);
        QFETCH(QString, problem);
        const auto before = words;
        const auto found = QString::fromStdString(shaders::toKhrMatrices(words));
        QVERIFY2(found.contains(problem), qPrintable(found));
        QCOMPARE(words, before);
    }
};

QTEST_MAIN(TestKhrMatrices)
#include "tst_khr_matrices.moc"
