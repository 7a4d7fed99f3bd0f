"""What can be asked for with a match of Plakoto."""

from __future__ import annotations

from attrs import frozen


@frozen
class PlakotoOptions:
    """Plakoto takes no options."""
