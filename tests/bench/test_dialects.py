"""`tabnet bench dialects`: that every query is answered and compared, not what it measures."""

from __future__ import annotations

import pytest

from tabnet.bench.dialects import QueryClient, format_line
from tabnet.cli import main


def test_each_query_is_compared_with_its_native_command(capsys):
    assert main(["bench", "dialects", "--seconds", "0.03"]) == 0
    head, *lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert head[0] == "port"
    assert {line[0] for line in lines} == {"draughts", "fish", "plakoto"}
    for line in lines:
        cost, native, ratio = map(float, line[-3:])
        assert min(cost, native) > 0
        assert ratio == pytest.approx(cost / native, abs=0.01)


class Refusing:
    """A socket on which every request is refused."""

    def sendall(self, request):
        assert request

    def recv(self, size):
        assert size
        return b'{"type":"presence"}\n{"type":"error","error":"this is not your turn"}\n'


def test_a_refused_query_stops_the_benchmark():
    with pytest.raises(RuntimeError, match="this is not your turn"):
        QueryClient(Refusing()).ask_json(format_line(cmd="moves"))
