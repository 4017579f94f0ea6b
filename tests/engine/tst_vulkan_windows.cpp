// Weights larger than one binding of the device, against the CPU: devices whose bindings are made
// small. SPDX-License-Identifier: Apache-2.0
#include "tests/support/narrow_device.h"

#include <memory>

using namespace engine;
using namespace tests;
using gguf::TensorType;

namespace {

/// Random weights that begin so many bytes behind a multiple of 64.
struct OffsetMatrix
{
    OffsetMatrix(TensorType type, std::size_t columns, std::size_t rows, std::size_t offset,
                 unsigned seed)
        : source(type, columns, rows, seed)
        , matrix(source.matrix)
    {
        bytes.resize(64 + offset + source.bytes.size() + 64, std::byte { 0xFF });
        void* begin = bytes.data();
        auto space = bytes.size();
        std::align(64, 1, begin, space);
        auto* data = static_cast<std::byte*>(begin) + offset;
        std::ranges::copy(source.bytes, data);
        matrix.data = { data, source.bytes.size() };
    }
    OffsetMatrix(const OffsetMatrix&) = delete;
    OffsetMatrix& operator=(const OffsetMatrix&) = delete;

    RandomMatrix source;
    std::vector<std::byte> bytes;
    model::Matrix matrix;
};

} // namespace

class TestVulkanWindows : public QObject
{
    Q_OBJECT

    std::map<QString, DevicePointer> m_devices;

private Q_SLOTS:
    void initTestCase()
    {
        NEED_DEVICE();
        m_devices = narrowDevices();
        for (const auto& [name, device] : m_devices) {
            QVERIFY2(device, qPrintable(name));
        }
    }

    void products_data()
    {
        QTest::addColumn<QString>("device");
        QTest::addColumn<TensorType>("type");
        QTest::addColumn<unsigned>("columns");
        QTest::addColumn<unsigned>("offset");
        const auto row = [](const char* device, TensorType type, unsigned columns,
                            unsigned offset) {
            QTest::addRow("%s, %s, %u columns, from byte %u", device,
                          gguf::tensorTypeInfo(type).name.data(), columns, offset)
                << QString(device) << type << columns << offset;
        };
        row("texels", TensorType::Q8_0, 96, 2);
        row("texels", TensorType::Q4_0, 64, 36); // the aligned way
        row("storage", TensorType::F32, 77, 4);
        row("as a GPU", TensorType::Q8_0, 96, 2);
        row("plain", TensorType::F16, 33, 2);
    }

    /// Large, small, large again, with biases that one binding can't hold together.
    void targets_data() { products_data(); }
    void targets()
    {
        QFETCH(QString, device);
        QFETCH(TensorType, type);
        QFETCH(unsigned, columns);
        QFETCH(unsigned, offset);
        const OffsetMatrix a(type, columns, 601, offset, 1);
        const OffsetMatrix b(type, columns, 7, offset, 2);
        const OffsetMatrix c(type, columns, 13, offset + 64, 3);
        const OffsetMatrix d(type, columns, 1201, offset, 4);
        constexpr std::size_t rows = 5;
        for (const std::size_t shown : { 1U, 3U }) {
            DeviceBench bench;
            const auto in = bench.slot(columns, randomFloats(columns * rows, 6));
            model::op::Linear op { in, {} };
            for (const auto* matrix : { &a, &b, &c, &d }) {
                const auto outputs = static_cast<std::uint32_t>(matrix->matrix.rows);
                op.targets.push_back(
                    { bench.matrix(matrix->matrix),
                      matrix == &b ? nullptr : bench.vector(randomFloats(outputs, 8)),
                      bench.slot(outputs) });
            }
            bench.add(op);
            bench.show(op.targets[shown].out);
            compareNarrow(bench, *m_devices[device], rows, 2e-5);
        }
    }

    /// Small matrices in one binding, whose biases are not.
    void biases()
    {
        constexpr std::uint32_t outputs = 1201;
        const RandomMatrix both(TensorType::F16, 1, 2 * outputs, 1);
        const auto a = both.matrix.rowRange(0, outputs);
        const auto b = both.matrix.rowRange(outputs, outputs);
        for (const bool second : { false, true }) {
            DeviceBench bench;
            const auto in = bench.slot(1, randomFloats(3, 6));
            const auto outA = bench.slot(outputs);
            const auto outB = bench.slot(outputs);
            bench.add(model::op::Linear {
                in,
                { { bench.matrix(a), bench.vector(randomFloats(outputs, 7)), outA },
                  { bench.matrix(b), bench.vector(randomFloats(outputs, 8)), outB } } });
            bench.show(second ? outB : outA);
            compareNarrow(bench, *m_devices["texels"], 3, 2e-5);
        }
    }

    /// Whose result is added to what is there.
    void added_data() { products_data(); }
    void added()
    {
        QFETCH(QString, device);
        QFETCH(TensorType, type);
        QFETCH(unsigned, columns);
        QFETCH(unsigned, offset);
        constexpr std::uint32_t outputs = 601;
        constexpr std::size_t rows = 9;
        const OffsetMatrix weights(type, columns, outputs, offset, 1);
        DeviceBench bench;
        const auto in = bench.slot(columns, randomFloats(columns * rows, 2));
        const auto into = bench.slot(outputs, randomFloats(outputs * rows, 3));
        const auto out = bench.slot(outputs);
        bench.add(model::op::Linear {
            in,
            { { bench.matrix(weights.matrix), bench.vector(randomFloats(outputs, 5)), out } } });
        bench.add(model::op::Add { into, out });
        bench.show(into);
        compareNarrow(bench, *m_devices[device], rows, 5e-5);
    }

    /// Windows end within a matrix of the stack.
    void heads_data() { products_data(); }
    void heads()
    {
        QFETCH(QString, device);
        QFETCH(TensorType, type);
        QFETCH(unsigned, columns);
        QFETCH(unsigned, offset);
        constexpr std::uint32_t count = 5;
        constexpr std::uint32_t outputs = 83;
        constexpr std::size_t rows = 3;
        const OffsetMatrix weights(type, columns, std::size_t(outputs) * count, offset, 1);
        const model::MatrixStack stack { weights.matrix, count };
        DeviceBench bench;
        const auto in = bench.slot(count * columns, randomFloats(rows * count * columns, 2));
        const auto out = bench.slot(count * outputs + 2);
        bench.add(model::op::HeadLinear { in, { 0, columns }, &stack, out, { 1, outputs } });
        bench.show(out);
        compareNarrow(bench, *m_devices[device], rows, 5e-5);
    }

    void experts_data() { products_data(); }
    void experts()
    {
        QFETCH(QString, device);
        QFETCH(TensorType, type);
        QFETCH(unsigned, columns);
        QFETCH(unsigned, offset);
        constexpr std::uint32_t count = 7;
        constexpr std::uint32_t used = 3;
        constexpr std::uint32_t outputs = 61;
        constexpr std::size_t rows = 5;
        const OffsetMatrix weights(type, columns, std::size_t(outputs) * count, offset, 1);
        const OffsetMatrix others(type, columns, std::size_t(outputs) * count, offset, 2);
        const model::MatrixStack stack { weights.matrix, count };
        const model::MatrixStack otherStack { others.matrix, count };
        for (const bool second : { false, true }) {
            DeviceBench bench;
            buildExperts(bench, stack, otherStack, used, columns, rows, second);
            compareNarrow(bench, *m_devices[device], rows, 5e-5);
        }
    }
};

QTEST_MAIN(TestVulkanWindows)
#include "tst_vulkan_windows.moc"
