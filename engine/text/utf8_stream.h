// Hands on whole UTF-8 characters only, from pieces that may break inside one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace engine::text {

/// Collects bytes; gives back text that ends at a character border. Invalid bytes become U+FFFD.
class Utf8Stream
{
public:
    /// The complete characters available now; an unfinished one is kept for the next call.
    [[nodiscard]] std::string push(std::string_view bytes);
    /// What is left at the end of an answer: U+FFFD for an unfinished character, else nothing.
    [[nodiscard]] std::string finish();

private:
    std::string m_pending;
};

} // namespace engine::text
