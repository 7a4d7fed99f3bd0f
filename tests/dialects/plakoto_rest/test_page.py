"""A web page for Plakoto over REST plays in a real browser: behind a proxy, and from elsewhere."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tabnet.client.blocking import connect
from tabnet.protocol.messages import Games
from tests.browser import Page, open_browser
from tests.cli.processes import Process, serving

pytestmark = pytest.mark.slow

PAGE = Path(__file__).with_name("page.html")
FOLDER = "/games/club/"
"""The address of the page; requests below it go to the room."""


@contextmanager
def web_server(address: str) -> Iterator[str]:
    """Serve the page, and pass every other request on to a room; yield the page's address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            if self.path.partition("?")[0] == FOLDER:
                self.reply(200, "text/html; charset=utf-8", PAGE.read_bytes())
            else:
                self.forward()

        def forward(self) -> None:
            assert self.path.startswith(FOLDER)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            target = "/plakoto/club/" + self.path.removeprefix(FOLDER)
            with closing(http.client.HTTPConnection(address)) as upstream:
                upstream.request(self.command, target, body, dict(self.headers))
                response = upstream.getresponse()
                self.reply(response.status, response.headers["Content-Type"], response.read())

        def do_PUT(self) -> None:
            self.forward()

        def do_POST(self) -> None:
            self.forward()

        def reply(self, status: int, content_type: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            with suppress(ConnectionError):  # the page was closed
                self.end_headers()
                self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{FOLDER}"
    finally:
        server.shutdown()
        server.server_close()


def sit_down(page: Page, colour: str, name: str) -> None:
    """Fill in the form and send it."""
    page.ask(f"find('username').value = {json.dumps(name)}, find('color').value = '{colour}'")
    page.click("#login button")


def move(page: Page, start: int, to: int) -> None:
    """Click on two points."""
    page.click(f"#point{start}")
    page.click(f"#point{to}")


def dice_of(page: Page) -> list[int]:
    """Wait for the turn of the player of a page; return the dice to be played."""
    page.wait("document.body.dataset.mayMove === 'true'")
    return [int(die) for die in page.ask("document.body.dataset.moves").split(",")]


def has_checker(point: int, checker: str) -> str:
    """Return the expression that is true when a checker is on a point."""
    return f"find('point{point}').textContent.endsWith('{checker}')"


def test_two_players_play_on_a_page_behind_a_proxy(tmp_path):
    with (
        serving(tmp_path, "--http-port", "0", "--house", "none") as server,
        web_server(server.http) as address,
        open_browser(tmp_path / "chrome") as browser,
    ):
        anna, ben = browser.page(), browser.page()
        for page in (anna, ben):
            page.open(address)
            page.wait("document.body.dataset.status === 'not active'")
        sit_down(anna, "W", "")
        anna.wait("find('error').textContent === 'No username given.'")
        sit_down(anna, "W", "Anna")
        ben.wait("find('players').textContent === 'W: Anna, B: null'")
        sit_down(ben, "W", "Ben")
        ben.wait("find('error').textContent.startsWith('Player W is already set.')")
        sit_down(ben, "B", "Ben")
        ben.wait("me.token")
        move(ben, 24, 20)
        ben.wait("find('error').textContent === 'It is not your turn.'")
        first, second = dice_of(anna)[:2]
        move(anna, 1, 1)
        anna.wait("find('error').textContent.startsWith('This move is illegal. ')")
        move(anna, 1, 1 + first)
        anna.wait(has_checker(1 + first, "W15"))
        move(anna, 1, 1 + second)
        ben.wait(has_checker(1 + second, "W14"))
        assert all(url.startswith(address) for url in anna.asked if url != "about:blank")
        ben.click("#reset")
        anna.wait("document.body.dataset.status === 'not active'")
        anna.wait(has_checker(1, "W15"))


def watch_on_the_page(page: Page, server: Process) -> None:
    """Watch the only game of a server on its own page."""
    with connect(f"tcp://{server.tcp}") as client:
        (listed,) = client.ask(Games()).games
    page.open(f"http://{server.http}/", f"#watch={listed.game}")
    page.wait("/to play[^]* borne off[^]*greedy/.test(document.body.innerText)")


def test_a_page_of_another_origin_plays_against_a_house_bot(tmp_path):
    with (
        serving(tmp_path, "--http-port", "0", "--house", "greedy") as server,
        web_server(server.http) as address,
        open_browser(tmp_path / "chrome") as browser,
    ):
        page = browser.page()
        page.open(f"{address}?server=http://{server.http}/plakoto/other/")
        page.wait("document.body.dataset.status === 'not active'")
        sit_down(page, "W", "Anna")
        page.wait("me.token")
        page.ask("ask('PUT', 'players/B', {username: 'greedy', bot: true})")
        for checker in ("W15", "W14", "W13", "W12"):
            to = 1 + dice_of(page)[0]
            move(page, 1, to)
            page.wait(has_checker(to, checker))
        watch_on_the_page(browser.page(), server)
