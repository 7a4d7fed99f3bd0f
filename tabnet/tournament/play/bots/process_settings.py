"""The settings of all bot processes of a run: plain values, which a referee process receives."""

from __future__ import annotations

from attrs import field, frozen

from tabnet.tournament.play.bots.bot_process import ProcessLimits
from tabnet.tournament.play.sandbox.policy import AUTO


@frozen
class ProcessSettings:
    limits: ProcessLimits = field(factory=ProcessLimits)
    variables: tuple[str, ...] = ()
    """The names of the runner's environment variables that bots receive as well."""
    sandbox: str = AUTO
    """The choice of the user; each machine has the sandboxes that it has."""
    readable: tuple[str, ...] = ()
    """Files and folders that bots may read, besides those that they need to run."""


USUAL = ProcessSettings()
