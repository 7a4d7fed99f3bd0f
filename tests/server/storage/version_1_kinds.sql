PRAGMA application_id = 2058857246;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
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
CREATE TABLE journal (
    id INTEGER PRIMARY KEY,
    events TEXT NOT NULL -- [[game, seq, at, event, seat, detail], ...]
) STRICT;
INSERT INTO "journal" VALUES(1,'[["efb289fd5b668d2f",1,0,"start",null,null]]');
INSERT INTO "journal" VALUES(2,'[["efb289fd5b668d2f",2,5,"roll",0,13]]');
INSERT INTO "journal" VALUES(3,'[["efb289fd5b668d2f",3,7,"pass",0,null]]');
INSERT INTO "journal" VALUES(4,'[["efb289fd5b668d2f",4,7,"roll",1,11]]');
INSERT INTO "journal" VALUES(5,'[["efb289fd5b668d2f",5,8,"pass",1,null]]');
INSERT INTO "journal" VALUES(6,'[["efb289fd5b668d2f",6,9,"roll",0,14]]');
INSERT INTO "journal" VALUES(7,'[["efb289fd5b668d2f",7,9,"pass",0,null]]');
INSERT INTO "journal" VALUES(8,'[["efb289fd5b668d2f",8,10,"roll",1,2]]');
INSERT INTO "journal" VALUES(9,'[["efb289fd5b668d2f",9,12,"move",1,{"cell":27,"to":14}]]');
INSERT INTO "journal" VALUES(10,'[["efb289fd5b668d2f",10,13,"roll",1,0]]');
INSERT INTO "journal" VALUES(11,'[["efb289fd5b668d2f",11,14,"move",1,{"cell":14,"to":20}]]');
INSERT INTO "journal" VALUES(12,'[["efb289fd5b668d2f",12,16,"roll",1,2]]');
INSERT INTO "journal" VALUES(13,'[["efb289fd5b668d2f",13,17,"move",1,{"cell":20,"to":7}]]');
INSERT INTO "journal" VALUES(14,'[["efb289fd5b668d2f",14,17,"roll",1,5]]');
INSERT INTO "journal" VALUES(15,'[["efb289fd5b668d2f",15,18,"move",1,{"cell":7,"to":9}]]');
INSERT INTO "journal" VALUES(16,'[["dd1b27b9aa4676dd",1,0,"start",null,null]]');
INSERT INTO "journal" VALUES(17,'[["dd1b27b9aa4676dd",2,1,"roll",0,[2,3]]]');
INSERT INTO "journal" VALUES(18,'[["dd1b27b9aa4676dd",3,2,"move",0,{"from":1,"to":3}]]');
INSERT INTO "journal" VALUES(19,'[["dd1b27b9aa4676dd",4,3,"move",0,{"from":3,"to":6}]]');
INSERT INTO "journal" VALUES(20,'[["dd1b27b9aa4676dd",5,3,"roll",1,[3,4]]]');
INSERT INTO "journal" VALUES(21,'[["dd1b27b9aa4676dd",6,4,"move",1,{"from":24,"to":20}]]');
INSERT INTO "journal" VALUES(22,'[["dd1b27b9aa4676dd",7,5,"move",1,{"from":20,"to":17}]]');
INSERT INTO "journal" VALUES(23,'[["dd1b27b9aa4676dd",8,5,"roll",0,[1,5]]]');
INSERT INTO "journal" VALUES(24,'[["dd1b27b9aa4676dd",9,31,"move",0,{"from":6,"to":11}]]');
INSERT INTO "journal" VALUES(25,'[["dd1b27b9aa4676dd",10,42,"move",0,{"from":1,"to":2}]]');
INSERT INTO "journal" VALUES(26,'[["da5d22b84a8c69b4",1,0,"start",null,null]]');
INSERT INTO "journal" VALUES(27,'[["da5d22b84a8c69b4",2,12,"move",0,{"place":{"row":1,"col":3}}]]');
INSERT INTO "journal" VALUES(28,'[["da5d22b84a8c69b4",3,20,"move",1,{"place":{"row":0,"col":4}}]]');
INSERT INTO "journal" VALUES(29,'[["da5d22b84a8c69b4",4,24,"move",2,{"place":{"row":0,"col":0}}]]');
INSERT INTO "journal" VALUES(30,'[["da5d22b84a8c69b4",5,28,"move",0,{"place":{"row":1,"col":0}}]]');
INSERT INTO "journal" VALUES(31,'[["da5d22b84a8c69b4",6,40,"move",1,{"place":{"row":2,"col":3}}]]');
INSERT INTO "journal" VALUES(32,'[["da5d22b84a8c69b4",7,45,"move",2,{"place":{"row":1,"col":4}}]]');
INSERT INTO "journal" VALUES(33,'[["da5d22b84a8c69b4",8,56,"move",0,{"place":{"row":0,"col":3}}]]');
INSERT INTO "journal" VALUES(34,'[["da5d22b84a8c69b4",9,62,"move",1,{"place":{"row":0,"col":2}}]]');
INSERT INTO "journal" VALUES(35,'[["da5d22b84a8c69b4",10,64,"move",2,{"place":{"row":0,"col":1}}]]');
INSERT INTO "journal" VALUES(36,'[["da5d22b84a8c69b4",11,76,"move",0,{"from":{"row":0,"col":3},"to":{"row":2,"col":2}}]]');
INSERT INTO "journal" VALUES(37,'[["da5d22b84a8c69b4",12,80,"leave",1,null]]');
INSERT INTO "journal" VALUES(38,'[["da5d22b84a8c69b4",13,88,"move",2,{"from":{"row":0,"col":1},"to":{"row":1,"col":1}}]]');
INSERT INTO "journal" VALUES(39,'[["da5d22b84a8c69b4",14,95,"move",0,{"from":{"row":1,"col":0},"to":{"row":2,"col":1}}]]');
INSERT INTO "journal" VALUES(40,'[["c6314742e22481bc",1,0,"start",null,null]]');
INSERT INTO "journal" VALUES(41,'[["c6314742e22481bc",2,4,"move",0,{"route":["g3","h4"]}]]');
INSERT INTO "journal" VALUES(42,'[["c6314742e22481bc",3,10,"move",1,{"route":["d6","e5"]}]]');
INSERT INTO "journal" VALUES(43,'[["c6314742e22481bc",4,20,"move",0,{"route":["f2","g3"]}]]');
INSERT INTO "journal" VALUES(44,'[["c6314742e22481bc",5,24,"move",1,{"route":["e5","f4"]}]]');
INSERT INTO "journal" VALUES(45,'[["c6314742e22481bc",6,32,"move",0,{"route":["e3","g5"]}]]');
INSERT INTO "journal" VALUES(46,'[["35481296555400e0",1,0,"start",null,null]]');
INSERT INTO "journal" VALUES(47,'[["35481296555400e0",2,1,"move",0,{"place":{"row":0,"col":2}}]]');
INSERT INTO "journal" VALUES(48,'[["35481296555400e0",3,6,"move",1,{"place":{"row":1,"col":1}}]]');
INSERT INTO "journal" VALUES(49,'[["35481296555400e0",4,13,"move",0,{"place":{"row":1,"col":2}}]]');
INSERT INTO "journal" VALUES(50,'[["35481296555400e0",5,22,"move",1,{"place":{"row":2,"col":0}}]]');
INSERT INTO "journal" VALUES(51,'[["35481296555400e0",6,24,"move",0,{"place":{"row":0,"col":1}}]]');
INSERT INTO "journal" VALUES(52,'[["35481296555400e0",7,32,"move",1,{"place":{"row":2,"col":3}}]]');
INSERT INTO "journal" VALUES(53,'[["35481296555400e0",8,36,"move",0,{"place":{"row":2,"col":1}}]]');
INSERT INTO "journal" VALUES(54,'[["35481296555400e0",9,44,"move",1,{"place":{"row":1,"col":0}}]]');
INSERT INTO "journal" VALUES(55,'[["35481296555400e0",10,50,"move",0,{"from":{"row":1,"col":2},"to":{"row":2,"col":2}}]]');
INSERT INTO "journal" VALUES(56,'[["35481296555400e0",11,58,"move",1,{"from":{"row":2,"col":3},"to":{"row":1,"col":3}}]]');
INSERT INTO "journal" VALUES(57,'[["35481296555400e0",12,59,"move",1,{"from":{"row":2,"col":0},"to":{"row":0,"col":0}}]]');
INSERT INTO "journal" VALUES(58,'[["35481296555400e0",13,64,"move",1,{"from":{"row":1,"col":3},"to":{"row":0,"col":3}}]]');
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
INSERT INTO "matches" VALUES(1,'efb289fd5b668d2f','{"kind":"tab","options":{"size":7},"seats":2,"clock":{"move":120},"group":1,"strict":false}','[{"nick":"guest-39e851c9","ranked":false,"auto":false,"salt_hash":null},{"nick":"guest-34ed0578","ranked":false,"auto":false,"salt_hash":null}]',X'EF1BF9D8B0A53BB55C99769447C8AB46EA768957BA34F679F75CAA121EF5269F',1795075626,1,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "matches" VALUES(2,'dd1b27b9aa4676dd','{"kind":"plakoto","options":{},"seats":2,"clock":{"move":120},"group":null,"strict":false}','[{"nick":"guest-60de34d0","ranked":false,"auto":false,"salt_hash":null},{"nick":"guest-8dff38da","ranked":false,"auto":false,"salt_hash":null}]',X'E80C40C2FD4E5007837375FDE7D40024A1DEF789D65357CC69DF343843F393AD',1795075626,16,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "matches" VALUES(3,'da5d22b84a8c69b4','{"kind":"fish","options":{"rows":3,"cols":5,"holes":2},"seats":3,"clock":{"move":120},"group":null,"strict":false}','[{"nick":"guest-6723b8a6","ranked":false,"auto":false,"salt_hash":null},{"nick":"guest-32ce1a62","ranked":false,"auto":false,"salt_hash":null},{"nick":"guest-72f5e416","ranked":false,"auto":false,"salt_hash":null}]',X'D30C0AF34096E2287C66F12F0C0D5C989D85538994C1CDF9BF0082881EDD3E29',1795075626,26,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "matches" VALUES(4,'c6314742e22481bc','{"kind":"draughts","options":{},"seats":2,"clock":{"total":600},"group":null,"strict":false}','[{"nick":"guest-818a39f0","ranked":false,"auto":false,"salt_hash":null},{"nick":"guest-4f2938c7","ranked":false,"auto":false,"salt_hash":null}]',X'9F3A09EBDDE0FEDDFCB5F30C7A5DD8FF1BC7CDE00734C83E87144569FEAA041E',1795075627,40,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "matches" VALUES(5,'35481296555400e0','{"kind":"fish","options":{"rows":3,"cols":4,"holes":0},"seats":2,"clock":{"move":120},"group":null,"strict":false}','[{"nick":"guest-63a30d30","ranked":false,"auto":false,"salt_hash":null},{"nick":"guest-4768a379","ranked":false,"auto":false,"salt_hash":null}]',X'477980C491B6CBFB4EF14877EF77671B965C15F71B534678508C0A5EAB1F1B43',1795075627,46,NULL,NULL,1795075627,'{"winners":[1],"points":[3,7],"reason":"no_moves"}','[]','[[1,0,"start",null,null],[2,1,"move",0,{"place":{"row":0,"col":2}}],[3,6,"move",1,{"place":{"row":1,"col":1}}],[4,13,"move",0,{"place":{"row":1,"col":2}}],[5,22,"move",1,{"place":{"row":2,"col":0}}],[6,24,"move",0,{"place":{"row":0,"col":1}}],[7,32,"move",1,{"place":{"row":2,"col":3}}],[8,36,"move",0,{"place":{"row":2,"col":1}}],[9,44,"move",1,{"place":{"row":1,"col":0}}],[10,50,"move",0,{"from":{"row":1,"col":2},"to":{"row":2,"col":2}}],[11,58,"move",1,{"from":{"row":2,"col":3},"to":{"row":1,"col":3}}],[12,59,"move",1,{"from":{"row":2,"col":0},"to":{"row":0,"col":0}}],[13,64,"move",1,{"from":{"row":1,"col":3},"to":{"row":0,"col":3}}]]');
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
CREATE TABLE tables (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,
    terms TEXT NOT NULL,
    players TEXT NOT NULL,
    invite TEXT,
    opened_ms INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;
CREATE TABLE tokens (
    game TEXT NOT NULL,
    nick TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (game, nick)
) STRICT, WITHOUT ROWID;
INSERT INTO "tokens" VALUES('35481296555400e0','guest-63a30d30',X'0B595C6B6F98515A8A61B62F3847F762970ABBC9651A2E95EE061CB99C8B7EE6');
INSERT INTO "tokens" VALUES('c6314742e22481bc','guest-818a39f0',X'0C19356DFCFABE196E8B8EBF40B3C7442FA4A323ED7ACC9B0CD1A3C38AD8A576');
INSERT INTO "tokens" VALUES('efb289fd5b668d2f','guest-34ed0578',X'210DDC6BADD8715CB05AD11E4B2F6A382019A636D66DFB8112B16B8863A33FDB');
INSERT INTO "tokens" VALUES('da5d22b84a8c69b4','guest-72f5e416',X'32A1CCFB674353F43A9A37775677AF3F72A23F537B9F87034014300CE765144C');
INSERT INTO "tokens" VALUES('dd1b27b9aa4676dd','guest-60de34d0',X'4976240D532969E1CEE5D48B1D4CA68747F71ECB74D02438791A928B31C49361');
INSERT INTO "tokens" VALUES('35481296555400e0','guest-4768a379',X'53E5D61ADFFFD48FAFE0817AFB50672665A1BB969196D0DDBD016A9E71569C0B');
INSERT INTO "tokens" VALUES('da5d22b84a8c69b4','guest-6723b8a6',X'818AD80621558A85BC0C7E250F841B96094A90EF6E8C5FB6C51559528EE123B1');
INSERT INTO "tokens" VALUES('efb289fd5b668d2f','guest-39e851c9',X'A90C115DBF90720C47DA8E51A9D77E818FCF41E167D7C71E8D98F8733F1C1BA2');
INSERT INTO "tokens" VALUES('c6314742e22481bc','guest-4f2938c7',X'C4AF292BCA055C72110E6F73669900DBCCD3D877D14891EF73B59790DB026458');
INSERT INTO "tokens" VALUES('dd1b27b9aa4676dd','guest-8dff38da',X'DB3CF16B5E59F9A191B717F94B9C67D4338B7961981B8C0B4C1119E5C0B8E055');
INSERT INTO "tokens" VALUES('da5d22b84a8c69b4','guest-32ce1a62',X'FD89D9796E117E4495ED3B2EEDB82AE572DFBBBE6EB19FE093BBCD7D02DA01C6');
CREATE INDEX tokens_by_digest ON tokens (digest);
CREATE INDEX unfinished ON matches (first) WHERE ended IS NULL;
CREATE INDEX finished ON matches (ended) WHERE ended IS NOT NULL;
CREATE VIEW happened AS
SELECT
    journal.id AS entry, value ->> 0 AS game, value ->> 1 AS seq, value ->> 2 AS at,
    value ->> 3 AS event, value ->> 4 AS seat, value -> 5 AS detail
FROM journal, json_each(journal.events);
COMMIT;
