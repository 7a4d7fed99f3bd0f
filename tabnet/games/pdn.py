"""The former path of `tabnet.games.draughts.pdn`, for programs that import it from here."""

from __future__ import annotations

from tabnet.games.draughts.pdn import PdnGame, export_game, import_game, read_fen, write_fen

__all__ = ["PdnGame", "export_game", "import_game", "read_fen", "write_fen"]
