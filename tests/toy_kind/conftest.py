"""A copy of the product with the toy kind, and a server of that copy."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from tests.cli.processes import serving
from tests.toy_kind.product import COVERAGE, add_kind, copy_product

collect_ignore = ["nim", "nim_tests"]


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    """The folder of the copy."""
    folder = tmp_path_factory.mktemp("product")
    copy_product(folder)
    add_kind(folder)
    return folder


@contextmanager
def running(folder):
    """Let every process that starts meanwhile run the copy, in its folder."""
    with pytest.MonkeyPatch.context() as environment:
        for name in COVERAGE:
            environment.delenv(name, raising=False)
        environment.setenv("PYTHONPATH", str(folder))
        environment.chdir(folder)
        yield


@pytest.fixture(autouse=True)
def _running(copy):
    with running(copy):
        yield


@pytest.fixture(scope="module")
def server(copy, tmp_path_factory):
    """A server of the copy that offers two bots."""
    options = ("--http-port", "0", "--house", "random,first")
    with running(copy), serving(tmp_path_factory.mktemp("server"), *options) as process:
        yield process
