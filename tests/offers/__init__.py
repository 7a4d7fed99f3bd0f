"""A client that floods its game with draw offers and releases."""
