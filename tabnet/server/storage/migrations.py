"""The schema of the database: scripts, each of which leads to the next version. Pure.

A script of a release is never changed: a new version of the schema is one more script.
"""

from __future__ import annotations

APPLICATION_ID = 0x7AB7AB1E
"""The mark of SQLite files that are databases of tabnet."""

_FIRST = """
CREATE TABLE accounts (
    nick TEXT PRIMARY KEY,
    salt BLOB NOT NULL,
    digest BLOB NOT NULL,
    made INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

CREATE TABLE bans (
    nick TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    made INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

-- In the order in which they have begun to wait.
CREATE TABLE tables (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,
    terms TEXT NOT NULL,
    players TEXT NOT NULL,
    invite TEXT,
    opened_ms INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;

-- Those of matches are kept when they end: a guest comes back for the last update.
CREATE TABLE tokens (
    game TEXT NOT NULL,
    nick TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (game, nick)
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_digest ON tokens (digest);

-- While a match is played, its events are in the journal, from entry `first` on.
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,
    terms TEXT NOT NULL,
    seats TEXT NOT NULL,
    secret BLOB NOT NULL,
    began INTEGER NOT NULL DEFAULT (unixepoch()),
    first INTEGER NOT NULL,
    paused_at INTEGER, -- void if the journal tells of the match
    paused_after INTEGER, -- after this entry
    ended INTEGER,
    result TEXT,
    scores TEXT,
    history TEXT -- [[seq, at, event, seat, detail], ...]
) STRICT;
CREATE INDEX unfinished ON matches (first) WHERE ended IS NULL;
CREATE INDEX finished ON matches (ended) WHERE ended IS NOT NULL;

-- What happens is only ever added at the end, many events of many matches in one entry, so that
-- keeping it writes few pages; what no unfinished match needs any more is taken off at the front.
CREATE TABLE journal (
    id INTEGER PRIMARY KEY,
    events TEXT NOT NULL -- [[game, seq, at, event, seat, detail], ...]
) STRICT;

-- The journal as people want to read it.
CREATE VIEW happened AS
SELECT
    journal.id AS entry, value ->> 0 AS game, value ->> 1 AS seq, value ->> 2 AS at,
    value ->> 3 AS event, value ->> 4 AS seat, value -> 5 AS detail
FROM journal, json_each(journal.events);

-- The sums of all scores: reading them from a million matches would take long.
CREATE TABLE standings (
    board TEXT NOT NULL, -- [kind, size, group]
    nick TEXT NOT NULL,
    victories INTEGER NOT NULL,
    games INTEGER NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (board, nick)
) STRICT, WITHOUT ROWID;

-- What administrators want from the running server, and what it has answered.
CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    wanted TEXT NOT NULL,
    answer TEXT
) STRICT;
"""

_SECOND = """
-- Entries of version 1 have NULL in both columns.
ALTER TABLE journal ADD COLUMN games TEXT; -- [game, ...]
ALTER TABLE journal ADD COLUMN checksum INTEGER; -- CRC-32 of games and events

-- The games of each entry once more, so that the loss of an entry costs those games alone.
CREATE TABLE journal_games (
    id INTEGER PRIMARY KEY,
    games TEXT NOT NULL -- [game, ...]
) STRICT;

-- The number of the next entry. The number of a lost entry is never used again.
CREATE VIEW next_entry AS
SELECT
    1 + max(
        ifnull((SELECT max(id) FROM journal), 0),
        ifnull((SELECT max(id) FROM journal_games), 0)
    ) AS id;

-- The journal entries of a match that was ended although it could not be replayed.
ALTER TABLE matches ADD COLUMN entries TEXT; -- [{id, games, checksum, events}, ...]

DROP TABLE orders;
"""

_THIRD = """
-- The last networks from which each nick has logged in.
CREATE TABLE login_networks (
    nick TEXT PRIMARY KEY,
    networks TEXT NOT NULL -- [network, ...]
) STRICT, WITHOUT ROWID;
"""

_FOURTH = """
-- The game in each room of a dialect; NULL if the operator has announced the room.
CREATE TABLE rooms (
    room TEXT PRIMARY KEY,
    game TEXT
) STRICT, WITHOUT ROWID;
"""

_FIFTH = """
-- Banned ranges of addresses, like 192.0.2.0/24.
CREATE TABLE address_bans (
    network TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    made INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
"""

_SIXTH = """
-- See log_marks.py. One row.
CREATE TABLE log_marks (
    built_on BLOB,
    state BLOB NOT NULL
) STRICT;
INSERT INTO log_marks VALUES (NULL, randomblob(8));
"""

MIGRATIONS: tuple[str, ...] = (_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH, _SIXTH)
"""Script k leads from version k to version k + 1."""
