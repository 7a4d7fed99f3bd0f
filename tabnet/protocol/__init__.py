"""The protocol between a player and the server, as classes and as bytes. Pure.

`messages` are the commands and `frames` the responses, as frozen classes. `codec` converts both
from and to bytes, and `lines` splits a stream of bytes into lines. `guide` and `schema` describe
the commands for people and as JSON Schema.
"""
