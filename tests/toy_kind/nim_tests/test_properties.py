"""The positions of Nim for the contract tests."""

from __future__ import annotations

from hypothesis import strategies as st
from tabnet.games.nim.state import NimState

STONES = st.integers(1, 40)
SEATS = st.integers(0, 1)

positions = st.one_of(
    st.builds(NimState, STONES, SEATS, st.none() | st.integers(1, 6)),
    st.builds(NimState, st.just(0), st.none(), won=SEATS),
)
