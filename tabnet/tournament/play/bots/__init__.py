"""Bots: entrants, their processes, and bots that connect from another machine."""
