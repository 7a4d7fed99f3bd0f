"""The player's side: connections to a server, bots, the terminal, and verification.

`trio_client` is the client on trio, `blocking` is the client without async. Both use `address`
(which server, and how to trust it) and `client_state` (requests, replies and updates, without a
socket). `bot` runs a bot file: `bot_file` loads it, `bot_settings` says where it plays, and
`bot_view` keeps the position by the events of turns.
"""
