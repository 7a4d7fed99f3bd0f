"""Kill a server again and again during games: no acknowledged event may be lost.

`python -m tests.kill --kills 100 --games 20` is the long run, `test_kill.py` a short one.
"""
