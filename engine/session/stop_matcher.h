// Finds stop texts in a stream and holds back what might become one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace engine::session {

class StopMatcher
{
public:
    /// Empty stop texts are ignored.
    explicit StopMatcher(std::vector<std::string> stopTexts);

    /// The text that is certainly before any stop text; the rest waits. Nothing more after a match.
    [[nodiscard]] std::string push(std::string_view text);
    /// What still waited when the answer ended without a match.
    [[nodiscard]] std::string finish();
    [[nodiscard]] bool matched() const { return m_matched; }

private:
    std::vector<std::string> m_stopTexts;
    std::string m_waiting;
    bool m_matched = false;
};

} // namespace engine::session
