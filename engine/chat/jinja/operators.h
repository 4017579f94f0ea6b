// The operators of the language: arithmetic, comparison, membership, subscripts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/runtime.h"
#include "engine/chat/jinja/value.h"

#include <optional>

namespace engine::chat::jinja {

enum class BinaryOperator { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power };
enum class Comparison { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, In, NotIn };

// All of these fail (throw Failure) where Python raises a TypeError and the like.
[[nodiscard]] Value applyBinary(Runtime& runtime, BinaryOperator op, const Value& left,
                                const Value& right);
[[nodiscard]] Value negate(Runtime& runtime, const Value& value);
[[nodiscard]] bool compare(Runtime& runtime, Comparison op, const Value& left, const Value& right);
[[nodiscard]] bool equal(Runtime& runtime, const Value& left, const Value& right);
/// The entry of a key of any kind; nullptr where there is none.
[[nodiscard]] const Value* findEntry(Runtime& runtime, const Mapping& mapping, const Value& key);
/// left < right, by the rules of sorting.
[[nodiscard]] bool lessThan(Runtime& runtime, const Value& left, const Value& right);

/// value.name: methods first, then entries; undefined where there is neither.
[[nodiscard]] Value attributeOf(Runtime& runtime, const Value& value, const std::string& name);
/// value[key]: entries first, then attributes.
[[nodiscard]] Value elementOf(Runtime& runtime, const Value& value, const Value& key);
/// value[start:stop:step]; a part left out is None.
[[nodiscard]] Value sliceOf(Runtime& runtime, const Value& value, const Value& start,
                            const Value& stop, const Value& step);

/// The elements one by one; fails where a value can't be walked along. A generator is used up by
/// it.
[[nodiscard]] std::vector<Value> itemsOf(Runtime& runtime, const Value& value);
/// Python's len().
[[nodiscard]] std::int64_t lengthOf(Runtime& runtime, const Value& value);
/// The characters of a string as strings.
[[nodiscard]] std::vector<Value> charactersOf(Runtime& runtime, const MarkedText& text);
/// `times` copies one after the other.
[[nodiscard]] Value repeated(Runtime& runtime, const Value& value, std::int64_t times);

} // namespace engine::chat::jinja
