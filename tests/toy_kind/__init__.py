"""A fifth kind of game: the proof that a kind needs its own files and a line in GAMES, no more.

The files of the kind are its package `nim`, its board and texts `nim_board`, its section of
protocol.md `nim_protocol.md` and its tests `nim_tests`. The tests add them to a copy of the
product, and run the commands of that copy.
"""
