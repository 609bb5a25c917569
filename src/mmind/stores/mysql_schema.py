"""The tables that mmind makes in a MySQL or MariaDB database, as numbered steps.

A step runs once, in order, under a lock of its name; what it does is safe to repeat, because DDL commits by itself and
a client may die between two statements. An applied step is never edited: a change is a new step.
"""

from __future__ import annotations

# Ids are compared byte by byte: every text collation of both servers takes some different texts for equal ("a" and
# "a " in utf8mb4_bin). 255 + 2048 bytes stay below InnoDB's 3072 for an index.
#
# `revision` is the store's sequence number of the last change, handed out under a lock on the store's row: commits come
# in its order, so a reader who has seen 7 will never be shown a 6 later. `edited` is NULL in what mmind wrote, and is
# set by the server itself when another program inserts or updates a row: triggers would need privileges that a user of
# one database does not have.
_FIRST = (
    """CREATE TABLE IF NOT EXISTS mmind_stores(
        store VARBINARY(255) NOT NULL PRIMARY KEY,
        identity CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        revision BIGINT NOT NULL,
        entries BIGINT NOT NULL
    ) ENGINE = InnoDB""",
    """CREATE TABLE IF NOT EXISTS mmind_memories(
        store VARBINARY(255) NOT NULL,
        id VARBINARY(2048) NOT NULL,
        text LONGTEXT, title LONGTEXT, tags LONGTEXT,
        created VARCHAR(40), updated VARCHAR(40), trust VARCHAR(20),
        writer LONGTEXT, session LONGTEXT, aliases LONGTEXT, links LONGTEXT,
        format VARCHAR(20), truncated BOOLEAN NOT NULL DEFAULT FALSE,
        revision BIGINT NOT NULL DEFAULT 0,
        edited TIMESTAMP(6) NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
        PRIMARY KEY(store, id),
        KEY mmind_revision(store, revision),
        KEY mmind_edited(store, edited)
    ) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS mmind_gone(
        store VARBINARY(255) NOT NULL,
        id VARBINARY(2048) NOT NULL,
        revision BIGINT NOT NULL,
        PRIMARY KEY(store, id),
        KEY mmind_revision(store, revision)
    ) ENGINE = InnoDB ROW_FORMAT = DYNAMIC""",
)

VERSION_TABLE = "CREATE TABLE IF NOT EXISTS mmind_schema(version INT NOT NULL PRIMARY KEY) ENGINE = InnoDB"
STEPS: tuple[tuple[str, ...], ...] = (_FIRST,)
SCHEMA_VERSION = len(STEPS)
MEMORY_COLUMNS = (
    "id",
    "text",
    "title",
    "tags",
    "created",
    "updated",
    "trust",
    "writer",
    "session",
    "aliases",
    "links",
    "format",
    "truncated",
)
MOST_ID_BYTES = 2048
MOST_STORE_BYTES = 255
