"""Frames as lines, and lines as frames."""

from __future__ import annotations

import json
from typing import Any

import attrs
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.errors import WireError
from tabnet.protocol.codec import FRAMES, decode_frame, dump_frame, encode
from tabnet.protocol.frames import (
    REPLIES,
    Bye,
    Checked,
    Choices,
    Failed,
    Frame,
    Guide,
    Hello,
    Joined,
    ListedGame,
    ListedWait,
    Listing,
    Notice,
    PlayerTurn,
    Presence,
    RankedPlayer,
    Reply,
    Schemas,
    Scores,
    Snapshot,
    StateReply,
)
from tests.protocol.strategies import FRAME_CLASSES, any_frame, frames, json_values

RUNNING = ListedGame(
    game="fa93b40c7d21e658",
    kind="tab",
    options={"size": 9},
    group=99,
    players={"zp": "Blue", "ana": "Red"},
    turn="zp",
    seq=3,
)
ON_THE_WIRE: list[tuple[Frame, str]] = [
    (
        Hello(games=("tab", "draughts")),
        (
            '{"type":"hello","server":"tabnet","protocol":1,"games":["tab","draughts"],'
            '"feeds":["updates","turns"]}'
        ),
    ),
    (Reply(cmd="ping"), '{"type":"reply","cmd":"ping"}'),
    (Reply(cmd="ping", id=7), '{"type":"reply","cmd":"ping","id":7}'),
    (Reply(cmd="ping", id=0), '{"type":"reply","cmd":"ping","id":0}'),
    (Reply(cmd="ping", id=""), '{"type":"reply","cmd":"ping","id":""}'),
    (
        Failed(cmd=None, error="unknown command 'x'", code="unknown_command"),
        '{"type":"reply","cmd":null,"error":"unknown command \'x\'","code":"unknown_command"}',
    ),
    (
        Failed(cmd="notify", id="a", error="no", code="wrong_type", field="x"),
        '{"type":"reply","cmd":"notify","id":"a","error":"no","code":"wrong_type","field":"x"}',
    ),
    (
        Joined(cmd="join", id=7, game="fa93", nick="zp", token="t0"),
        '{"type":"reply","cmd":"join","id":7,"game":"fa93","nick":"zp","token":"t0"}',
    ),
    (
        Scores(cmd="ranking", ranking=(RankedPlayer(nick="zp", victories=2, games=3),)),
        '{"type":"reply","cmd":"ranking","ranking":[{"nick":"zp","victories":2,"games":3}]}',
    ),
    (
        StateReply(cmd="state", game="fa93", status="waiting", online={"zp": True}),
        '{"type":"reply","cmd":"state","game":"fa93","status":"waiting","online":{"zp":true}}',
    ),
    (
        Choices(cmd="moves", moves=({"cell": 8},), actions=("notify",)),
        '{"type":"reply","cmd":"moves","moves":[{"cell":8}],"actions":["notify"]}',
    ),
    (
        Checked(cmd="check", ok=False, reason="no", reason_code="game_over"),
        '{"type":"reply","cmd":"check","ok":false,"reason":"no","reason_code":"game_over"}',
    ),
    (
        Listing(
            cmd="games",
            games=(attrs.evolve(RUNNING, turn=None, group=None),),
            waiting=(
                ListedWait(
                    kind="draughts", options={}, clock={"total": 600}, strict=False, players=1
                ),
            ),
        ),
        (
            '{"type":"reply","cmd":"games","games":[{"game":"fa93b40c7d21e658","kind":"tab"'
            ',"options":{"size":9},"players":{"zp":"Blue","ana":"Red"},"turn":null,"seq":3}]'
            ',"waiting":[{"kind":"draughts","options":{},"clock":{"total":600},"strict":false,"players":1}]}'
        ),
    ),
    (
        Guide(cmd="help", about="roll", summary="Throw.", example={"cmd": "roll"}),
        '{"type":"reply","cmd":"help","summary":"Throw.","example":{"cmd":"roll"},"about":"roll"}',
    ),
    (
        Schemas(cmd="schema", commands={}, frames={}),
        '{"type":"reply","cmd":"schema","commands":{},"frames":{}}',
    ),
    (
        Snapshot(game="fa93", seq=3, position={"turn": "zp", "mustPass": None}),
        '{"type":"update","game":"fa93","seq":3,"turn":"zp","mustPass":null}',
    ),
    (Snapshot(game="fa93", seq=1), '{"type":"update","game":"fa93","seq":1}'),
    (
        PlayerTurn(
            game="fa93",
            seq=3,
            events=({"seq": 3, "type": "roll", "player": "zp", "dice": [5, 2]},),
            expects="notify",
            moves=({"cmd": "notify", "from": 1, "to": 6},),
            clock={"zp": 119.5},
        ),
        (
            '{"type":"turn","game":"fa93","seq":3,'
            '"events":[{"seq":3,"type":"roll","player":"zp","dice":[5,2]}],"expects":"notify",'
            '"moves":[{"cmd":"notify","from":1,"to":6}],"clock":{"zp":119.5}}'
        ),
    ),
    (
        Presence(game="fa93", online={"zp": True, "ana": False}),
        '{"type":"presence","game":"fa93","online":{"zp":true,"ana":false}}',
    ),
    (
        Notice(text="the server stops in 3 seconds", code="stopping"),
        '{"type":"notice","text":"the server stops in 3 seconds","code":"stopping"}',
    ),
    (
        Bye(reason="the server is stopping", code="stopping"),
        '{"type":"bye","reason":"the server is stopping","code":"stopping"}',
    ),
    (
        Bye(reason="no room", code="too_many_connections", retry_after=10),
        '{"type":"bye","reason":"no room","code":"too_many_connections","retry_after":10}',
    ),
]


