"""The lists of readable paths."""

from __future__ import annotations

from tabnet.tournament.play.sandbox.policy import (
    LIBRARIES,
    PROCESSES,
    SETTINGS,
    SYSTEM,
    HostPaths,
    find_containing,
    list_installation,
    list_readable,
)

HOST = HostPaths(tuple(list_installation("/home/zp/env")), ("/home/zp/tabnet/tabnet",))


def test_bot_files_read_python_tabnet_and_libraries_but_no_programs():
    readable = list_readable(HOST, ["/models"], is_command=False)
    assert {"/home/zp/env/lib", "/home/zp/tabnet/tabnet", "/usr/lib", "/models"} <= set(readable)
    assert set(readable).isdisjoint(SYSTEM)


def test_commands_also_read_the_systems_programs():
    assert set(list_readable(HOST, [], is_command=True)) > {*SYSTEM, *LIBRARIES, *SETTINGS}


def test_homes_checkouts_etc_and_processes_are_below_no_readable_path():
    readable = list_readable(HOST, [], is_command=True)
    for path in ("/home/zp", "/home/zp/tabnet/trial", "/home/zp/env", "/root", PROCESSES, "/etc"):
        assert find_containing(path, readable) is None
    assert find_containing("/etc/shadow", readable) is None


def test_a_folder_contains_itself_and_what_is_below_it():
    assert find_containing("/a/b/c", ["/x", "/a/b"]) == "/a/b"
    assert find_containing("/a/b", ["/a/b/"]) == "/a/b/"
    assert find_containing("/a/bc", ["/a/b"]) is None
    assert find_containing("/a", ["/"]) == "/"
