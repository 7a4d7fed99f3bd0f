"""Draughts in text lines, as its source document describes it: clients poll rooms of two."""
