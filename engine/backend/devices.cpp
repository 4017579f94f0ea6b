#include "engine/backend/devices.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace engine::backend {

namespace {

bool isFit(const DeviceFacts& facts)
{
    return facts.unfit.empty() && facts.distrusted.empty();
}

/// Kinds stand in the order in which they are preferred.
bool isBetter(const DeviceFacts& a, const DeviceFacts& b)
{
    return a.kind != b.kind ? a.kind < b.kind : a.memoryBytes > b.memoryBytes;
}

/// The best fit one; the first of equals.
const DeviceFacts* best(std::span<const DeviceFacts> all, bool withSoftware)
{
    const DeviceFacts* found = nullptr;
    for (const auto& facts : all) {
        if (isFit(facts) && (withSoftware || facts.kind != DeviceKind::Software)
            && (!found || isBetter(facts, *found))) {
            found = &facts;
        }
    }
    return found;
}

/// Why this one can't be used.
tl::unexpected<Error> refusal(const DeviceFacts& facts)
{
    return facts.unfit.empty()
        ? failure(ErrorCode::DeviceUntrusted, { facts.name, facts.distrusted })
        : failure(ErrorCode::DeviceUnfit, { facts.name, facts.unfit });
}

/// "without subgroups, with which it computes rope wrongly", "without cooperative matrices, with
/// which it is slower"; empty where nothing is left out.
std::string leftOutText(std::span<const LeftOut> leftOut)
{
    std::string text;
    for (const auto& [feature, wrong] : leftOut) {
        text += text.empty() ? "without " : "; without ";
        text += featureWords(feature);
        text += wrong.empty() ? ", with which it is slower"
                              : ", with which it computes " + wrong + " wrongly";
    }
    return text;
}

std::string plainReason(const DeviceFacts& facts, DeviceUse use)
{
    switch (use) {
    case DeviceUse::Default:
        return "used by default";
    case DeviceUse::Spare:
        return "used when asked for: another device comes first";
    case DeviceUse::Software:
        return "a software device, slower than the CPU itself: used only when asked for";
    case DeviceUse::Distrusted:
        return "its self-test failed: it computes " + facts.distrusted
            + " wrongly; an update of the driver may help";
    case DeviceUse::Unfit:
        return facts.unfit;
    }
    return {};
}

} // namespace

std::span<const NamedFeature> namedFeatures()
{
    static constexpr NamedFeature kAll[] = {
        { "matrix", &DeviceFeatures::cooperativeMatrix, "cooperative matrices" },
        { "dot", &DeviceFeatures::integerDot, "integer dot products" },
        { "float16", &DeviceFeatures::float16, "16-bit arithmetic" },
        { "storage8", &DeviceFeatures::storage8, "8-bit storage" },
        { "storage16", &DeviceFeatures::storage16, "16-bit storage" },
        { "subgroups", &DeviceFeatures::subgroups, "subgroups" },
        { "import", &DeviceFeatures::hostImport, "imported memory" },
        { "budget", &DeviceFeatures::memoryBudget, "memory budget" },
    };
    return kAll;
}

std::string_view featureWords(std::string_view name)
{
    const auto all = namedFeatures();
    const auto found = std::ranges::find(all, name, &NamedFeature::name);
    return found == all.end() ? name : found->words;
}

std::vector<std::string> namesOf(std::span<const LeftOut> leftOut)
{
    std::vector<std::string> names;
    for (const auto& left : leftOut) {
        names.push_back(left.feature);
    }
    return names;
}

std::optional<DeviceWish> parseDeviceWish(std::string_view text)
{
    using Kind = DeviceWish::Kind;
    constexpr std::string_view vulkan = "vulkan";
    if (text == "auto") {
        return DeviceWish { Kind::Auto };
    }
    if (text == "cpu") {
        return DeviceWish { Kind::Cpu };
    }
    if (!text.starts_with(vulkan)) {
        return std::nullopt;
    }
    text.remove_prefix(vulkan.size());
    if (text.empty()) {
        return DeviceWish { Kind::Vulkan };
    }
    DeviceWish wish { Kind::Number };
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + 1, end, wish.number);
    if (text.front() != ':' || read.ec != std::errc() || read.ptr != end) {
        return std::nullopt;
    }
    return wish;
}

Result<std::optional<std::uint32_t>> chooseDevice(const DeviceWish& wish,
                                                  std::span<const DeviceFacts> all)
{
    using Kind = DeviceWish::Kind;
    if (wish.kind == Kind::Cpu) {
        return std::nullopt;
    }
    if (wish.kind == Kind::Number) {
        const auto found = std::ranges::find(all, wish.number, &DeviceFacts::index);
        if (found == all.end()) {
            return failure(ErrorCode::NoSuchDevice,
                           { std::to_string(wish.number), std::to_string(all.size()) });
        }
        return isFit(*found) ? Result<std::optional<std::uint32_t>>(found->index)
                             : Result<std::optional<std::uint32_t>>(refusal(*found));
    }
    if (const auto* found = best(all, wish.kind == Kind::Vulkan)) {
        return found->index;
    }
    if (wish.kind == Kind::Auto) {
        return std::nullopt;
    }
    if (all.empty()) {
        return failure(ErrorCode::NoVulkan, { "no driver offers a device" });
    }
    return refusal(*std::ranges::min_element(all, isBetter));
}

std::vector<DeviceUse> deviceUses(std::span<const DeviceFacts> all)
{
    const auto* preferred = best(all, false);
    std::vector<DeviceUse> uses;
    for (const auto& facts : all) {
        uses.push_back(!facts.unfit.empty()                     ? DeviceUse::Unfit
                           : !facts.distrusted.empty()          ? DeviceUse::Distrusted
                           : facts.kind == DeviceKind::Software ? DeviceUse::Software
                           : &facts == preferred                ? DeviceUse::Default
                                                                : DeviceUse::Spare);
    }
    return uses;
}

std::string useReason(const DeviceFacts& facts, DeviceUse use)
{
    const auto reason = plainReason(facts, use);
    const auto without = isUsable(use) ? leftOutText(facts.leftOut) : std::string();
    return without.empty() ? reason : reason + "; " + without;
}

std::string_view deviceKindName(DeviceKind kind)
{
    switch (kind) {
    case DeviceKind::Discrete:
        return "discrete";
    case DeviceKind::Integrated:
        return "integrated";
    case DeviceKind::Virtual:
        return "virtual";
    case DeviceKind::Other:
        return "other";
    case DeviceKind::Software:
        return "software";
    }
    return {};
}

std::string deviceIdentity(const DeviceFacts& facts)
{
    char text[32];
    std::snprintf(text, sizeof text, "%08x-%08x-%08x-", facts.vendorId, facts.deviceId,
                  facts.driverVersion);
    std::string identity = text;
    for (const auto byte : facts.cacheUuid) {
        std::snprintf(text, sizeof text, "%02x", static_cast<unsigned>(byte));
        identity += text;
    }
    return identity;
}

} // namespace engine::backend
