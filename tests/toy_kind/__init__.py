"""A fifth kind of game: the proof that a kind needs its own files and a line in GAMES, no more.

The folder `nim`, the board `nim.js` and the tests `nim_positions.py` are the files of the kind. The
tests add them to a copy of the product, and run the commands of that copy.
"""
