"""Reading positions of Nim from JSON values."""

from __future__ import annotations

from tabnet.games.nim.fields import MOST_STONES
from tabnet.games.nim.state import SIDES, NimState

from tabnet.games.api import JSON
from tabnet.games.json_checks import refuse_position, require_fields

VIEW_FIELDS = ("stones", "turn", "dice", "won")


def load_position(view: JSON) -> NimState:
    """Return the position of a view; raises `InvalidPosition`."""
    values = require_fields(view, "", VIEW_FIELDS[:1], VIEW_FIELDS[1:])
    state = NimState(values["stones"], values.get("turn", 0), values.get("dice"), values.get("won"))
    is_over = state.stones == 0
    allowed = {
        "stones": range(MOST_STONES + 1),
        "turn": (None,) if is_over else (0, 1),
        "dice": (None,) if is_over else (None, *SIDES),
        "won": (0, 1) if is_over else (None,),
    }
    for name, values_allowed in allowed.items():
        value = getattr(state, name)
        if type(value) not in (int, type(None)) or value not in values_allowed:
            refuse_position(name, f"{name} cannot have this value here")
    return state
