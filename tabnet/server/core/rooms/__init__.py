"""Rooms: games that a dialect opens and seats, and the commands that only dialects send. Pure."""
