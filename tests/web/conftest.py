"""A server with its page, and a browser for people to sit at."""

from __future__ import annotations

import pytest

from tests.browser import find_browser, open_browser
from tests.web.people import Person, site

BOTS = "random,greedy"


def pytest_collection_modifyitems(items):
    """Without a browser nothing here can be tested."""
    if find_browser() is None:
        skip = pytest.mark.skip(reason="there is no chromium on this machine")
        for item in items:
            if "tests/web" in item.path.as_posix():
                item.add_marker(skip)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with open_browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A server with bots, for all tests of a module."""
    with site(tmp_path_factory.mktemp("house"), "--house", BOTS, "--memory") as opened:
        yield opened


@pytest.fixture
def person(browser, house):
    """Lets somebody come to the page; at the end none of them has met with an error."""
    people = []

    def come(at=house, language="en"):
        people.append(Person(browser.page(), at, language))
        return people[-1]

    yield come
    for someone in people:
        someone.leave()
        assert someone.said_nothing(), someone.page.said
