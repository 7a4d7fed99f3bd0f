"""Fish once more, as plainly as can be, to compare with: no bytes, no lines, no caches.

A game is what its view says. Tiles and penguins are looked up in STATE itself, and the neighbours
of a tile are those that the rules list, for even and for odd rows.
"""

from __future__ import annotations

from copy import deepcopy

EVEN = {"N": (-2, 0), "NE": (-1, 0), "SE": (1, 0), "S": (2, 0), "SW": (1, -1), "NW": (-1, -1)}
ODD = {"N": (-2, 0), "NE": (-1, 1), "SE": (1, 1), "S": (2, 0), "SW": (1, 0), "NW": (-1, 0)}
COLOURS = ["red", "white", "brown", "black"]


class NaiveFish:
    """A game of Fish; `state` is its STATE, with the players in seat order."""

    def __init__(self, board, seats):
        players = [{"color": COLOURS[n], "score": 0, "places": []} for n in range(seats)]
        self.state = {"players": players, "board": deepcopy(board)}
        self.penguins = 6 - seats
        self.out = []
        self.turn = 0
        self.skip()

    @classmethod
    def load(cls, state, penguins, out=(), turn=0):
        """A position whose players stand in seat order; nobody is skipped yet."""
        game = cls.__new__(cls)
        game.state, game.penguins = deepcopy(state), penguins
        game.out, game.turn = list(out), turn
        game.skip()
        return game

    def fish(self, row, col):
        board = self.state["board"]
        if 0 <= row < len(board) and 0 <= col < len(board[row]):
            return board[row][col]
        return 0

    def is_free(self, row, col):
        standing = [place for player in self.state["players"] for place in player["places"]]
        return self.fish(row, col) > 0 and {"row": row, "col": col} not in standing

    def free(self):
        board = self.state["board"]
        return [
            {"row": row, "col": col}
            for row in range(len(board))
            for col in range(len(board[row]))
            if self.is_free(row, col)
        ]

    def reached(self, place):
        """Where a penguin may go, direction by direction."""
        for direction in EVEN:
            row, col = place["row"], place["col"]
            while True:
                down, right = (ODD if row % 2 else EVEN)[direction]
                row, col = row + down, col + right
                if not self.is_free(row, col):
                    break
                yield {"row": row, "col": col}

    def slides(self, number):
        return [
            {"from": place, "to": end}
            for place in self.state["players"][number]["places"]
            for end in self.reached(place)
        ]

    def playing(self):
        return [
            number
            for number, player in enumerate(self.state["players"])
            if player["color"] not in self.out
        ]

    def lacks(self, number):
        return len(self.state["players"][number]["places"]) < self.penguins

    def skip(self):
        """Let it be the turn of the next player who can do anything, from this one on."""
        players = self.state["players"]
        while True:
            playing = self.playing()
            if len(players) > 1 and len(playing) <= 1:
                self.turn = None
                return
            round_ = [(self.turn + n) % len(players) for n in range(len(players))]
            placing = [number for number in round_ if number in playing and self.lacks(number)]
            if not placing:
                moving = [number for number in round_ if self.slides(number)]
                self.turn = moving[0] if moving else None
                return
            self.turn = placing[0]
            if self.free():
                return
            self.drop(placing[0])

    def drop(self, number):
        self.out.append(self.state["players"][number]["color"])
        self.state["players"][number]["places"] = []

    def kick(self, number):
        self.drop(number)
        self.turn = self.turn or 0
        self.skip()

    def moves(self):
        """Every legal move as the fields of a notify."""
        return [] if self.turn is None else self.moves_of(self.turn)

    def moves_of(self, number):
        """Return the moves of a player, as if it were that player's turn."""
        if number not in self.playing():
            return []
        if self.lacks(number):
            return [{"place": place} for place in self.free()]
        return self.slides(number)

    def play(self, move):
        player = self.state["players"][self.turn]
        if "place" in move:
            player["places"].append(move["place"])
        else:
            start = move["from"]
            player["score"] += self.fish(**start)
            self.state["board"][start["row"]][start["col"]] = 0
            player["places"].remove(start)
            player["places"].append(move["to"])
        self.turn = (self.turn + 1) % len(self.state["players"])
        self.skip()

    def winners(self):
        playing = self.playing()
        scores = [player["score"] for player in self.state["players"]]
        return [n for n in playing if scores[n] == max(scores[other] for other in playing)]

    def view(self):
        players, first = deepcopy(self.state["players"]), self.turn or 0
        for player in players:
            player["places"].sort(key=lambda place: (place["row"], place["col"]))
        cols = max(map(len, self.state["board"]))
        board = [row + [0] * (cols - len(row)) for row in self.state["board"]]
        return {
            "state": {"players": players[first:] + players[:first], "board": board},
            "turn": self.turn,
            "penguins": self.penguins,
            "out": [player["color"] for player in players if player["color"] in self.out],
        }
