"""The help of a command: one screen with usage, examples and main options, then everything else."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

EXAMPLES = 3
"""The examples on the first screen."""
MAIN_OPTIONS = {
    "tournament": ("--kind", "--format", "--pairs", "--clock", "--out", "--resume", "--json"),
    "bot": ("--opponent", "--games", "--kind", "--server", "--nick"),
    "check": ("--kind", "--patience", "--json"),
    "serve": ("--host", "--https-port", "--data", "--house", "--config", "--log"),
    "play": ("--opponent", "--kind", "--server", "--nick", "--private", "--clock"),
    "export": ("--format", "--out", "--server", "--data"),
    "ranking": ("--kind", "--group", "--server", "--json"),
    "perft": ("--depth", "--position", "--json"),
    "bench": ("--seconds", "--games", "--json"),
}
"""The options on the first screen; for a command that is not listed, all."""


class CommandParser(argparse.ArgumentParser):
    """A parser whose help begins with what most people need."""

    def format_help(self) -> str:
        formatter = self._get_formatter()
        positionals = self._get_positional_actions()
        options = self._get_optional_actions()
        names = [formatter._metavar_formatter(each, each.dest)(1)[0] for each in positionals]
        required = [
            f"{each.option_strings[-1]} {each.metavar or each.dest.upper()}"
            for each in options
            if each.required
        ]
        formatter.add_text(" ".join(["usage:", self.prog, *names, *required, "[options]"]))
        title, *examples = (self.epilog or "").splitlines() or [""]
        formatter.add_text("\n".join([title, *examples[:EXAMPLES]]))
        main = self._list_main(options)
        tasks = [each for each in positionals if isinstance(each, argparse._SubParsersAction)]
        for each in tasks:
            formatter.add_text("\n".join(_list_tasks(each)))
        formatter.start_section("main options" if len(main) < len(options) else "options")
        formatter.add_arguments([each for each in positionals if each not in tasks])
        formatter.add_arguments(main)
        formatter.end_section()
        formatter.add_text(self.description)
        self._add_rest(formatter, main)
        if examples[EXAMPLES:]:
            formatter.add_text("\n".join(["more examples:", *examples[EXAMPLES:]]))
        return formatter.format_help()

    def _get_formatter(self) -> argparse.HelpFormatter:
        return argparse.RawDescriptionHelpFormatter(self.prog)

    def _list_main(self, options: list[argparse.Action]) -> list[argparse.Action]:
        names = MAIN_OPTIONS.get(self.prog.partition(" ")[2])
        if names is None:
            return options
        return [each for each in options if each.option_strings[-1] in names]

    def _add_rest(self, formatter: argparse.HelpFormatter, main: list[argparse.Action]) -> None:
        """Add the options that are not on the first screen, in their groups."""
        for group in self._action_groups:
            options = [each for each in group._group_actions if each.option_strings]
            title = "all other options" if group.title == "options" else group.title
            formatter.start_section(title)
            formatter.add_arguments([each for each in options if each not in main])
            formatter.end_section()


def _list_tasks(action: argparse._SubParsersAction[argparse.ArgumentParser]) -> Iterator[str]:
    """Yield a line for each subcommand."""
    tasks = action._get_subactions()
    width = max(len(each.dest) for each in tasks)
    yield f"{action.metavar}s:".lower()
    for each in tasks:
        yield f"  {each.dest:{width}}  {each.help}"
