"""A game in the terminal: the screen, the keys, the parser of typed moves, and replay.

`canvas` and `game_windows` use the terminal; all other modules are pure.
"""
