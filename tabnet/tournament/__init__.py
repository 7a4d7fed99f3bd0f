"""Tournaments of bots, in mirrored pairs of games.

The packages:

    check    `tabnet check`: the situations that a bot has to master
    report   the summary, files, the page, texts, and the display of the progress
    play     the runner, the folder of a tournament, referees and processes of bots
    plan     the games to be played: schedules, settings and the queue; pure
    stats    ratings, scores, tests and notes about them; pure
    records  games, results and the lines of the journal; pure

Each imports only from those below it; `report` and `play` do not import each other.
"""
