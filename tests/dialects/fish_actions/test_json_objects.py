"""JSON objects are found in a stream of bytes, however it is split."""

from __future__ import annotations

import json
import time

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.dialects.fish_actions.json_objects import JsonObjects, read_object
from tabnet.errors import WireError
from tests.protocol.strategies import json_values

objects = st.dictionaries(st.text(max_size=4) | st.sampled_from('"\\{}[]'), json_values, max_size=4)
spaces = st.text(" \t\r\n", max_size=3)


def split(stream, cuts=()):
    """Return the objects in a stream that comes in pieces."""
    reader, found, start = JsonObjects(), [], 0
    for cut in [*cuts, len(stream)]:
        found += reader.feed(stream[start:cut])
        start = cut
    return found


@given(st.lists(st.tuples(objects, spaces)), st.lists(st.integers(0, 400)))
def test_objects_are_found_wherever_the_stream_is_split(items, cuts):
    texts = [json.dumps(value, ensure_ascii=False).encode() for value, _ in items]
    stream = b"".join(text + space.encode() for text, (_, space) in zip(texts, items, strict=True))
    assert split(stream, sorted(min(cut, len(stream)) for cut in cuts)) == texts


def test_objects_are_found_in_single_bytes():
    stream = rb' {"a":"}\"{","b":{"c":[1,{}]}}{}{"d":"\\"}'
    assert split(stream, range(len(stream))) == [
        rb'{"a":"}\"{","b":{"c":[1,{}]}}',
        b"{}",
        rb'{"d":"\\"}',
    ]


@pytest.mark.parametrize("begin", [b"[", b'"', b"1", b"null", b"x", b"\xef\xbb\xbf{}", b"\x16\x03"])
def test_anything_but_an_object_is_refused_at_its_first_byte(begin):
    for before in (b"", b"{} \n"):
        with pytest.raises(WireError) as refused:
            split(before + begin)
        assert refused.value.code == "not_object"


@pytest.mark.parametrize("size", [100, 101])
@pytest.mark.parametrize("cut", [0, 60, 99])
def test_an_object_has_a_maximum_size(size, cut):
    reader, data = JsonObjects(100), b'{"a":"%b"}' % (b"x" * (size - 8))
    assert list(reader.feed(data[:cut])) == []
    if size == 100:
        assert list(reader.feed(data[cut:])) == [data]
    else:
        with pytest.raises(WireError) as refused:
            list(reader.feed(data[cut:]))
        assert refused.value.code == "line_too_long"


def test_an_object_without_end_is_refused_at_the_limit():
    reader = JsonObjects(100)
    assert list(reader.feed(b'{"a":"' + b"x" * 93)) == []
    with pytest.raises(WireError):
        list(reader.feed(b"x"))


def test_an_object_has_a_maximum_depth():
    assert len(split(b'{"a":' + b"[" * 15 + b"]" * 15 + b"}")) == 1
    with pytest.raises(WireError) as refused:
        split(b'{"a":' + b"[" * 16)
    assert refused.value.code == "too_deep"


@pytest.mark.parametrize("piece", [b'"', b"\\", b"[]", b'"x",', b" ", b"a", b'{"'])
@pytest.mark.parametrize("size", [1, 1 << 14])
def test_bytes_are_searched_in_linear_time(piece, size):
    stream = (b'{"' + piece * 70_000)[:65_000]
    reader, start = JsonObjects(), time.thread_time()
    try:
        for at in range(0, len(stream), size):
            list(reader.feed(stream[at : at + size]))
    except WireError:
        pass
    assert time.thread_time() - start < 1


@pytest.mark.parametrize("data", [b"{]", b"{x}", b'{"a":NaN}', b'{"a":"\xff"}', b'{"a":"\\ud800"}'])
def test_what_is_not_json_is_refused(data):
    with pytest.raises(WireError) as refused:
        read_object(data)
    assert refused.value.code == "not_json"


@given(objects)
def test_an_object_is_read(value):
    data = orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
    assert read_object(data) == orjson.loads(data)


def test_long_integers_are_read_exactly():
    number = int("1234567890" * 6)
    assert read_object(b'{"id":%d,"x":-%d}' % (number, number)) == {"id": number, "x": -number}
    assert read_object(b'{"id":%b}' % (b"9" * 65)) == {"id": 1e65}


def test_the_last_of_equal_keys_counts():
    assert read_object(b'{"a":1,"a":2}') == {"a": 2}
