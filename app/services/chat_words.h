// The words that the database has for enumerators. Never changed: they are on people's disks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_records.h"

namespace app {

[[nodiscard]] inline QString wordFor(MessageRecord::Role role)
{
    return role == MessageRecord::Role::User ? QStringLiteral("user") : QStringLiteral("assistant");
}

[[nodiscard]] inline MessageRecord::Role roleFrom(const QString& word)
{
    return word == u"assistant" ? MessageRecord::Role::Assistant : MessageRecord::Role::User;
}

[[nodiscard]] inline QString wordFor(ChatRecord::TitleOrigin origin)
{
    using Origin = ChatRecord::TitleOrigin;
    switch (origin) {
    case Origin::Question:
        return QStringLiteral("question");
    case Origin::Model:
        return QStringLiteral("model");
    case Origin::Person:
        return QStringLiteral("person");
    case Origin::None:
        break;
    }
    return QStringLiteral("none");
}

[[nodiscard]] inline ChatRecord::TitleOrigin titleOriginFrom(const QString& word)
{
    using Origin = ChatRecord::TitleOrigin;
    return word == u"question" ? Origin::Question
        : word == u"model"     ? Origin::Model
        : word == u"person"    ? Origin::Person
                               : Origin::None;
}

} // namespace app
