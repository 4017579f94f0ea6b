// Errors as the window shows them: what is wrong, where, and what to do, in the user's language.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <QMetaType>
#include <QString>

#include <optional>

namespace app {

/// One error in words. All texts are translated; plain text, never markup.
struct ErrorMessage
{
    QString code; ///< stable slug, e.g. "file-empty"
    QString what; ///< what is wrong, one or more sentences
    QString where; ///< the place in words ("model.gguf, general.alignment, byte 1,204 (0x4b4)");
                   ///< may be empty
    QString remedy; ///< what to do; may be empty

    // The same place for a link that opens it.
    QString file; ///< path as the user gave it
    std::optional<quint64> offset; ///< byte offset in the file
    QString subject; ///< metadata key, tensor name or template line

    /// what, where and remedy as one text.
    [[nodiscard]] QString text() const;
};

/// The translated message of an engine error (context "EngineError", source text: the English
/// pattern).
[[nodiscard]] ErrorMessage errorMessage(const engine::Error& error);

/// The translated message as one text: what, where, what to do.
[[nodiscard]] QString errorText(const engine::Error& error);

} // namespace app

Q_DECLARE_METATYPE(app::ErrorMessage)
