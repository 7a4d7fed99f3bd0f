"""The names and files that the distribution promises."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

import tabnet
from tests.__main__ import ROOT
from tests.packaging import mine
from tests.packaging.readme_bot import readme_bot

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_public_name_can_be_imported():
    for name in tabnet.__all__:
        assert getattr(tabnet, name) is not None


def test_a_misspelt_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'GAME'"):
        _ = tabnet.GAME


def test_mypy_checks_the_annotated_bot_and_the_public_names():
    files = PROJECT["tool"]["mypy"]["files"]
    assert PROJECT["tool"]["mypy"]["strict"]
    assert {"tests/packaging/mine.py", "tests/packaging/names.py"} <= set(files)
    assert (ROOT / "tabnet" / "py.typed").exists()


class WithoutAnnotations(ast.NodeTransformer):
    """Removes annotations, docstrings and the imports that only annotations need."""

    def visit_arg(self, node):
        return ast.arg(node.arg)

    def visit_FunctionDef(self, node):
        node.returns = None
        return self.generic_visit(node)

    def visit_ImportFrom(self, _):
        return None

    def visit_Expr(self, node):
        return None if isinstance(node.value, ast.Constant) else node


def plain(source):
    return ast.dump(WithoutAnnotations().visit(ast.parse(source)))


def test_the_annotated_bot_is_the_bot_of_readme():
    annotated = Path(mine.__file__).read_text(encoding="utf-8")
    assert plain(annotated) == plain(readme_bot())


def test_the_distribution_is_tabnet_arena_and_the_command_is_tabnet():
    assert PROJECT["project"]["name"] == "tabnet-arena"
    assert PROJECT["project"]["scripts"] == {"tabnet": "tabnet.cli:main"}


def test_no_text_installs_the_unrelated_project_tabnet():
    """In the public index the name `tabnet` belongs to another project."""
    texts = [*ROOT.glob("*.md"), *ROOT.glob(".github/**/*.md"), *ROOT.glob("tabnet/**/*.md")]
    sources = [*ROOT.glob("tabnet/**/*.py"), *ROOT.glob("bots/*")]
    for path in texts + [path for path in sources if path.is_file()]:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not re.search(r"\binstall\b.*\s['\"]?tabnet(?![-\w./])", line), f"{path}: {line}"
