"""Players, guests and spectators send valid commands in any order; a model checks all frames.

After each step every session must have been told exactly what the model says, update by update and
field by field; nothing may be lost or come twice, and no deadline may be missed.
"""

from __future__ import annotations

import hashlib
import random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.fuzz.comparison import Comparison
from tests.fuzz.match import Match
from tests.server.pure import PASSWORDS

JSON = dict[str, Any]
FEWEST_PEOPLE, MOST_PEOPLE = 3, 7
NICKS = [*PASSWORDS, "ana", "guest-1", "house-1"]
SALTS = [hashlib.sha256(bytes([number])).hexdigest() for number in range(3)]
TERMS: list[JSON] = [
    {"group": 99, "size": 7, "clock": {"total": 600}},
    {"group": 99, "size": 7},
    {"group": 99, "size": 7, "strict": True},
    {"group": 1, "size": 9, "clock": {"total": 60, "increment": 2}},
    {"kind": "draughts", "clock": {"move": 30}},
    {"kind": "draughts", "group": 2, "clock": {"total": 30, "increment": 0}},
    {"kind": "draughts", "strict": True},
    {"kind": "plakoto"},
    {"kind": "plakoto", "strict": True, "clock": {"total": 60, "increment": 2}},
    {"kind": "fish", "rows": 3, "cols": 4, "holes": 1},
    {"kind": "fish", "seats": 3, "rows": 4, "cols": 4, "strict": True, "clock": {"move": 30}},
    {"kind": "fish", "seats": 4, "fish": 2, "clock": {"total": 30, "increment": 1}},
]

WISHES = [(None, None), (None, None), (None, 0), (1, None), (0, 1), (0, 0)]

numbers = st.integers(0, 11)
rarely = st.sampled_from([False] * 7 + [True])
sometimes = st.booleans()
moves = st.fixed_dictionaries({"cell": st.integers(0, 40)}) | st.sampled_from(
    [
        {},
        {"cell": 6, "to": 7},
        {"cell": 0, "to": 1},
        {"route": ["c3", "d4"]},
        {"route": ["a3", "b4"]},
        {"route": []},
        {"cell": 1, "route": ["a1"]},
        {"place": {"row": 0, "col": 0}},
        {"from": {"row": 1, "col": 1}, "to": {"row": 2, "col": 2}},
        {"place": {"row": 1, "col": 1}, "to": 5},
        {"from": 1, "to": 4},
        {"from": 24, "to": 0},
        {"from": 24, "to": 26},
    ]
)


def hash_salt(salt: str) -> str:
    return hashlib.sha256(b"tabnet-salt-1" + bytes.fromhex(salt)).hexdigest()


def choose_move(match: Match, luck: random.Random) -> JSON:
    """Return a legal move, or sometimes one step of it."""
    move = dict(luck.choice(match.position.moves()))
    if "cell" in move and luck.random() < 0.5:
        held = match.position.held
        move = {"cell": move["cell"] if held is None or luck.random() < 0.3 else move["to"]}
    return move


