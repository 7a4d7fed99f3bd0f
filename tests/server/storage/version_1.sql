PRAGMA application_id = 2058857246;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE accounts (
    nick TEXT PRIMARY KEY,
    salt BLOB NOT NULL,
    digest BLOB NOT NULL,
    made INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
INSERT INTO "accounts" VALUES('zp',X'88593BAE1AC32099372CF6D4F10083D4',X'ECBF8DBC7B77281BCC4C3601A1432C28B843E119D38D96F015CBA118EE259154BC140B694DD89C048B1D5A9CCDF6E58C5C664C7011592136F61EE8C896E6B76F',1795064056);
INSERT INTO "accounts" VALUES('jpleal',X'EC883FDCDF7B600512357A2269278B74',X'3072BFEAA66F3E86A9FD636BD75844ED8B3E1A6DB6AD460368016EF778CA816D7F6490A5049733542B4B179E5548C802336BCB55CF2AD16278FC906E62BDA6CA',1795064056);
CREATE TABLE bans (
    nick TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    made INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE TABLE journal (
    id INTEGER PRIMARY KEY,
    events TEXT NOT NULL -- [[game, seq, at, event, seat, detail], ...]
) STRICT;
INSERT INTO "journal" VALUES(2,'[["8f5583d02afc24d3",2,10,"leave",0,null]]');
INSERT INTO "journal" VALUES(3,'[["b563ea3f75387c0f",1,0,"start",null,null]]');
INSERT INTO "journal" VALUES(4,'[["b563ea3f75387c0f",2,11,"move",0,{"route":["c3","d4"]}]]');
INSERT INTO "journal" VALUES(5,'[["b563ea3f75387c0f",3,17,"draw",1,true]]');
INSERT INTO "journal" VALUES(6,'[["95386674afca3fa6",1,0,"start",null,null]]');
INSERT INTO "journal" VALUES(7,'[["95386674afca3fa6",2,9,"roll",0,10]]');
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
INSERT INTO "matches" VALUES(1,'8f5583d02afc24d3','{"kind":"draughts","options":{},"seats":2,"clock":{"total":600},"group":null,"strict":false}','[{"nick":"zp","ranked":true,"auto":false,"salt_hash":null},{"nick":"jpleal","ranked":true,"auto":false,"salt_hash":null}]',X'A0AE6CAEDBB63237DD94B976FEB98321041BA7954BF3FD9ACB59538136C9BA36',1795064056,1,NULL,NULL,1795064056,'{"winners":[1],"points":[0,1],"reason":"leave"}','[["draughts",null,null,"zp",false,0],["draughts",null,null,"jpleal",true,1]]','[[1,0,"start",null,null],[2,10,"leave",0,null]]');
INSERT INTO "matches" VALUES(2,'b563ea3f75387c0f','{"kind":"draughts","options":{},"seats":2,"clock":{"total":600},"group":null,"strict":false}','[{"nick":"zp","ranked":true,"auto":false,"salt_hash":null},{"nick":"jpleal","ranked":true,"auto":false,"salt_hash":null}]',X'A78590A2BF6D9732630021CD87642D5B7D6CD8B74A2AFFB02859734EA528534B',1795064056,3,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "matches" VALUES(3,'95386674afca3fa6','{"kind":"tab","options":{"size":7},"seats":2,"clock":{"move":120},"group":1,"strict":false}','[{"nick":"zp","ranked":true,"auto":false,"salt_hash":null},{"nick":"jpleal","ranked":true,"auto":false,"salt_hash":null}]',X'0335235864042022ADF05F5B69FA5E08078F500DCD7C3E216B7C0F83FE7E7C8E',1795064056,6,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    wanted TEXT NOT NULL,
    answer TEXT
) STRICT;
CREATE TABLE standings (
    board TEXT NOT NULL, -- [kind, size, group]
    nick TEXT NOT NULL,
    victories INTEGER NOT NULL,
    games INTEGER NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (board, nick)
) STRICT, WITHOUT ROWID;
INSERT INTO "standings" VALUES('["draughts",null,null]','jpleal',1,1,1);
INSERT INTO "standings" VALUES('["draughts",null,null]','zp',0,1,0);
CREATE TABLE tables (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,
    terms TEXT NOT NULL,
    players TEXT NOT NULL,
    invite TEXT,
    opened_ms INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;
INSERT INTO "tables" VALUES(1,'cc314726f2631558','{"kind":"fish","options":{"rows":5,"cols":5,"holes":0},"seats":2,"clock":{"move":120},"group":null,"strict":false}','[{"nick":"zp","ranked":true,"auto":false,"wish":null,"salt_hash":null}]','8d8b7347cbc2fea8',1795064056842);
CREATE TABLE tokens (
    game TEXT NOT NULL,
    nick TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (game, nick)
) STRICT, WITHOUT ROWID;
INSERT INTO "tokens" VALUES('cc314726f2631558','zp',X'07C2397EF715F6D0B6941CCCAE0C5EB11674768F07687E31DC894DB7B4B2D5EB');
INSERT INTO "tokens" VALUES('b563ea3f75387c0f','jpleal',X'16635CB422C17EFBEAC843A73D1DD6628E1E5BB640813DC285700CF66FBFD98A');
INSERT INTO "tokens" VALUES('8f5583d02afc24d3','zp',X'2DA79D99CADB9D2D89ECC45BC437B91BB20E1D0E0751AD68D1479386EBFD861A');
INSERT INTO "tokens" VALUES('95386674afca3fa6','zp',X'37838DCAFAC721814909B2CFDB31EF182B75A1C950D9BCC133837BE1EB22B0B3');
INSERT INTO "tokens" VALUES('95386674afca3fa6','jpleal',X'81532926F6DFE5AB7E0409DF0648C6A4C159DB8ED22850ABFD70400836A263A5');
INSERT INTO "tokens" VALUES('8f5583d02afc24d3','jpleal',X'9EEC171077A8B58829744016DBDCB2A56251E5E60A1B93C1D3F199E9A1B0C28E');
INSERT INTO "tokens" VALUES('b563ea3f75387c0f','zp',X'E35F295F5B10170653DA8E14FD57744B91AE0472C368DE8AB6B0C9BCD36FA477');
CREATE INDEX tokens_by_digest ON tokens (digest);
CREATE INDEX unfinished ON matches (first) WHERE ended IS NULL;
CREATE INDEX finished ON matches (ended) WHERE ended IS NOT NULL;
CREATE VIEW happened AS
SELECT
    journal.id AS entry, value ->> 0 AS game, value ->> 1 AS seq, value ->> 2 AS at,
    value ->> 3 AS event, value ->> 4 AS seat, value -> 5 AS detail
FROM journal, json_each(journal.events);
COMMIT;
