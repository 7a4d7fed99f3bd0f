"""The wire: what travels between a player and the referee, and how it becomes bytes. Pure.

`messages` are the commands and `frames` the answers, as frozen classes; `codec` turns bytes into
them and back; `lines` cuts a stream of bytes into lines; `guide` explains the commands and
describes them as JSON Schema.
"""
