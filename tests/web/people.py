"""People at the page: they see, choose and click, in browsers that share nothing."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define

from tests.__main__ import ROOT
from tests.browser import Page
from tests.cli.processes import TABNET
from tests.polling import TIMEOUT_S

CLICKING = """(enough) => new Promise((done) => {
  const at = (id) => document.getElementById(id);
  const any = (list) => list[Math.floor(Math.random() * list.length)];
  const player = setInterval(() => {
    const targets = document.querySelectorAll(".target");
    const cells = targets.length > 0 ? targets : document.querySelectorAll(".legal");
    if (enough()) { clearInterval(player); done(true); }
    else if (!at("throw-button").disabled) at("throw-button").click();
    else if (!at("pass").hidden) at("pass").click();
    else if (cells.length > 0) any(cells).click();
  }, 8);
})"""
"""Somebody who clicks on anything that the page offers, until it is enough."""
OVER = "!document.getElementById('play-again').hidden"
IS_READY = "document.querySelector('[name=kind]').options.length > 1"
IS_GONE = "document.getElementById('message').textContent === 'No opponent came'"
LANGUAGES = re.findall(
    r"^  (\w+): {", (ROOT / "tabnet/web/languages.js").read_text(encoding="utf-8"), re.MULTILINE
)
"""The codes of the languages of the page."""
IS_DUE = "document.title.startsWith('Your turn')"


@define
class Site:
    """A server with a page, which can be ended and started again at the same address."""

    folder: Path
    options: tuple[str, ...]
    port: int = 0
    process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        """Come up, at the address of before if there was one."""
        command = [TABNET, "serve", "--tls-port", "0", "--tcp-port", "0", "--data", self.folder]
        command += ["--http-port", str(self.port), *self.options]
        with (self.folder / "stderr").open("a") as stderr:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=stderr, text=True
            )
        while (line := self.process.stdout.readline().split()) != ["ready"]:
            assert line, (self.folder / "stderr").read_text()
            if line[:2] == ["listening", "http"]:
                self.port = int(line[2].rpartition(":")[2])

    def kill(self) -> None:
        """End it without a word."""
        self.process.kill()
        self.process.communicate(timeout=TIMEOUT_S)


@contextmanager
def site(folder: Path, *options: str) -> Iterator[Site]:
    """A server with a page, ended at the end."""
    opened = Site(folder, options)
    opened.start()
    try:
        yield opened
    finally:
        opened.kill()


class Person:
    """Somebody at the page."""

    def __init__(self, page: Page, site: Site, language: str = "en") -> None:
        self.page, self.site = page, site
        page.prefer_language(language)
        page.resize(1200, 900, still=True)
        self.open()
        self.choose(pace="instant")

    @property
    def message(self) -> str:
        """The line that everybody sees first, as soon as it says more than to be patient."""
        said = "document.getElementById('message').textContent"
        return self.page.wait(f"{said} !== 'One moment…' && {said}")

    @property
    def reason(self) -> str:
        """The line below the first one: the reason of the end, or the latest event."""
        return self.page.ask("document.getElementById('latest-event').textContent")

    def open(self, fragment: str = "") -> None:
        """Come to the page, and wait until it knows what is played here."""
        self.page.open(self.site.address, fragment)
        self.page.wait(IS_READY)

    def reload(self) -> None:
        """Load the page again."""
        self.page.reload()
        self.page.wait(IS_READY)

    def choose(self, **wishes: str) -> None:
        """Make choices in the configuration."""
        for name, value in wishes.items():
            chosen = self.page.ask(f"""(() => {{
                const field = document.querySelector("[name={name}]");
                field.value = {json.dumps(value)};
                field.dispatchEvent(new Event("change", {{ bubbles: true }}));
                return field.value;
            }})()""")
            assert chosen == value, f"{name} has no {value}"

    def choose_language(self, code: str) -> None:
        """Choose a language in the menu, and wait until the page uses it."""
        self.page.ask(f"""{{
            const menu = document.getElementById("language");
            menu.value = {json.dumps(code)};
            menu.dispatchEvent(new Event("change"));
        }}""")
        self.page.wait(f"document.documentElement.lang.startsWith({json.dumps(code)})")

    def sign_in(self, nick: str, password: str = "secret") -> None:
        """Become somebody whose games are ranked."""
        self.page.click("#account")
        for name, text in (("nick", nick), ("password", password)):
            self.page.ask(f"document.querySelector('#sign-in [name={name}]').focus()")
            self.page.tell("Input.insertText", text=text)
        self.page.press("Enter")
        self.page.wait(f"document.getElementById('account').textContent === {json.dumps(nick)}")

    def start(self, **wishes: str) -> None:
        """Choose a game and start it, or wait for it."""
        self.choose(**wishes)
        self.page.click("#start")
        self.page.wait("location.hash.startsWith('#play=')")

    def play(self, enough: str = OVER) -> None:
        """Click at random until it is enough; the expression is the page's own."""
        self.page.ask(f"({CLICKING})(() => {enough})")

    def begin_to_play(self, enough: str = OVER) -> None:
        """The same, while others go on."""
        self.page.ask(f"window.playing = ({CLICKING})(() => {enough}); 0")

    def resign(self) -> None:
        """Resign by the buttons of the page."""
        self.page.click("#resign")
        self.page.click("#confirm-resign")
        self.page.wait(OVER)

    def leave(self) -> None:
        """Give up whatever is still played, so that nobody waits for it."""
        self.page.ask("""(async () => {
            const { sendCommand } = await import("./server_connection.js");
            const { loadSeats } = await import("./browser_storage.js");
            const leave = ({ game, token }) => sendCommand("leave", { game, token });
            await Promise.allSettled(loadSeats().map(leave));
        })()""")

    def steps(self) -> int:
        """How many steps a match that is over had."""
        self.page.wait("!document.getElementById('replay').hidden")
        return int(self.page.ask("document.getElementById('replay-step').max"))

    def said_nothing(self) -> bool:
        """Return whether the page logged no errors, except for refusals."""
        return not [said for said in self.page.said if '"source": "network"' not in said]
