"""What can be asked for with a match of draughts."""

from __future__ import annotations

from attrs import frozen


@frozen
class DraughtsOptions:
    """Draughts takes no options."""
