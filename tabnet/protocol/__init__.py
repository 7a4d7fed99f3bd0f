"""The protocol between a player and the server, as classes and as bytes. Pure.

`messages` are the commands and `frames` the responses, as frozen classes. `codec` converts both
from and to bytes, and `line_splitter` splits a stream of bytes into lines. `help_reply` and
`schema_reply` describe the commands for people and as JSON Schema.
"""
