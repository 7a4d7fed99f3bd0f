"""`tabnet help`: show a chapter of the manual."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from tabnet.errors import StartError, quote

DESCRIPTION = """\
Show a chapter of the manual. Without a topic, list the topics. Piped output is plain text.
"""
EXAMPLE = """\
examples:
  tabnet help
  tabnet help bots
  tabnet help protocol
"""

TOPICS = (
    "bots",
    "rules",
    "tournaments",
    "cluster",
    "reports",
    "playing",
    "dice",
    "server",
    "limits",
    "commands",
    "windows",
    "protocol",
    "changelog",
)
"""The topics in the order in which a newcomer needs them; each kind of game is a topic too."""

PACKAGE = Path(__file__).parents[1]

RELATIVE_LINK = re.compile(r"\[([^]]*)\]\((?!https?:)[^)]*\)")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", nargs="?", metavar="TOPIC", help="one of the topics")


def list_kinds() -> list[str]:
    """Return the kinds of games; each is a topic, and its package has the chapter."""
    return sorted(path.parent.name for path in PACKAGE.glob("games/*/manual.md"))


def run(args: argparse.Namespace) -> int:
    """Print a chapter, or the topics; raises `StartError` for an unknown topic."""
    if args.topic is None:
        print(format_topics())
        return 0
    text = find_chapter(args.topic).read_text(encoding="utf-8")
    if sys.stdout.isatty():
        show_in_terminal(text)
    else:
        sys.stdout.write(text)
    return 0


def format_topics() -> str:
    names = (*TOPICS, *list_kinds())
    texts = {topic: find_chapter(topic).read_text(encoding="utf-8") for topic in names}
    titles = {topic: text.splitlines()[0].removeprefix("# ") for topic, text in texts.items()}
    lines = [f"  {topic:<12} {title}" for topic, title in titles.items()]
    return "\n".join(
        ["tabnet help TOPIC shows a chapter:", *lines, "", "tabnet COMMAND --help lists options."]
    )


def find_chapter(topic: str) -> Path:
    """Return the file of a topic; raises `StartError` if there is no such topic."""
    if topic in list_kinds():
        return PACKAGE / "games" / topic / "manual.md"
    if topic not in TOPICS:
        known = ", ".join([*TOPICS, *list_kinds()])
        hint = f"topics: {known}; options of a command: tabnet COMMAND --help"
        raise StartError(f"there is no topic {quote(topic)}", hint=hint)
    if topic == "changelog":
        return PACKAGE / "CHANGELOG.md"
    path = PACKAGE / "docs" / f"{topic}.md"
    # In a checkout, protocol.md is beside the package; the wheel has it among the chapters.
    return path if path.exists() else PACKAGE.parent / path.name


def show_in_terminal(text: str) -> None:
    """Print Markdown with headings, tables and colours; relative links are shown as their text."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    # Without these two, rich prints code on black boxes, also in a light terminal.
    console = Console(highlight=False, theme=Theme({"markdown.code": "bold cyan"}))
    console.print(Markdown(RELATIVE_LINK.sub(r"\1", text), code_theme="ansi_dark"))
