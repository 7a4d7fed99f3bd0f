"""A real Chromium without a window, told what to do through two pipes."""

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

from tests.cli.processes import PATIENCE_S

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
    *("--remote-debugging-pipe", "--hide-scrollbars", "about:blank"),
)


class Page:
    """One page of it, over the protocol of its developer tools."""

    def __init__(self, commands: BinaryIO, answers: BinaryIO) -> None:
        self._commands, self._answers = commands, answers
        self._numbers = count(1)
        self._session: dict[str, str] = {}
        self._rest = b""
        self.said: list[str] = []
        """What went wrong on the page, and what it wrote to its console."""
        self.asked: list[str] = []
        """The addresses that it asked for."""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._ask(f"{domain}.enable")

    def _ask(self, method: str, **params: object) -> Any:
        number = next(self._numbers)
        told = {"id": number, "method": method, "params": params, **self._session}
        self._commands.write(json.dumps(told).encode() + b"\0")
        self._commands.flush()
        while (message := self._message()).get("id") != number:
            self._note(message)
        assert "error" not in message, message
        return message["result"]

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            assert select.select([self._answers], [], [], PATIENCE_S)[0], "the browser is silent"
            came = os.read(self._answers.fileno(), 65536)
            assert came, "the browser has ended"
            self._rest += came
        line, _, self._rest = self._rest.partition(b"\0")
        return json.loads(line)

    def _note(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])
        elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.said.append(json.dumps(params))

    def open(self, path: Path, fragment: str = "") -> None:
        """Open a file anew and wait until it is there."""
        for url in ("about:blank", path.as_uri() + fragment):
            self._ask("Page.navigate", url=url)
            while (message := self._message()).get("method") != "Page.loadEventFired":
                self._note(message)

    def ask(self, expression: str) -> Any:
        """The value of an expression on the page."""
        told = self._ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            for type in ("rawKeyDown", "keyUp"):
                self._ask("Input.dispatchKeyEvent", type=type, key=key, code=key)

    def resize(self, width: int, height: int, *, dark: bool = False) -> None:
        """Be a screen of that size, in the light or in the dark."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._ask("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self) -> bytes:
        """The whole page as PNG."""
        shot = self._ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        return base64.b64decode(shot["data"])


@contextmanager
def browsing(folder: Path) -> Iterator[Page]:
    """A browser that keeps what it keeps in this folder, ended at the end."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("there is no chromium on this machine")
    (their_in, into), (out, their_out) = os.pipe(), os.pipe()
    on_3_and_4 = f'exec "$@" 3<&{their_in} 4>&{their_out}'
    process = subprocess.Popen(
        ["bash", "-c", on_3_and_4, "bash", program, *OPTIONS, f"--user-data-dir={folder}"],
        pass_fds=(their_in, their_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(their_in)
    os.close(their_out)
    try:
        with os.fdopen(into, "wb") as commands, os.fdopen(out, "rb") as answers:
            yield Page(commands, answers)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
