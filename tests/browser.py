"""A real Chromium without a window, told what to do through two pipes: several people at once."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from tests.polling import TIMEOUT_S

NAMES = ("chromium", "chromium-browser", "google-chrome")
SILENCE_S = TIMEOUT_S + 15
"""Longer than a page is waited for, so that it can tell what it shows instead."""
OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
    *("--remote-debugging-pipe", "--hide-scrollbars", "about:blank"),
)
KEY_CODES = {
    "Escape": 27,
    "Enter": 13,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}


class Browser:
    """The program, over the protocol of its developer tools."""

    def __init__(self, commands: BinaryIO, answers: BinaryIO) -> None:
        self._commands, self._answers = commands, answers
        self._numbers = count(1)
        self._rest = b""
        self._pages: dict[str, Page] = {}

    def page(self) -> Page:
        """A page of somebody who shares nothing with the others."""
        context = self.ask("Target.createBrowserContext")["browserContextId"]
        made = self.ask("Target.createTarget", url="about:blank", browserContextId=context)
        told = self.ask("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        page = Page(self, told["sessionId"])
        self._pages[page.session] = page
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.tell(f"{domain}.enable")
        return page

    def ask(self, method: str, session: str | None = None, **params: object) -> Any:
        """The result of a command, for one page or for the browser."""
        number = self.send(method, session, **params)
        while (message := self.listen()).get("id") != number:
            pass
        assert "error" not in message, message
        return message["result"]

    def send(self, method: str, session: str | None = None, **params: object) -> int:
        """Send a command, and return its number; nothing is waited for."""
        number = next(self._numbers)
        told = {"id": number, "method": method, "params": params}
        told |= {} if session is None else {"sessionId": session}
        self._commands.write(json.dumps(told).encode() + b"\0")
        self._commands.flush()
        return number

    def listen(self) -> dict[str, Any]:
        """The next message; the page that it is about has noted it."""
        while b"\0" not in self._rest:
            assert select.select([self._answers], [], [], SILENCE_S)[0], "the browser is silent"
            came = os.read(self._answers.fileno(), 65536)
            assert came, "the browser has ended"
            self._rest += came
        line, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(line)
        if page := self._pages.get(message.get("sessionId")):
            page.note(message)
        return message


class Page:
    """One page of it."""

    def __init__(self, browser: Browser, session: str) -> None:
        self.browser, self.session = browser, session
        self.said: list[str] = []
        """The errors of the page, and the messages on its console."""
        self.asked: list[str] = []
        """The addresses that it asked for."""
        self._loaded = 0

    def tell(self, method: str, **params: object) -> Any:
        """The result of a command for this page."""
        return self.browser.ask(method, self.session, **params)

    def note(self, message: dict[str, Any]) -> None:
        """Remember what a message tells."""
        method, params = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])
        elif method == "Page.loadEventFired":
            self._loaded += 1
        elif method == "Page.javascriptDialogOpening":
            self.browser.send("Page.handleJavaScriptDialog", self.session, accept=True)
        elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.said.append(json.dumps(params))

    def open(self, address: Path | str, fragment: str = "") -> None:
        """Open a file or an address anew and wait until it is there."""
        url = address.as_uri() if isinstance(address, Path) else address
        for there in ("about:blank", url + fragment):
            self._load("Page.navigate", url=there)

    def reload(self) -> None:
        """Load the page again and wait until it is there."""
        self._load("Page.reload")

    def _load(self, method: str, **params: object) -> None:
        before = self._loaded
        self.tell(method, **params)
        while self._loaded == before:
            self.browser.listen()

    def ask(self, expression: str) -> Any:
        """The value of an expression on the page, or what it promises."""
        told = self.tell(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def wait(self, expression: str, patience_s: float = TIMEOUT_S) -> Any:
        """Evaluate an expression in every frame until it is true, and return its value."""
        watching = f"""new Promise((done) => {{
            const until = performance.now() + {patience_s * 1000};
            const look = () => {{
                const found = ({expression});
                if (found || performance.now() > until) done(found instanceof Element || found);
                else setTimeout(look, 15);
            }};
            look();
        }})"""
        found = self.ask(watching)
        assert found, f"never: {expression}; the page says: {self.ask('document.body.innerText')}"
        return found

    def click(self, selector: str) -> None:
        """Click in the middle of the first element that is selected, when it is visible."""
        self.wait(f"document.querySelector({json.dumps(selector)})?.checkVisibility()")
        point = self.ask(f"""(() => {{
            const found = document.querySelector({json.dumps(selector)});
            found.scrollIntoView({{block: "nearest"}});
            const {{x, y, width, height}} = found.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
        }})()""")
        for type in ("mousePressed", "mouseReleased"):
            where = {"x": point[0], "y": point[1], "button": "left", "clickCount": 1}
            self.tell("Input.dispatchMouseEvent", type=type, **where)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            told: dict[str, object] = {"key": key, "code": key}
            told |= {"windowsVirtualKeyCode": KEY_CODES[key]} if key in KEY_CODES else {}
            told |= {"text": "\r"} if key == "Enter" else {}
            for type in ("keyDown", "keyUp"):
                self.tell("Input.dispatchKeyEvent", type=type, **told)

    def resize(self, width: int, height: int, *, dark: bool = False, still: bool = False) -> None:
        """Be a screen of that size, in the light or in the dark, with motion or without."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.tell("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if still else ""}
        self.tell("Emulation.setEmulatedMedia", features=[scheme, motion])

    def prefer_language(self, language: str) -> None:
        """Be the browser of somebody who prefers a language."""
        agent = self.browser.ask("Browser.getVersion")["userAgent"]
        params = {"userAgent": agent, "acceptLanguage": language}
        self.tell("Emulation.setUserAgentOverride", **params)

    def go_offline(self, *, is_so: bool = True) -> None:
        """Lose the network, or have it back."""
        nothing = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.tell("Network.emulateNetworkConditions", offline=is_so, **nothing)

    def picture(self) -> bytes:
        """The whole page as PNG."""
        shot = self.tell("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        return base64.b64decode(shot["data"])


def find_browser() -> str | None:
    """The program on this machine, if there is one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def open_browser(folder: Path, *options: str) -> Iterator[Browser]:
    """A browser that keeps what it keeps in this folder, ended at the end."""
    program = find_browser()
    if program is None:
        pytest.skip("there is no chromium on this machine")
    (their_in, into), (out, their_out) = os.pipe(), os.pipe()
    on_3_and_4 = f'exec "$@" 3<&{their_in} 4>&{their_out}'
    process = subprocess.Popen(
        [
            "bash",
            "-c",
            on_3_and_4,
            "bash",
            program,
            *OPTIONS,
            *options,
            f"--user-data-dir={folder}",
        ],
        pass_fds=(their_in, their_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(their_in)
    os.close(their_out)
    try:
        with os.fdopen(into, "wb") as commands, os.fdopen(out, "rb") as answers:
            yield Browser(commands, answers)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def browsing(folder: Path, *options: str) -> Iterator[Page]:
    """One page in a browser of its own."""
    with open_browser(folder, *options) as browser:
        yield browser.page()
