// The file of compiled pipelines: written, used again, and harmless when it is damaged.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace engine;
using namespace tests;

namespace {

/// Runs a norm on a device opened anew; what it gives.
std::vector<float> runWithCache(const std::string& directory)
{
    const auto device = backend::openDevice(0, directory);
    if (!device) {
        return {};
    }
    DeviceBench bench;
    const auto in = bench.slot(64, randomFloats(64, 3));
    const auto out = bench.slot(64);
    bench.add(model::op::RmsNorm { in, nullptr, 1e-5F, out });
    bench.show(out);
    return bench.run(**device, 1, 1);
}

std::filesystem::path onlyFile(const QTemporaryDir& directory)
{
    const std::filesystem::directory_iterator files(directory.path().toStdString());
    return files == std::filesystem::directory_iterator() ? std::filesystem::path() : files->path();
}

} // namespace

class TestVulkanPipelineCache : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void writtenAndUsedAgain()
    {
        const QTemporaryDir directory;
        const auto first = runWithCache(directory.path().toStdString());
        QCOMPARE(first.size(), std::size_t(64));
        const auto file = onlyFile(directory);
        QVERIFY(std::filesystem::file_size(file) > 16);
        const auto written = std::filesystem::last_write_time(file);
        QCOMPARE(runWithCache(directory.path().toStdString()), first);
        QCOMPARE(std::filesystem::last_write_time(file), written); // nothing new
        QCOMPARE(onlyFile(directory), file); // no draft stays
    }

    void damagedCountsAsNone()
    {
        const QTemporaryDir directory;
        const auto first = runWithCache(directory.path().toStdString());
        const auto file = onlyFile(directory);
        const auto size = std::filesystem::file_size(file);
        std::filesystem::resize_file(file, size / 2);
        QCOMPARE(runWithCache(directory.path().toStdString()), first);
        QCOMPARE(std::filesystem::file_size(file), size); // written anew
        {
            std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
            bytes.seekp(static_cast<std::streamoff>(size / 2));
            bytes.write("damage", 6);
        }
        QCOMPARE(runWithCache(directory.path().toStdString()), first);
        std::ofstream(file, std::ios::trunc) << "no cache at all";
        QCOMPARE(runWithCache(directory.path().toStdString()), first);
    }

    void unwritableIsNoFault() { QCOMPARE(runWithCache("/proc/nowhere").size(), std::size_t(64)); }
};

QTEST_MAIN(TestVulkanPipelineCache)
#include "tst_vulkan_pipeline_cache.moc"
