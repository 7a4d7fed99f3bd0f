"""Limits on what clients cost: connections, commands, bytes, and things that are kept. Pure."""
