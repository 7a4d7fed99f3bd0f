"""`tabnet bench flood`: that it measures and that the attackers attack, not what it measures."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter

import pytest

from tabnet.bench import flood
from tabnet.cli import main
from tests.cli.processes import serving


def test_the_report_has_both_times_their_ratio_and_the_attackers(capsys, monkeypatch):
    monkeypatch.setattr(flood, "ROUNDS", 1)
    assert main(["bench", "flood", "--games", "2", "--seconds", "0.5"]) == 0
    heads, peace, attack, ratio, fates = capsys.readouterr().out.splitlines()
    assert heads.split() == [word for head in flood.HEADS for word in head.split()]
    assert peace.split()[:4] == ["2", "1", "in", "peace"]
    assert attack.split()[:3] == ["2", "1", "attacked"]
    assert min(map(float, [*peace.split()[4:], *attack.split()[3:]])) > 0
    assert float(re.search(r"p99 grows by (\d+\.\d+),", ratio)[1]) == float(attack.split()[-1])
    told = {fate: int(number) for number, fate in re.findall(r"(\d+) ([a-z ]+)", fates)}
    assert told["connections let in"] > 0
    assert told["bad lines"] > 0


def test_attackers_stop_and_the_server_goes_on(tmp_path):
    with serving(tmp_path) as server:
        ports = [str(server.tcp_port), server.tls.rpartition(":")[2]]
        command = [*flood.make_module_command("tabnet.bench.attackers"), *ports, "--seconds", "3"]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        begun, fates = ended.stdout.splitlines()
        assert begun == "attacking"
        assert 0 < json.loads(fates)["connections let in"] <= 256
        assert server.process.poll() is None
        server.process.terminate()
        assert server.process.wait(20) == 0
    assert "Traceback" not in (tmp_path / "stderr").read_text()


def test_a_measurement_without_attackers_is_refused(tmp_path):
    with serving(tmp_path) as server:
        target = flood.ServerProcess("tabnet", server.process, {"tcp": -1, "tls": "nonsense"})
        with (
            pytest.raises(RuntimeError, match="did not start"),
            flood.attack_during_block(target, 1, Counter()),
        ):
            raise AssertionError("they started")
