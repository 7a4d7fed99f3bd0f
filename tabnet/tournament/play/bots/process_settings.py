"""The settings of all bot processes of a run: plain values, which a referee process receives."""

from __future__ import annotations

from attrs import field, frozen

from tabnet.tournament.play.bots.bot_process import ProcessLimits


@frozen
class ProcessSettings:
    limits: ProcessLimits = field(factory=ProcessLimits)
    variables: tuple[str, ...] = ()
    """The names of the runner's environment variables that bots receive as well."""


USUAL = ProcessSettings()
