"""Stored rows: the SQLite database, group commits, and how a server goes on from them."""
