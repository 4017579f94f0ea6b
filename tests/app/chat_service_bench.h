// A chat on a scripted service and a store in a folder of its own, for tests of chats.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat.h"
#include "app/services/chat_store.h"
#include "app/services/inference_service.h"
#include "app/services/message_tree.h"
#include "tests/app/scripted_engine.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tests {

struct ChatServiceBench
{
    std::shared_ptr<Script> script = std::make_shared<Script>();
    QTemporaryDir directory;
    app::InferenceService service { makeScriptedEngine(script) };
    std::unique_ptr<app::ChatStore> store = std::make_unique<app::ChatStore>(directory.path());

    /// A chat as it is on disk.
    struct Stored
    {
        bool missing = true;
        app::ChatRecord chat;
        QList<app::MessageRecord> messages; ///< those that are shown first, in their order
    };

    bool load(const QString& path = QStringLiteral("/models/a.gguf"),
              const app::LoadRequest& request = {})
    {
        QSignalSpy loaded(&service, &app::InferenceService::loaded);
        service.load(path, request);
        return loaded.wait(5000);
    }

    /// Answers go on until they are stopped. Not while one runs: the engine reads its script.
    void answerSlowly()
    {
        script->pieces.assign(100'000, "word ");
        script->pieceTime = std::chrono::milliseconds(1);
    }

    /// What another start would find: everything is written, and read by a store of its own.
    [[nodiscard]] Stored stored(app::ChatId id) const
    {
        Stored found;
        if (!store->flush()) {
            return found;
        }
        app::ChatStore reader(directory.path());
        QSignalSpy missing(&reader, &app::ChatStore::chatMissing);
        bool ended = false;
        QObject::connect(
            &reader, &app::ChatStore::chatLoaded, &reader,
            [&](const app::ChatRecord& chat, const QList<app::MessageRecord>& messages) {
                found = { false, chat, messages };
                ended = true;
            });
        reader.loadChat(id);
        (void)QTest::qWaitFor([&] { return ended || !missing.isEmpty(); });
        app::MessageTree tree;
        tree.reset(found.messages, found.chat.leaf);
        std::stable_sort(found.messages.begin(), found.messages.end(),
                         [&](const auto& left, const auto& right) {
                             const auto row = [&](app::MessageId message) {
                                 const auto at = tree.path().indexOf(message);
                                 return at < 0 ? tree.path().size() : at;
                             };
                             return row(left.id) < row(right.id);
                         });
        return found;
    }
};

/// The texts of messages, an answer that is not whole in brackets.
[[nodiscard]] inline QStringList textsOf(const QList<app::MessageRecord>& messages)
{
    QStringList texts;
    for (const app::MessageRecord& message : messages) {
        texts << (message.whole ? message.text : u'[' + message.text + u']');
    }
    return texts;
}

/// A new chat with a model; titles are off unless a test wants them.
struct OneChatBench : ChatServiceBench
{
    std::unique_ptr<app::Chat> chat;

    explicit OneChatBench(bool titled = true)
    {
        app::ChatRecord record;
        if (titled) {
            record.id = app::newRecordId();
            record.title = QStringLiteral("Mine");
            record.titleOrigin = app::ChatRecord::TitleOrigin::Person;
        }
        chat = std::make_unique<app::Chat>(record, QList<app::MessageRecord> {}, service, *store);
    }

    /// Asks and waits for the whole answer, and the title.
    bool answer(const QString& question)
    {
        return chat->ask(app::Draft { question, {} }) && idle();
    }
    bool idle()
    {
        return QTest::qWaitFor([this] {
            return !chat->isBusy() && service.state() == app::InferenceService::State::Ready;
        });
    }
    /// Asks, and returns once there are words.
    bool begin(const QString& question)
    {
        return chat->ask(app::Draft { question, {} }) && words();
    }
    bool words()
    {
        return QTest::qWaitFor([this] {
            return chat->isAnswering() && !chat->tree().at(chat->answering()).text.isEmpty();
        });
    }
    [[nodiscard]] app::MessageId id(qsizetype row) const { return chat->tree().path().at(row); }
    [[nodiscard]] const app::MessageRecord& at(qsizetype row) const
    {
        return chat->tree().at(id(row));
    }
    /// What is shown.
    [[nodiscard]] QStringList texts() const
    {
        QStringList all;
        for (const app::MessageId each : chat->tree().path()) {
            all << chat->tree().at(each).text;
        }
        return all;
    }
    /// The prompt that was rendered last (the model's, where nothing had to be left out for it), a
    /// letter for who said it.
    [[nodiscard]] QStringList prompt() const
    {
        QStringList all;
        for (const auto& message : script->lastMessages()) {
            const char who = "SUA"[static_cast<int>(message.role)];
            all << QString(QLatin1Char(who)) + u':' + QString::fromStdString(message.content);
        }
        return all;
    }
    /// What a restart shows.
    [[nodiscard]] QStringList textsAfterRestart() const
    {
        const auto found = stored(chat->id());
        app::MessageTree tree;
        tree.reset(found.messages, found.chat.leaf);
        QStringList all;
        for (const app::MessageId each : tree.path()) {
            all << tree.at(each).text;
        }
        return all;
    }
};

} // namespace tests
