"""The positions of draughts in which `tabnet check` tries a bot: only those of every kind."""

from __future__ import annotations

from tabnet.games.check_positions import CheckPosition

CHECK_POSITIONS: tuple[CheckPosition, ...] = ()
