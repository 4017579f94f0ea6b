-- Version 2: what a model thought before its answer, and whether it should. Read as schema.sql is.
-- SPDX-License-Identifier: Apache-2.0

ALTER TABLE messages ADD COLUMN reasoning TEXT NOT NULL DEFAULT '';

-- NULL: as the model does by itself.
ALTER TABLE chats ADD COLUMN thinking INTEGER;
