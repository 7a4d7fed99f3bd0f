"""Measuring: load and yardsticks for what tabnet promises about speed.

`load` plays many games against any server that speaks the protocol; `bare` is the yardstick, the
same lines over the same sockets without a game; `server` brings both together. `attackers` do what
a server has to bear, and `flood` measures what players notice of it. `rules` plays by the rules
alone.
"""
