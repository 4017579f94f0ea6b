// A chat of many long messages, for tests and measurements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_store.h"

namespace tests {

/// Questions and answers in turns (headings, lists, code, tables), kept in `store`; returns the
/// chat or 0 where it could not be written.
[[nodiscard]] inline app::ChatId saveLongChat(app::ChatStore& store, int messages)
{
    using Role = app::MessageRecord::Role;
    app::ChatRecord record;
    record.id = app::newRecordId();
    record.title = QStringLiteral("Long");
    record.titleOrigin = app::ChatRecord::TitleOrigin::Person;
    app::MessageId parent = 0;
    for (int at = 0; at < messages; ++at) {
        app::MessageRecord message;
        message.id = app::newRecordId();
        message.chat = record.id;
        message.parent = parent;
        message.created = at;
        message.role = at % 2 == 0 ? Role::User : Role::Assistant;
        message.text = at % 2 == 0
            ? QStringLiteral("Why is it so? ").repeated(8)
            : QStringLiteral("## Because\n\nSome **bold** words, `code` and more. ")
                + QStringLiteral("A sentence of an answer that goes on. ").repeated(60)
                + QStringLiteral("\n\n- one\n- two\n\n```cpp\n")
                + QStringLiteral("int f(int x) { return x + 1; } // why\n").repeated(20)
                + QStringLiteral("```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
        parent = message.id;
        store.saveMessage(message);
    }
    record.leaf = parent;
    record.updated = 1;
    store.saveChat(record);
    return store.flush(20'000) ? record.id : 0;
}

} // namespace tests
