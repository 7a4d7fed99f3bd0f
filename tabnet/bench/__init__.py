"""Benchmarks: load on a server, and the yardsticks to compare it with.

`load_client` plays many games against any server that speaks the protocol. `bare_server` is the
yardstick: it sends the same lines over the same sockets without a game. `server` compares both.
`attackers` attack a server, and `flood` measures their effect on players. `rules` measures the
rules alone.
"""
