"""A player's side: it knows the protocol and nothing of the server.

`connection` is for programs on trio, `blocking` its twin for scripts and bots without any async.
Both stand on `dialogue`, which knows what was asked and what came, and on `address`, which knows
where the server is and why to trust it.

`bot` plays bot files: `botfile` loads them, `engagement` says where they play, and `reading` what
there is to do in an update.
"""
