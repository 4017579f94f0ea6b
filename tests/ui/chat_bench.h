// The view models of the chat on a scripted engine, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/scripted_engine.h"
#include "ui/chat/chat_list_model.h"
#include "ui/chat/chat_view_model.h"
#include "ui/chat/steering_view_model.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tests {

struct ChatBench
{
    QTemporaryDir directory;
    std::shared_ptr<Script> script = std::make_shared<Script>();
    app::InferenceService service;
    app::ChatStore store { directory.path() };
    app::TokenCounter counter { service };
    app::ChatBook book { service, store };
    ChatViewModel chat { service, book, counter };
    ChatListModel chats { book };
    SteeringViewModel steering { service, book };

    /// Without an engine of its own it runs on the script.
    explicit ChatBench(std::unique_ptr<app::InferenceEngine> engine = {})
        : service(engine ? std::move(engine) : makeScriptedEngine(script))
    {
    }

    bool loadModel(const QString& path = QStringLiteral("/models/a.gguf"))
    {
        QSignalSpy loaded(&service, &app::InferenceService::loaded);
        service.load(path);
        return loaded.wait(5000);
    }
    /// Asks and waits for the whole answer (and the title after the first one).
    bool answer(const QString& question)
    {
        QSignalSpy answered(&chat, &ChatViewModel::answered);
        chat.ask(question);
        return (answered.count() > 0 || answered.wait(5000))
            && QTest::qWaitFor([this] { return chat.isIdle(); }, 5000);
    }
    [[nodiscard]] int count() { return chat.conversation()->messageCount(); }
    [[nodiscard]] QString lastAnswer() { return chat.conversation()->messageText(count() - 1); }
    [[nodiscard]] QString statistics()
    {
        const auto& rows = *chat.conversation();
        return rows.data(rows.index(rows.rowCount() - 1), ConversationModel::StatisticsRole)
            .toString();
    }
};

} // namespace tests
