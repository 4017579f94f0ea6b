#include "engine/backend/vulkan/weight_stores.h"

namespace engine::backend::vulkan {

WeightStores::WeightStores(std::shared_ptr<Device> device)
    : m_device(std::move(device))
{
}

WeightStores::Key WeightStores::keyOf(const WeightSpans& spans)
{
    Key key;
    for (const auto span : spans.matrices) {
        key.spans.emplace_back(span.data(), span.size());
    }
    for (const auto span : spans.vectors) {
        key.spans.emplace_back(span.data(), span.size_bytes());
    }
    key.types.assign(spans.types.begin(), spans.types.end());
    return key;
}

void WeightStores::forgetGone()
{
    std::erase_if(m_entries, [](const auto& entry) {
        return !entry.second.isMade && entry.second.store.expired();
    });
}

bool WeightStores::isEmpty()
{
    const std::lock_guard lock(m_mutex);
    forgetGone();
    return m_entries.empty();
}

std::shared_ptr<const WeightStore> WeightStores::find(std::span<const model::Node> nodes)
{
    const auto key = keyOf(weightSpans(nodes));
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(key);
    return found == m_entries.end() ? nullptr : found->second.store.lock();
}

Result<std::shared_ptr<const WeightStore>>
WeightStores::get(const model::Graph& graph, std::stop_token stop,
                  const std::function<void(double)>& progress)
{
    const auto spans = weightSpans(graph.nodes);
    const auto key = keyOf(spans);
    std::unique_lock lock(m_mutex);
    forgetGone();
    const auto isMade = [&] {
        const auto found = m_entries.find(key);
        return found != m_entries.end() && found->second.isMade;
    };
    if (!m_changed.wait(lock, stop, [&] { return !isMade(); })) {
        return failure(ErrorCode::Cancelled);
    }
    auto& entry = m_entries[key];
    if (auto known = entry.store.lock()) {
        return known;
    }
    entry.isMade = true;
    lock.unlock();
    auto made = WeightStore::create(m_device, spans, std::move(stop), progress);
    auto store = made ? std::shared_ptr<const WeightStore>(std::move(*made)) : nullptr;
    lock.lock();
    entry = { store, false }; // nobody removes one that is being made
    lock.unlock();
    m_changed.notify_all();
    if (!store) {
        return tl::unexpected(made.error());
    }
    return store;
}

} // namespace engine::backend::vulkan