@pytest.mark.parametrize(("frame", "line"), ON_THE_WIRE, ids=lambda value: type(value).__name__)
def test_frames_have_their_documented_encoding(frame: Frame, line: str) -> None:
    assert encode(frame) == line.encode() + b"\n"
    assert decode_frame(line.encode()) == frame


def test_every_frame_has_a_documented_encoding() -> None:
    assert {type(frame) for frame, _ in ON_THE_WIRE} == set(FRAME_CLASSES)


@pytest.mark.slow
@pytest.mark.parametrize("cls", FRAME_CLASSES, ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_decoding_an_encoded_frame_returns_the_frame(cls: type[Frame], data: st.DataObject) -> None:
    frame = data.draw(frames(cls))
    line = encode(frame)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    again = decode_frame(line)
    assert type(again) is cls
    assert again == frame


@given(any_frame)
def test_only_optional_fields_are_omitted(frame: Frame) -> None:
    written = dump_frame(frame)
    assert written.pop("type") == frame.type
    if isinstance(frame, Snapshot):
        assert written == {"game": frame.game, "seq": frame.seq, **frame.position}
        return
    absent = {
        a.name
        for a in attrs.fields(type(frame))
        if a.default is None and getattr(frame, a.name) is None
    }
    assert set(written) == {a.name for a in attrs.fields(type(frame))} - absent


def test_the_turn_is_null_if_nobody_is_to_act() -> None:
    listing = Listing(cmd="games", games=(attrs.evolve(RUNNING, turn=None),), waiting=())
    (game,) = dump_frame(listing)["games"]
    assert game["turn"] is None
    again = decode_frame(encode(listing))
    assert again == listing


def test_the_fields_of_a_position_are_fields_of_the_update() -> None:
    position = {"pieces": [None, {"color": "Blue"}], "dice": None, "winner": "zp"}
    snapshot = Snapshot(game="fa93", seq=12, position=position)
    assert dump_frame(snapshot) == {"type": "update", "game": "fa93", "seq": 12, **position}
    assert decode_frame(encode(snapshot)) == snapshot
    assert snapshot.position == position


@given(any_frame.filter(lambda frame: not isinstance(frame, Snapshot)), json_values)
def test_unknown_fields_are_ignored(frame: Frame, value: Any) -> None:
    assert decode_frame(orjson.dumps({**dump_frame(frame), "newer": value})) == frame


def test_unknown_nested_fields_are_ignored() -> None:
    line = (
        b'{"type":"reply","cmd":"ranking","ranking":'
        b'[{"nick":"zp","victories":2,"games":3,"draws":1}]}'
    )
    ranking = (RankedPlayer(nick="zp", victories=2, games=3),)
    assert decode_frame(line) == Scores(cmd="ranking", ranking=ranking)


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_line_may_include_its_newline(end: bytes) -> None:
    assert decode_frame(b'{"type":"reply","cmd":"ping"}' + end) == Reply(cmd="ping")


@pytest.mark.parametrize("cmd", [*REPLIES, "ping", None])
def test_a_reply_with_an_error_is_a_refusal(cmd: str | None) -> None:
    failed = Failed(cmd=cmd, error="no", code="game_over")
    assert decode_frame(encode(failed)) == failed


def test_a_frame_of_an_unknown_type_is_a_bare_frame() -> None:
    assert decode_frame(b'{"type":"applause","loud":true}') == Frame()


def test_a_reply_to_an_unknown_command_is_a_bare_reply() -> None:
    assert decode_frame(b'{"type":"reply","cmd":"draw","offer":1}') == Reply(cmd="draw")


def test_every_frame_class_has_its_own_type() -> None:
    assert {cls.type for cls in FRAME_CLASSES} == set(FRAMES)
    assert set(FRAMES) == {"hello", "reply", "update", "turn", "presence", "notice", "bye"}


# -- arbitrary input


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"hello",
        b"null",
        b"7",
        b'"reply"',
        b"[]",
        b"{}",
        b"\xff",
        b'{"type":null}',
        b'{"type":["reply"]}',
        b'{"type":"hello"}',
        b'{"type":"hello","server":"tabnet","protocol":"one","games":[]}',
        b'{"type":"hello","server":"tabnet","protocol":1,"games":5}',
        b'{"type":"reply"}',
        b'{"type":"reply","cmd":[]}',
        b'{"type":"reply","cmd":"join"}',
        b'{"type":"reply","cmd":"ranking","ranking":[1]}',
        b'{"type":"reply","cmd":"ranking","ranking":[{}]}',
        b'{"type":"reply","cmd":"ping","error":"no"}',
        b'{"type":"update"}',
        b'{"type":"update","game":"fa93"}',
        b'{"type":"presence","game":"fa93","online":[]}',
        b"[" * 100_000,
        b'{"type":"update","game":"fa93","seq":1,"x":' + b"[" * 1022 + b"]" * 1022,
    ],
    ids=lambda line: line[:60].decode(errors="replace"),
)
def test_an_invalid_frame_is_refused(line: bytes) -> None:
    with pytest.raises(WireError, match="this is no frame of the protocol: ") as caught:
        decode_frame(line)
    assert caught.value.code == "not_json"


