"""The rooms of draughts in text lines: the seats that clients play now. Pure."""

from __future__ import annotations

from attrs import define, field, frozen

from tabnet.server.core.matches.terms import Terms


@frozen
class RoomSeat:
    """The seat of a client."""

    room: str
    number: int
    token: str


@define
class TextRooms:
    """The rooms of a server."""

    terms: Terms
    """The terms of new rooms."""
    restart_ends: int
    """The time until which players come back after a restart, also to a game that is over."""
    occupied: set[tuple[str, int]] = field(factory=set)
    """The seats, by room and number, that clients of the dialect play."""
    _emptied: set[str] = field(factory=set)
    """The rooms that all clients have left before `restart_ends`."""

    def enter(self, seat: RoomSeat) -> None:
        """Note that a client plays a seat."""
        self.occupied.add((seat.room, seat.number))

    def leave(self, seat: RoomSeat, now: int) -> None:
        """Note that a client plays a seat no more."""
        self.occupied.remove((seat.room, seat.number))
        if now >= self.restart_ends:
            self._emptied.clear()
        elif (seat.room, 1 - seat.number) not in self.occupied:
            self._emptied.add(seat.room)

    def waits_after_restart(self, room: str, now: int) -> bool:
        """Return whether players may still come back, because only a restart has emptied a room."""
        return now < self.restart_ends and room not in self._emptied