class Machine(RuleBasedStateMachine):
    """Sends every command to the service and to the model."""

    def __init__(self) -> None:
        super().__init__()
        self.comparison = Comparison()

    @initialize()
    def begin(self) -> None:
        for nick, password in PASSWORDS.items():
            self.comparison.say(self.comparison.connect(), "register", nick=nick, password=password)
        self.comparison.connect()

    @precondition(lambda self: len(self.comparison.sessions) < MOST_PEOPLE)
    @rule()
    def connect(self) -> None:
        self.comparison.connect()

    @precondition(lambda self: len(self.comparison.sessions) > FEWEST_PEOPLE)
    @rule(who=numbers)
    def disconnect(self, who: int) -> None:
        self.comparison.disconnect(who)

    @precondition(lambda self: self.comparison.model.waits)
    @rule(who=numbers, number=numbers)
    def go_while_waiting(self, who: int, number: int) -> None:
        waits = list(self.comparison.model.waits.values())
        session = self.comparison.session_of(waits[number % len(waits)].nicks[0], who)
        if len(self.comparison.sessions) > FEWEST_PEOPLE:
            self.comparison.disconnect(self.comparison.sessions.index(session))

    @rule(who=numbers, nick=st.sampled_from(NICKS), wrong=rarely)
    def register(self, who: int, nick: str, wrong: bool) -> None:
        password = "wrong" if wrong else PASSWORDS.get(nick, "s")
        self.comparison.say(
            self.comparison.session_at(who), "register", nick=nick, password=password
        )

    @rule(
        who=numbers,
        terms=st.sampled_from(TERMS),
        seat=st.sampled_from([None, None, 0, 1, 2]),
        auto=sometimes,
        private=rarely,
        salt=st.none() | st.sampled_from(SALTS),
        invite=rarely,
        named=rarely,
        opponent=rarely,
        latest=numbers,
    )
    def join(
        self,
        who: int,
        terms: JSON,
        seat: int | None,
        auto: bool,
        private: bool,
        salt: str | None,
        invite: bool,
        named: bool,
        opponent: bool,
        latest: int,
    ) -> None:
        fields = dict(terms) | ({"private": True} if private else {})
        if invite:
            fields = {"invite": self.comparison.invites[-1 - latest % len(self.comparison.invites)]}
        fields |= ({"auto": True} if auto else {}) | ({} if seat is None else {"seat": seat})
        if salt is not None:
            fields["salt_hash"] = hash_salt(salt)
        if opponent:
            fields["opponent"] = "greedy"
        if named:
            nick = NICKS[latest % len(NICKS)]
            fields |= {"nick": nick, "password": PASSWORDS.get(nick, "s")}
        self.comparison.join(self.comparison.session_at(who), fields)

    @rule(
        who=numbers,
        terms=st.sampled_from(TERMS),
        auto=st.sampled_from([(), (0,), (0, 1)]),
        salts=st.sampled_from([(), (), (), (0,), (1,), (0, 1)]),
    )
    def meet(self, who: int, terms: JSON, auto: tuple[int, ...], salts: tuple[int, ...]) -> None:
        """Several players join with the same terms."""
        for number in range(terms.get("seats", 2)):
            fields = dict(terms) | ({"auto": True} if number in auto else {})
            if number in salts and "kind" not in terms:
                fields["salt_hash"] = hash_salt(SALTS[number])
            self.comparison.join(self.comparison.session_at(who + number), fields)

    @rule(who=numbers, terms=st.sampled_from(TERMS), seats=st.sampled_from(WISHES))
    def meet_in_private(self, who: int, terms: JSON, seats: tuple[int | None, int | None]) -> None:
        """One player invites another."""
        wishes: list[JSON] = [{} if seat is None else {"seat": seat} for seat in seats]
        self.comparison.join(
            self.comparison.session_at(who), {**terms, "private": True, **wishes[0]}
        )
        invite = self.comparison.invites[-1]
        for number in range(1, terms.get("seats", 2)):
            fields = {"invite": invite, **(wishes[1] if number == 1 else {})}
            self.comparison.join(self.comparison.session_at(who + number), fields)

    @precondition(lambda self: self.comparison.running())
    @rule(
        number=numbers,
        who=numbers,
        luck=st.integers(0, 2**32),
        most=st.sampled_from([3, 20, 100, 600]),
        pace=st.sampled_from([0, 50, 400, 20_000]),
    )
    def play_on(self, number: int, who: int, luck: int, most: int, pace: int) -> None:
        """The players of a match do for a while what they may do, `pace` ms apart at most."""
        random_ = random.Random(luck)
        for _ in range(most):
            running = self.comparison.running()
            if not running:
                return
            match = running[number % len(running)]
            if match.turn is None or match.owing():
                return
            nick, cmd = match.nicks[match.turn], match.position.expects()
            fields = choose_move(match, random_) if cmd == "notify" else {}
            says = self.comparison.credentials(random_.randrange(30), match.game, nick)
            self.comparison.referee.now += random_.choice([0, 1, random_.randrange(pace + 1)])
            self.comparison.say(
                self.comparison.session_of(nick, who), cmd, game=match.game, **says, **fields
            )

    def about(self, game: int, token: int, who: int, named: bool) -> JSON:
        """Fields that say which game, and who."""
        games = [
            *self.comparison.model.running(),
            *self.comparison.games[-2:],
            *self.comparison.model.waits,
            "nogame",
        ]
        fields: JSON = {} if game == 11 else {"game": games[game % len(games)]}
        if token > 10:
            fields["token"] = self.comparison.tokens[-1 - game % len(self.comparison.tokens)]
        elif token > 5:
            own = [
                key
                for key, seat in self.comparison.model.tokens.items()
                if seat[0] == fields.get("game")
            ]
            fields |= {"token": own[who % len(own)]} if own else {}
        if named:
            nick = NICKS[who % len(NICKS)]
            fields |= {"nick": nick, "password": PASSWORDS.get(nick, "s")}
        return fields

    @precondition(lambda self: self.comparison.games)
    @rule(
        who=numbers,
        cmd=st.sampled_from(["roll", "pass", "notify", "notify", "check", "check"]),
        command=st.sampled_from(["roll", "pass", "notify"]),
        move=moves,
        game=numbers,
        token=numbers,
        named=rarely,
        in_turn=sometimes,
    )
    def act(
        self,
        who: int,
        cmd: str,
        command: str,
        move: JSON,
        game: int,
        token: int,
        named: bool,
        in_turn: bool,
    ) -> None:
        """Perhaps legal, perhaps out of turn, perhaps nothing that one may do."""
        fields = self.about(game, token, who, named)
        session, match = (
            self.comparison.session_at(who),
            self.comparison.model.matches.get(fields.get("game", "")),
        )
        if in_turn and match and match.turn is not None:
            session = self.comparison.session_of(match.nicks[match.turn], who)
            fields = {"game": match.game}
        if cmd == "check":
            fields["command"] = command
        if "notify" in (cmd, fields.get("command")):
            fields |= move
        self.comparison.say(session, cmd, **fields)

    @precondition(lambda self: self.comparison.games)
    @rule(
        who=numbers,
        cmd=st.sampled_from(["leave", "draw", "draw", "salt", "salt", "salt"]),
        offer=sometimes,
        salt=st.sampled_from(SALTS),
        game=numbers,
        token=numbers,
        named=rarely,
    )
    def stand(
        self, who: int, cmd: str, offer: bool, salt: str, game: int, token: int, named: bool
    ) -> None:
        """Do something that is possible at any time, whoever is to act."""
        fields = self.about(game, token, who, named)
        fields |= {"draw": {"offer": offer}, "salt": {"salt": salt}}.get(cmd, {})
        self.comparison.say(self.comparison.session_at(who), cmd, **fields)

    @precondition(lambda self: any(match.owing() for match in self.comparison.running()))
    @rule(number=numbers, who=numbers)
    def send_salts(self, number: int, who: int) -> None:
        """Send the salts whose hashes came with joins."""
        owing = [match for match in self.comparison.running() if match.owing()]
        match = owing[number % len(owing)]
        for seat in match.owing():
            hashed, nick = match.seats[seat].salt_hash, match.nicks[seat]
            salt = next(salt for salt in SALTS if hash_salt(salt) == hashed)
            says = self.comparison.credentials(who, match.game, nick)
            session = self.comparison.session_of(nick, who)
            self.comparison.say(session, "salt", game=match.game, salt=salt, **says)

    @precondition(lambda self: self.comparison.running())
    @rule(number=numbers, who=numbers)
    def agree(self, number: int, who: int) -> None:
        """All players want a draw."""
        match = self.comparison.running()[number % len(self.comparison.running())]
        for nick in match.nicks:
            says = self.comparison.credentials(who, match.game, nick)
            session = self.comparison.session_of(nick, who)
            self.comparison.say(session, "draw", game=match.game, offer=True, **says)

    @precondition(lambda self: self.comparison.finished())
    @rule(who=numbers, number=numbers, count=st.integers(1, 4), by_token=sometimes)
    def play_again(self, who: int, number: int, count: int, by_token: bool) -> None:
        """Some players of a finished match want to play it again."""
        finished = self.comparison.finished()
        match = finished[-1 - number % len(finished)]
        for nick in match.nicks[:count]:
            says = self.comparison.credentials(1 if by_token else 0, match.game, nick)
            session = self.comparison.session_of(nick, who)
            self.comparison.join(session, {"again": match.game, **says})
        self.comparison.say(self.comparison.session_at(who), "state", game=match.game)

    @precondition(lambda self: self.comparison.model.waits)
    @rule(who=numbers, number=numbers, auto=sometimes, seat=st.sampled_from([None, 0, 1, 2]))
    def join_again(self, who: int, number: int, auto: bool, seat: int | None) -> None:
        """Somebody who waits changes his mind, or has forgotten."""
        waits = list(self.comparison.model.waits.values())
        wait = waits[number % len(waits)]
        terms = {"kind": wait.terms.kind, **wait.terms.options, "clock": dict(wait.terms.clock)}
        terms |= {"seats": wait.terms.seats}
        terms |= {} if wait.terms.group is None else {"group": wait.terms.group}
        terms |= {"strict": wait.terms.strict, "auto": auto} | (
            {} if seat is None else {"seat": seat}
        )
        terms |= {} if wait.invite is None else {"private": True}
        self.comparison.join(
            self.comparison.session_of(wait.nicks[who % len(wait.nicks)], who), terms
        )

    @rule(
        who=numbers,
        number=numbers,
        cmd=st.sampled_from(["state", "moves", "update", "leave", "roll"]),
    )
    def show_token(self, who: int, number: int, cmd: str) -> None:
        """One of the latest, good or void."""
        token = self.comparison.tokens[-1 - number % len(self.comparison.tokens)]
        self.comparison.say(self.comparison.session_at(who), cmd, token=token)

    @precondition(lambda self: self.comparison.games)
    @rule(who=numbers, game=numbers, token=numbers, since=st.none() | st.integers(0, 50))
    def follow(self, who: int, game: int, token: int, since: int | None) -> None:
        fields = self.about(game, token, who, named=False)
        self.comparison.say(
            self.comparison.session_at(who),
            "update",
            **fields,
            **({} if since is None else {"since": since}),
        )

    @rule(
        who=numbers,
        cmd=st.sampled_from(["state", "moves", "ranking", "games", "ping"]),
        game=numbers,
        token=numbers,
        terms=st.sampled_from(TERMS),
    )
    def ask(self, who: int, cmd: str, game: int, token: int, terms: JSON) -> None:
        fields: JSON = {}
        if cmd in ("state", "moves"):
            fields = self.about(game, token, who, named=False)
            if cmd == "moves" and who % 3 == 0:
                fields["player"] = "zp"
        elif cmd == "ranking":
            fields = {name: terms[name] for name in ("kind", "group", "size") if name in terms}
        elif cmd == "games" and who % 2:
            fields = {"kind": terms.get("kind", "tab")}
        self.comparison.say(self.comparison.session_at(who), cmd, **fields)

    @rule(ms=st.sampled_from([1, 1000, 20_000, 30_000, 59_999, 120_000]), notices=sometimes)
    def pass_time(self, ms: int, notices: bool) -> None:
        """The server notices when a time is over, or when it is asked something."""
        if notices:
            self.comparison.pass_time(ms)
        else:
            self.comparison.referee.now += ms

    def teardown(self) -> None:
        if self.comparison.agrees:  # otherwise it has failed already
            self.comparison.close()