def outcome(line: bytes) -> type[Frame] | str:
    try:
        return type(decode_frame(line))
    except WireError as error:
        return error.code


def assert_read_or_refused(line: bytes) -> None:
    assert outcome(line) in {"not_json", Frame, *FRAME_CLASSES}


@given(st.binary())
def test_arbitrary_bytes_are_a_frame_or_refused(line: bytes) -> None:
    assert_read_or_refused(line)


@given(json_values)
def test_arbitrary_json_is_a_frame_or_refused(value: Any) -> None:
    assert_read_or_refused(orjson.dumps(value))


FIELDS = sorted({a.name for cls in FRAME_CLASSES for a in attrs.fields(cls)} | {"ranking"})


@pytest.mark.slow
@given(
    st.fixed_dictionaries(
        {"type": st.sampled_from(sorted(FRAMES))},
        optional={
            **dict.fromkeys(FIELDS, json_values),
            "cmd": st.sampled_from(sorted(REPLIES)) | json_values,
        },
    )
)
def test_arbitrary_fields_are_a_frame_or_refused(fields: dict[str, Any]) -> None:
    assert_read_or_refused(orjson.dumps(fields))


@given(any_frame, st.data())
def test_a_frame_with_one_field_changed_is_a_frame_or_refused(
    frame: Frame, data: st.DataObject
) -> None:
    fields = dump_frame(frame)
    name = data.draw(st.sampled_from(sorted(fields)))
    assert_read_or_refused(orjson.dumps({**fields, name: data.draw(json_values)}))
    del fields[name]
    assert_read_or_refused(json.dumps(fields).encode())
