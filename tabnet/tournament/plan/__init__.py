"""Decides which games are played, in which order, and when a tournament ends. Pure."""
