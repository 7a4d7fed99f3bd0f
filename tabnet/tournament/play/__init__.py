"""Plays the games of a tournament: the runner, its folder, referees and bot processes."""
