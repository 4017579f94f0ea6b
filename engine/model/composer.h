// Composes a model: asks the file for tensors and writes the ops that use them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/graph.h"
#include "engine/model/hparams.h"
#include "engine/model/key_reader.h"
#include "engine/model/weights.h"

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace engine::model {

/// A model's graph and all that its ops point to; not copied, so that they stay right.
struct Composition
{
    Composition() = default;
    Composition(const Composition&) = delete;
    Composition& operator=(const Composition&) = delete;

    Weights weights;
    std::deque<RopeParameters> ropes;
    Graph graph;
};

/// A matrix and its bias; the bias is null where the file has none.
struct LinearWeights
{
    const Matrix* matrix = nullptr;
    const Vector* bias = nullptr;
};

/// Tensors of a block are named without "blk.N.": `enter` says which block is meant. Where the
/// file lacks a required tensor the composition goes on with an empty one, so that a survey finds
/// everything; a graph with errors must not be run.
class Composer
{
public:
    Composer(const Hparams& hparams, WeightBinder& binder, Composition& composition);
    /// Hands faulty keys over to the binder.
    ~Composer();
    Composer(const Composer&) = delete;
    Composer& operator=(const Composer&) = delete;

    [[nodiscard]] const Hparams& hparams() const { return m_hparams; }
    [[nodiscard]] KeyReader& keys() { return m_keys; }

    /// From now on tensors are those of this block.
    void enter(std::uint32_t block);
    /// … of the model as a whole.
    void leave();
    [[nodiscard]] std::uint32_t block() const { return m_block; }
    /// A block of the file takes no part in the graph (it predicts tokens further ahead).
    void leaveOutBlock(std::uint32_t block)
    {
        m_binder.ignore("blk." + std::to_string(block) + ".");
    }
    /// A tensor of the entered block that files may have takes no part.
    void leaveOut(const std::string& name) { m_binder.ignore(full(name)); }

    [[nodiscard]] bool has(const std::string& name) const;
    [[nodiscard]] const Matrix* matrix(const std::string& name, std::uint64_t columns,
                                       std::uint64_t rows);
    /// Null where absent.
    [[nodiscard]] const Matrix* optionalMatrix(const std::string& name, std::uint64_t columns,
                                               std::uint64_t rows);
    [[nodiscard]] const MatrixStack* stack(const std::string& name, std::uint64_t columns,
                                           std::uint64_t rows, std::uint32_t count);
    [[nodiscard]] const Vector* vector(const std::string& name, std::uint64_t length);
    /// Null where absent.
    [[nodiscard]] const Vector* optionalVector(const std::string& name, std::uint64_t length);
    /// `count` vectors in one; null where absent.
    [[nodiscard]] const Vector* optionalVectors(const std::string& name, std::uint64_t length,
                                                std::uint64_t count);
    [[nodiscard]] const Vector* vectors(const std::string& name, std::uint64_t length,
                                        std::uint64_t count);
    /// `name`.weight and, where present, `name`.bias.
    [[nodiscard]] LinearWeights linear(const std::string& name, std::uint64_t columns,
                                       std::uint64_t rows);
    /// Some rows of a fused matrix.
    [[nodiscard]] LinearWeights rowsOf(const LinearWeights& fused, std::uint64_t first,
                                       std::uint64_t count);

    /// One slot a name and width for all blocks.
    [[nodiscard]] Slot slot(const std::string& name, std::uint32_t width);
    [[nodiscard]] std::uint32_t width(Slot slot) const
    {
        return m_out.graph.slotWidths[static_cast<std::size_t>(slot)];
    }
    [[nodiscard]] std::uint32_t state(std::uint32_t floats) { return m_out.graph.state(floats); }
    void add(Node node) { m_out.graph.add(std::move(node)); }
    void linear(Slot in, const LinearWeights& weights, Slot out);
    /// The cache of the block that was entered.
    void keep(KvLayer layer);
    void setLogits(Slot slot) { m_out.graph.logits = slot; }

    /// Parameters that stay.
    [[nodiscard]] RopeParameters* rope(RopeParameters parameters);

    /// Something that this version can't do with the file.
    void refuse(const std::string& feature, const std::string& key);

private:
    [[nodiscard]] std::string full(const std::string& name) const { return m_prefix + name; }

    const Hparams& m_hparams;
    WeightBinder& m_binder;
    Composition& m_out;
    KeyReader m_keys;
    std::string m_prefix;
    std::uint32_t m_block = 0;
    std::map<std::pair<std::string, std::uint32_t>, Slot> m_slots;
};

} // namespace engine::model
