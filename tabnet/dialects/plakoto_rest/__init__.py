"""Plakoto over REST: a board of cells, two players and a status row in each room."""
