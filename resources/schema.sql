-- Version 1 of the chats on disk. Read with chat_schema.cpp: a statement ends where a line that ends in a semicolon is
-- followed by an empty line. Never changed once released: later versions are steps of their own.
-- SPDX-License-Identifier: Apache-2.0

CREATE TABLE chats (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL DEFAULT '',
    title_origin TEXT NOT NULL DEFAULT 'none',
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0,
    model_path TEXT NOT NULL DEFAULT '',
    plain_prompt INTEGER NOT NULL DEFAULT 0,
    leaf INTEGER NOT NULL DEFAULT 0,
    first_seen INTEGER NOT NULL DEFAULT 0,
    sampler TEXT NOT NULL DEFAULT '{}',
    system_prompt TEXT NOT NULL DEFAULT ''
);

-- The list at start is read from this index alone.
CREATE INDEX chats_listed ON chats (updated DESC, id, title) WHERE deleted = 0;

CREATE INDEX chats_deleted ON chats (id) WHERE deleted <> 0;

-- seq grows with every message, so that new rows go to the end and "newest first" needs no sorting. parent is no foreign
-- key: a message outlives the one above it, and is read as a beginning where that is missing. The text comes last, so that
-- the rest of a row is read without it.
CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    id INTEGER NOT NULL UNIQUE,
    chat INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    parent INTEGER NOT NULL DEFAULT 0,
    role TEXT NOT NULL,
    created INTEGER NOT NULL,
    whole INTEGER NOT NULL DEFAULT 1,
    deleted INTEGER NOT NULL DEFAULT 0,
    model TEXT NOT NULL DEFAULT '',
    outcome TEXT,
    text TEXT NOT NULL
);

CREATE INDEX messages_of_chat ON messages (chat, seq);

CREATE INDEX messages_deleted ON messages (chat) WHERE deleted <> 0;

CREATE INDEX messages_streaming ON messages (seq) WHERE whole = 0;

CREATE TABLE drafts (
    chat INTEGER PRIMARY KEY REFERENCES chats (id) ON DELETE CASCADE,
    text TEXT NOT NULL
);

-- Of a message or of a draft.
CREATE TABLE attachments (
    id INTEGER PRIMARY KEY,
    message INTEGER REFERENCES messages (id) ON DELETE CASCADE,
    draft INTEGER REFERENCES drafts (chat) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    tokens INTEGER NOT NULL DEFAULT -1,
    text TEXT NOT NULL,
    CHECK ((message IS NULL) <> (draft IS NULL))
);

CREATE INDEX attachments_of_message ON attachments (message, position) WHERE message IS NOT NULL;

CREATE INDEX attachments_of_draft ON attachments (draft, position) WHERE draft IS NOT NULL;

-- Which messages hold which three characters in a row; what is found is compared with the text itself. A part of a word
-- is found, in any script, and the index is about as large as the text. Answers join it when they are whole.
CREATE VIRTUAL TABLE message_search USING fts5 (text, content = '', tokenize = 'trigram', detail = none);

CREATE TRIGGER messages_search_insert AFTER INSERT ON messages WHEN new.whole BEGIN
    INSERT INTO message_search (rowid, text) VALUES (new.seq, new.text);
END;

CREATE TRIGGER messages_search_delete AFTER DELETE ON messages WHEN old.whole BEGIN
    INSERT INTO message_search (message_search, rowid, text) VALUES ('delete', old.seq, old.text);
END;

CREATE TRIGGER messages_search_out AFTER UPDATE OF whole, text ON messages
WHEN old.whole AND (NOT new.whole OR new.text <> old.text) BEGIN
    INSERT INTO message_search (message_search, rowid, text) VALUES ('delete', old.seq, old.text);
END;

CREATE TRIGGER messages_search_in AFTER UPDATE OF whole, text ON messages
WHEN new.whole AND (NOT old.whole OR new.text <> old.text) BEGIN
    INSERT INTO message_search (rowid, text) VALUES (new.seq, new.text);
END;

