// Character references of HTML, which Markdown allows in text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QByteArrayView>
#include <QtCore/QString>

/// What "&name;", "&#123;" or "&#x7b;" stands for; an unknown name comes back as it is. Control
/// characters become spaces, what is no character becomes U+FFFD.
[[nodiscard]] QString decodedEntity(QByteArrayView reference);
