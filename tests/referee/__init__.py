"""Killing and stopping the referee processes of a tournament: does it change a result?"""
