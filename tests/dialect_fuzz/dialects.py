"""The dialects that the driver knows, by the names on its command line."""

from __future__ import annotations

from tests.dialect_fuzz.draughts import DRAUGHTS
from tests.dialect_fuzz.fish import FISH
from tests.dialect_fuzz.part import FuzzedDialect
from tests.dialect_fuzz.plakoto import PLAKOTO

DIALECTS: dict[str, FuzzedDialect] = {"draughts": DRAUGHTS, "fish": FISH, "plakoto": PLAKOTO}
