#include "engine/backend/vulkan/pipeline_cache.h"

#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

namespace engine::backend::vulkan {

namespace {

constexpr std::size_t kMostBytes = std::size_t(256) << 20; // larger files are not ours
// Before the driver's bytes: a word of ours and the driver's version, which Vulkan's own header
// leaves out.
constexpr std::array<char, 8> kMagic { 'V', 'T', 'R', 'P', 'I', 'P', 'E', '1' };
constexpr std::size_t kHeaderBytes = kMagic.size() + 2 * sizeof(std::uint32_t);

std::string hex(std::span<const std::uint8_t> bytes)
{
    constexpr const char* digits = "0123456789abcdef";
    std::string out;
    for (const auto byte : bytes) {
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

std::uint32_t checksum(std::span<const std::byte> bytes)
{
    std::uint32_t hash = 2166136261U; // FNV-1a, 32 bits
    for (const auto byte : bytes) {
        hash = (hash ^ static_cast<std::uint32_t>(byte)) * 16777619U;
    }
    return hash;
}

} // namespace

PipelineCache::PipelineCache(std::shared_ptr<Device> device, const std::filesystem::path& directory)
    : m_device(std::move(device))
{
    const auto& facts = m_device->facts();
    if (!directory.empty()) {
        m_file = directory / ("pipelines-" + hex(facts.cacheUuid) + ".bin");
    }
    const auto bytes = read();
    VkPipelineCacheCreateInfo info { VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
    info.initialDataSize = bytes.size();
    info.pInitialData = bytes.data();
    const auto& vk = m_device->vk();
    if (vk.vkCreatePipelineCache(m_device->handle(), &info, nullptr, &m_cache) != VK_SUCCESS) {
        m_cache = VK_NULL_HANDLE;
    }
    m_savedBytes = bytes.size();
}

PipelineCache::~PipelineCache()
{
    save();
    m_device->vk().vkDestroyPipelineCache(m_device->handle(), m_cache, nullptr);
}

std::vector<std::byte> PipelineCache::read() const
{
    std::error_code error;
    const auto size = m_file.empty() ? 0 : std::filesystem::file_size(m_file, error);
    if (error || size <= kHeaderBytes || size > kMostBytes) {
        return {};
    }
    std::vector<std::byte> bytes(size);
    std::ifstream file(m_file, std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (!file || !isOurs(bytes)) {
        return {};
    }
    bytes.erase(bytes.begin(), bytes.begin() + kHeaderBytes);
    return bytes;
}

bool PipelineCache::isOurs(std::span<const std::byte> bytes) const
{
    std::array<std::uint32_t, 2> words {};
    std::memcpy(words.data(), bytes.data() + kMagic.size(), sizeof(words));
    return std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0
        && words[0] == m_device->facts().driverVersion
        && words[1] == checksum(bytes.subspan(kHeaderBytes));
}

void PipelineCache::save()
{
    std::size_t size = 0;
    const auto& vk = m_device->vk();
    if (m_file.empty() || !m_cache || m_device->isLost()
        || vk.vkGetPipelineCacheData(m_device->handle(), m_cache, &size, nullptr) != VK_SUCCESS
        || size <= m_savedBytes || size > kMostBytes) {
        return;
    }
    std::vector<std::byte> bytes(size);
    if (vk.vkGetPipelineCacheData(m_device->handle(), m_cache, &size, bytes.data()) != VK_SUCCESS) {
        return;
    }
    bytes.resize(size);
    const std::array<std::uint32_t, 2> words { m_device->facts().driverVersion, checksum(bytes) };
    std::error_code error;
    std::filesystem::create_directories(m_file.parent_path(), error);
    // two instances may write at the same time: each its own file, put in place whole
    auto draft = m_file;
    draft += '.' + std::to_string(::getpid());
    {
        std::ofstream file(draft, std::ios::binary);
        file.write(kMagic.data(), kMagic.size());
        file.write(reinterpret_cast<const char*>(words.data()), sizeof(words));
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(size));
        if (!file.flush()) {
            file.close();
            std::filesystem::remove(draft, error);
            return;
        }
    }
    std::filesystem::rename(draft, m_file, error);
    if (error) {
        std::filesystem::remove(draft, error);
        return;
    }
    m_savedBytes = size;
}

} // namespace engine::backend::vulkan
