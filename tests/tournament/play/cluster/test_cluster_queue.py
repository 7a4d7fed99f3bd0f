"""The queue of a cluster: every game gets one task, and tasks fit their workers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabnet.tournament.play.cluster.cluster_queue import (
    MAX_WANTED_SLOTS,
    MIN_ROOM,
    TASK_S,
    TASKS_PER_SLOT,
    ClusterQueue,
)
from tabnet.tournament.records.entrants_and_results import ScheduledGame


def game(pair, number=0):
    seats = ("a", "b") if number == 0 else ("b", "a")
    return ScheduledGame(f"{pair}-{number}", pair, seats)


def make_queue(pairs=0, workers=()):
    queue = ClusterQueue("t")
    for address, slots in workers:
        queue.add_worker(address, "host", slots)
    for pair in range(pairs):
        queue.add_game(game(pair))
        queue.add_game(game(pair, 1))
    return queue


def test_nothing_is_assigned_without_workers_or_games():
    assert make_queue(pairs=2).assign() == []
    assert make_queue(workers=[("w", 1)]).assign() == []


def test_slots_are_wanted_for_games_that_wait_and_one_without_workers():
    assert make_queue().wanted_slots == 1
    assert make_queue(pairs=4).wanted_slots == 4
    assert make_queue(pairs=1000).wanted_slots == MAX_WANTED_SLOTS
    queue = make_queue(pairs=3, workers=[("w", 1)])
    queue.assign()
    assert queue.wanted_slots == 3 - TASKS_PER_SLOT
    queue.add_worker("v", "host", 1)
    queue.assign()
    assert queue.wanted_slots == 0


def test_tasks_of_games_and_of_bots_have_keys_that_begin_differently():
    queue = make_queue(pairs=1, workers=[("w", 1)])
    queue.add_bot("a")
    assert [task.key.partition("-")[0] for task in queue.assign()] == ["bots", "games"]


def test_the_games_of_a_pair_are_in_one_task():
    queue = make_queue(pairs=1, workers=[("w", 1), ("v", 1)])
    (task,) = queue.assign()
    assert [each.id for each in task.games] == ["0-0", "0-1"]
    assert task.ids == ("0-0", "0-1")


def test_a_worker_has_at_most_two_tasks_for_each_slot():
    queue = make_queue(pairs=20, workers=[("w", 2), ("v", 1)])
    tasks = queue.assign()
    count = [sum(task.worker == address for task in tasks) for address in ("w", "v")]
    assert count == [2 * TASKS_PER_SLOT, TASKS_PER_SLOT]
    assert queue.assign() == []


def test_idle_workers_come_before_second_tasks():
    queue = make_queue(pairs=2, workers=[("w", 1), ("v", 1)])
    assert [task.worker for task in queue.assign()] == ["w", "v"]


def test_tasks_grow_until_they_last_long_enough():
    queue = make_queue(pairs=500, workers=[("w", 1)])
    sizes = []
    for _ in range(10):
        for task in queue.assign():
            sizes.append(len(task.pairs))
            queue.end_task(task.key, seconds=0.1 * len(task.pairs))
    assert sizes[0] == 1
    assert max(sizes) == round(TASK_S / 0.1)


def test_tasks_shrink_towards_the_end():
    queue = make_queue(pairs=100, workers=[("w", 1), ("v", 1)])
    queue.workers["w"].pair_s = queue.workers["v"].pair_s = 0.1
    sizes = []
    while tasks := queue.assign():
        sizes += [len(task.pairs) for task in tasks]
        for task in tasks:
            queue.end_task(task.key, seconds=0.1 * len(task.pairs))
    assert sum(sizes) == 100
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_a_slow_worker_gets_smaller_tasks():
    queue = make_queue(pairs=1000, workers=[("fast", 1), ("slow", 1)])
    queue.workers["fast"].pair_s, queue.workers["slow"].pair_s = 0.1, 1.0
    sizes = {task.worker: len(task.pairs) for task in queue.assign()}
    assert sizes == {"fast": 30, "slow": 3}


def test_room_is_enough_for_every_slot_and_at_least_for_the_first_tasks():
    queue = make_queue(pairs=1)
    assert queue.room == MIN_ROOM
    queue.add_worker("w", "host", 4)
    (task,) = queue.assign()
    queue.end_task(task.key, seconds=1.0)
    assert queue.room == 2 * 4 * (TASKS_PER_SLOT + 1) * 3


def test_the_tasks_of_a_removed_worker_come_back():
    queue = make_queue(pairs=2, workers=[("w", 1)])
    one, other = queue.assign()
    queue.note_report(one.key)
    queue.note_report("unknown")
    tasks = queue.remove_worker("w")
    assert [task.has_begun for task in tasks] == [True, False]
    assert queue.remove_worker("w") == []
    assert queue.tasks == {}
    queue.return_task(other)
    queue.add_worker("v", "host", 1)
    assert [task.ids for task in queue.assign()] == [other.ids]


def test_a_lost_game_is_played_apart_from_others():
    queue = make_queue(pairs=9, workers=[("w", 1)])
    queue.workers["w"].pair_s = 0.5
    queue.mark_lost(["1-0"])
    tasks = []
    while new := queue.assign():
        tasks += new
        for task in new:
            queue.end_task(task.key, seconds=None)
    assert [("1-0" in task.ids, len(task.pairs)) for task in tasks if "1-0" in task.ids] == [
        (True, 1)
    ]


def test_bots_are_tried_before_games():
    queue = make_queue(pairs=1, workers=[("w", 1)])
    queue.add_bot("greedy")
    first, second = queue.assign()
    assert (first.bot, first.ids, first.games) == ("greedy", ("greedy",), ())
    assert second.bot is None
    queue.end_task(first.key, seconds=1.0)
    queue.return_task(first)
    assert [task.bot for task in queue.assign()] == ["greedy"]


def test_an_unknown_task_ends_without_effect():
    queue = make_queue(workers=[("w", 1)])
    queue.add_worker("w", "another host", 9)
    assert queue.end_task("unknown", seconds=1.0) is None
    assert (queue.workers["w"].slots, queue.workers["w"].host) == (1, "host")


@given(
    st.integers(0, 60),
    st.lists(st.integers(1, 3), min_size=1, max_size=5),
    st.lists(st.tuples(st.sampled_from(["end", "lose"]), st.integers(0, 99)), max_size=60),
)
def test_every_game_is_played_exactly_once_whatever_workers_are_lost(pairs, slots, events):
    queue = make_queue(pairs, [(str(number), each) for number, each in enumerate(slots)])
    played, running, added = [], queue.assign(), 0
    for event, number in events:
        if not running:
            break
        task = running[number % len(running)]
        if event == "end":
            queue.end_task(task.key, seconds=0.3)
            played += task.ids
            running.remove(task)
        else:
            lost = queue.remove_worker(task.worker)
            running = [each for each in running if each not in lost]
            for each in lost:
                queue.return_task(each)
            added += 1
            queue.add_worker(f"new {added}", "host", 1)
        running += queue.assign()
        held = sum(each.slots * each.pairs_per_task for each in queue.workers.values())
        assert queue.room == max(MIN_ROOM, 2 * held * (TASKS_PER_SLOT + 1))
        if len(played) + sum(len(task.ids) for task in running) < 2 * pairs:  # games wait
            assert not any(each.can_take_more for each in queue.workers.values())
    while running:
        for task in running:
            queue.end_task(task.key, seconds=None)
            played += task.ids
        running = queue.assign()
    assert sorted(played) == sorted(
        f"{pair}-{number}" for pair in range(pairs) for number in (0, 1)
    )
