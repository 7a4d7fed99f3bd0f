"""The help of a command: one screen with usage, examples and main options, then everything else."""

from __future__ import annotations

import argparse

EXAMPLES = 3
"""The examples on the first screen."""
MAIN_OPTIONS = {
    "tournament": ("--kind", "--format", "--pairs", "--clock", "--out", "--resume", "--json"),
    "bot": ("--opponent", "--games", "--kind", "--server", "--nick"),
    "check": ("--kind", "--patience", "--json"),
    "serve": ("--host", "--https-port", "--data", "--house", "--config", "--log"),
    "play": ("--opponent", "--kind", "--server", "--nick", "--private", "--clock"),
    "bench": ("--seconds", "--games", "--json"),
}
"""The options on the first screen, for the commands with many."""


class CommandParser(argparse.ArgumentParser):
    """A parser whose help begins with what most people need."""

    def format_help(self) -> str:
        name = self.prog.split()[-1]
        main = MAIN_OPTIONS.get(name)
        if main is None:
            return super().format_help()
        formatter = self._get_formatter()
        positionals = [each for each in self._actions if not each.option_strings]
        options = [each for each in self._actions if each.option_strings]
        names = [formatter._metavar_formatter(each, each.dest)(1)[0] for each in positionals]
        formatter.add_text(" ".join(["usage:", self.prog, *names, "[options]"]))
        title, *examples = (self.epilog or "").splitlines()
        formatter.add_text("\n".join([title, *examples[:EXAMPLES]]))
        formatter.start_section("main options")
        formatter.add_arguments(positionals)
        formatter.add_arguments([each for each in options if each.option_strings[-1] in main])
        formatter.end_section()
        formatter.add_text(self.description)
        for group in self._action_groups:
            rest = [each for each in group._group_actions if each.option_strings]
            formatter.start_section(
                "all other options" if group.title == "options" else group.title
            )
            formatter.add_arguments([e for e in rest if e.option_strings[-1] not in main])
            formatter.end_section()
        if examples[EXAMPLES:]:
            formatter.add_text("\n".join(["more examples:", *examples[EXAMPLES:]]))
        return formatter.format_help()
