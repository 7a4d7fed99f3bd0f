"""Killing the runner of a tournament at any moment, and resuming: does it change a result?"""
