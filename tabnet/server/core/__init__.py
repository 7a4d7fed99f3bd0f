"""Matches, pairing, accounts, ranking and queries as values and functions. Pure."""
