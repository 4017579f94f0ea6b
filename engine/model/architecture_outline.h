// A model from top to bottom: its blocks with their tensors, and what is missing or too much in
// them. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/tensor_role.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine::model {

enum class TensorState {
    Unmarked, ///< in the file; nobody knows more
    Fits,
    Missing, ///< the architecture needs it
    Wrong, ///< in the file, but of a shape or type that can't be used: see `fault`
    Unused, ///< the architecture has no place for it
    Shared, ///< not in the file: the token embedding serves in its place
    Lacking, ///< not in the file, though nearly all other blocks have it
    Beyond, ///< nearly no other block has it
};

/// Something that a person should look at.
[[nodiscard]] bool isOdd(TensorState state);

struct OutlinedTensor
{
    std::string name;
    std::string label; ///< see shortName
    /// In the file; of the token embedding for Shared; -1 for Missing and Lacking.
    int number = -1;
    TensorState state = TensorState::Unmarked;
    std::uint64_t columns = 0; ///< as needed; of Missing alone
    std::uint64_t rows = 0;
    std::optional<Error> fault; ///< of Wrong alone
};

/// Tensors of a block that work together.
struct OutlinedPart
{
    Part part = Part::Other;
    bool isAdded = false; ///< its result is added to what the block took in, as far as known
    std::vector<OutlinedTensor> tensors;
};

struct OutlineSection
{
    enum class Kind { Input, Block, Output, Other };
    Kind kind = Kind::Other;
    std::string stack; ///< see TensorRole
    std::uint32_t block = 0;
    std::vector<OutlinedPart> parts; ///< none of them is empty
};

struct Outline
{
    /// Against what the tensors were held.
    enum class Measure {
        None, ///< not asked for
        Architecture,
        /// The engine doesn't know the architecture: each block against the others.
        Peers,
        /// The same, as the engine knows only other models of the architecture.
        PeersForUnknownKind,
        /// The same, as the metadata don't tell the sizes that are needed.
        PeersForFaultyMetadata,
        /// A part of a model, an adapter, a projector: nobody can say what such a file needs.
        NoWholeModel,
    };
    std::string architecture; ///< general.architecture; may be empty
    Measure measure = Measure::None;
    /// Blocks that can be compared: they are many, and most are the same.
    bool isComparable = false;
    /// Input, blocks, output, and what belongs to none of them; those without tensors are left out.
    std::vector<OutlineSection> sections;
    std::size_t tensors = 0; ///< in the file
    std::size_t blocks = 0;
    std::size_t missing = 0; ///< or lacking
    std::size_t wrong = 0;
    std::size_t unused = 0; ///< or beyond
};

enum class Marks { None, All };

/// Any file, however broken. Takes time by the number of tensors; with marks the vectors' pages
/// are read.
[[nodiscard]] Outline outline(const gguf::GgufFile& file, Marks marks);
/// Two blocks with the same sound tensors: names, shapes, types.
[[nodiscard]] bool alike(const gguf::GgufFile& file, const OutlineSection& a,
                         const OutlineSection& b);

} // namespace engine::model
