"""A server is killed again and again while it is played on: no acknowledged event may be lost.

`python -m tests.kill --kills 100 --games 20` is the long run, `tests/cli/test_kill.py` a short one.
"""
