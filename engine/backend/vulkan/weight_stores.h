// The stores of weights that runners of one device share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/weight_store.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace engine::backend::vulkan {

/// Two graphs whose weights are the same bytes of the process have one store as long as somebody
/// keeps it. A store's users keep the model behind those bytes alive, so that the bytes of a store
/// that still exists are never others'. Thread-safe.
class WeightStores
{
public:
    explicit WeightStores(std::shared_ptr<Device> device);

    /// The store that is there, or is being made by another thread; else a new one, as
    /// WeightStore::create.
    [[nodiscard]] Result<std::shared_ptr<const WeightStore>>
    get(const model::Graph& graph, std::stop_token stop,
        const std::function<void(double)>& progress);
    /// The store of a graph of these nodes; null where there is none, or it is being made.
    [[nodiscard]] std::shared_ptr<const WeightStore> find(std::span<const model::Node> nodes);
    /// Whether nobody has one.
    [[nodiscard]] bool isEmpty();

private:
    /// Address and bytes of all matrices, then of all vectors; then the types of matrices.
    struct Key
    {
        std::vector<std::pair<const void*, std::size_t>> spans;
        std::vector<gguf::TensorType> types;
        auto operator<=>(const Key&) const = default;
    };
    struct Entry
    {
        std::weak_ptr<const WeightStore> store;
        bool isMade = false; ///< by a thread, now
    };

    [[nodiscard]] static Key keyOf(const WeightSpans& spans);
    void forgetGone(); // locked

    std::shared_ptr<Device> m_device;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::map<Key, Entry> m_entries;
};

} // namespace engine::backend::vulkan
