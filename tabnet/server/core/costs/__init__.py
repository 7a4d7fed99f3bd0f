"""Limits on what clients cost: connections, commands, bytes, waits and new nicks. Pure."""
