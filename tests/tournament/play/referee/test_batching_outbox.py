"""Updates that need no answer are batched with the next one that does, for a short time."""

from __future__ import annotations

import pytest
import trio

from tabnet.protocol.frames import Notice
from tabnet.tournament.play.referee.batching_outbox import MAX_DELAY_S, BatchingOutbox

MOMENT_S = MAX_DELAY_S / 100


class Someone:
    """A connection that takes everything."""

    def __init__(self, number):
        self.number = number
        self.waiting, self.sent = [], []

    def accept(self, outgoing):
        self.waiting.append(outgoing.frame.text)
        return True

    def flush(self):
        self.sent.append("".join(self.waiting))
        self.waiting.clear()
        return True


def note(text):
    """A frame with this text."""
    return Notice(text=text, code="stopping")


@pytest.fixture
async def post(nursery):
    """Number 1 may always wait, number 2 never."""
    outbox = BatchingOutbox(lambda connection: connection.number == 1 and not connection.acts)
    for number in (1, 2):
        outbox.connections[number] = Someone(number)
        outbox.connections[number].acts = False
    nursery.start_soon(outbox.run)
    with outbox.active():
        yield outbox


async def pass_on():
    """Let the loop go round."""
    await trio.lowlevel.checkpoint()
    await trio.lowlevel.checkpoint()


async def test_a_bot_that_is_to_act_is_sent_everything_at_once(post, autojump_clock):
    post.deliver(((1, 2), note("a")))
    await pass_on()
    assert post.connections[1].sent == []
    assert post.connections[2].sent == ["a"]


async def test_flush_returns_whether_anything_was_sent(post, autojump_clock):
    """Answers may have come only if something was sent."""
    assert post.flush() is False
    post.deliver(((1,), note("a")))
    assert post.flush() is False
    post.deliver(((2,), note("b")))
    assert post.flush() is True
    await pass_on()


async def test_delayed_frames_are_batched_with_the_next_urgent_one(post, autojump_clock):
    post.deliver(((1,), note("a")))
    post.deliver(((1,), note("b")))
    await pass_on()
    post.connections[1].acts = True
    post.deliver(((1,), note("c")))
    await pass_on()
    assert post.connections[1].sent == ["abc"]
    await trio.sleep(2 * MAX_DELAY_S)
    assert post.connections[1].sent == ["abc"]


async def test_no_frame_is_delayed_for_long(post, autojump_clock):
    post.deliver(((1,), note("a")))
    await trio.sleep(MAX_DELAY_S / 2)
    post.deliver(((1,), note("b")))
    assert post.connections[1].sent == []
    await trio.sleep(MAX_DELAY_S / 2 + MOMENT_S)
    assert post.connections[1].sent == ["ab"]
    post.deliver(((1,), note("c")))
    await trio.sleep(MAX_DELAY_S + MOMENT_S)
    assert post.connections[1].sent == ["ab", "c"]


async def test_departed_connections_are_skipped(post, autojump_clock):
    someone = post.connections[1]
    post.deliver(((1,), note("a")))
    post.remove(someone)
    await trio.sleep(2 * MAX_DELAY_S)
    assert someone.sent == []
