"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("steady", derandomize=True, database=None, deadline=None)
settings.load_profile("steady")
"""The same examples in every run, on machines however slow."""
