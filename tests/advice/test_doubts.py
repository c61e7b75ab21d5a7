"""Rules that obey every law and are other rules than meant raise a question; others raise none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from solver import Game, load_game
from solver.advice.doubts import doubts
from tests.conftest import ROOT, Command

OWN = '''
from solver import Game, Outcome

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Kalah(Game):
    """Two houses a side; a bonus turn keeps the turn."""

    def initial(self):
        return ((1, 1, 0, 1, 1, 0), 0)

    def moves(self, p):
        return [i for i in (3 * p[1], 3 * p[1] + 1) if p[0][i]]

    def play(self, p, m):
        (*b,), who = p
        mine, at, seeds, b[m] = 3 * who + 2, m, b[m], 0
        while seeds:
            at = (at + 1) % 6
            if at != 5 - 3 * who:
                b[at] += 1
                seeds -= 1
        if not (b[0] or b[1]) or not (b[3] or b[4]):
            b = [0, 0, b[0] + b[1] + b[2], 0, 0, b[3] + b[4] + b[5]]
        return (tuple(b), who if at == mine else 1 - who)

    def primitive(self, p):
        b, who = p
        ahead = (b[2] - b[5]) * (1 - 2 * who)
        return None if any(b[i] for i in (0, 1, 3, 4)) else (ahead > 0) - (ahead < 0)


class Box(Game):
    """Dots and boxes of one box: who closes it has it, and would move again."""

    def initial(self):
        return ((0, 0, 0, 0), (0, 0), 0)

    def moves(self, p):
        return [i for i in range(4) if not p[0][i]]

    def play(self, p, m):
        edges = (*p[0][:m], 1, *p[0][m + 1 :])
        if 0 in edges:
            return (edges, p[1], 1 - p[2])
        return (edges, tuple(n + (i == p[2]) for i, n in enumerate(p[1])), p[2])

    def primitive(self, p):
        return None if 0 in p[0] else p[1][p[2]] - p[1][1 - p[2]]


class Race(Game):
    """Step by one or two to the eighth field; the third and the sixth give another turn."""

    def initial(self):
        return "00a"

    def moves(self, p):
        return [1, 2]

    def play(self, p, m):
        at = {"a": int(p[0]), "b": int(p[1])}
        at[p[2]] += m
        again = at[p[2]] in (3, 6)
        return f"{at['a']}{at['b']}{p[2] if again else 'ab'[p[2] == 'a']}"

    def primitive(self, p):
        if max(p[:2]) < "8":
            return None
        return Outcome.WIN if (p[0] >= "8") == (p[2] == "a") else Outcome.LOSS


class LastRace(Race):
    """The same, but whoever is last to move wins: the moves of either are apart."""

    def primitive(self, p):
        return None if max(p[:2]) < "8" else Outcome.LOSS


class ByX(Game):
    """Tic-tac-toe with 1 if X has won and -1 if O has."""

    def initial(self):
        return "." * 9

    def moves(self, p):
        return [i for i, c in enumerate(p) if c == "."]

    def play(self, p, m):
        return p[:m] + "XO"[p.count("X") > p.count("O")] + p[m + 1 :]

    def winner(self, p):
        return next((p[a] for a, b, c in LINES if p[a] == p[b] == p[c] != "."), None)

    def primitive(self, p):
        if (winner := self.winner(p)) is not None:
            return 1 if winner == "X" else -1
        return None if "." in p else 0


class MisereByX(ByX):
    def primitive(self, p):
        return None if (won := super().primitive(p)) is None else -won


class LastByX(Game):
    """A heap with the name of the side to move, and 1 if X has won."""

    def initial(self):
        return (9, "X")

    def moves(self, p):
        return [m for m in (1, 2, 3) if m <= p[0]]

    def play(self, p, m):
        return (p[0] - m, "XO"[p[1] == "X"])

    def primitive(self, p):
        return None if p[0] else 1 if p[1] == "O" else -1


class Meant(ByX):
    """Only X can win."""

    def primitive(self, p):
        if (winner := self.winner(p)) == "X":
            return Outcome.LOSS
        return None if winner is None and "." in p else Outcome.DRAW


class Misere(ByX):
    def primitive(self, p):
        return Outcome.WIN if self.winner(p) else None if "." in p else Outcome.DRAW


class Flag(LastByX):
    """A heap with a flag, which taking two flips: it says whether the last one wins."""

    def initial(self):
        return (9, 0)

    def play(self, p, m):
        return (p[0] - m, p[1] ^ (m == 2))

    def primitive(self, p):
        return None if p[0] else Outcome.WIN if p[1] else Outcome.LOSS


class Wait(Flag):
    """A heap with a flag: after taking one, the other side waits."""

    def moves(self, p):
        return ["wait"] if p[1] else super().moves(p)

    def play(self, p, m):
        return (p[0], 0) if m == "wait" else (p[0] - m, int(m == 1))

    def primitive(self, p):
        return None if p[0] else Outcome.LOSS


class Twice(Flag):
    """A heap with a flag: nobody takes two after two."""

    def moves(self, p):
        return [m for m in super().moves(p) if m != 2 or not p[1]]

    def play(self, p, m):
        return (p[0] - m, int(m == 2))

    def primitive(self, p):
        return None if p[0] else Outcome.LOSS


class Once(Wait):
    """A heap with a flag: a pass, once."""

    def moves(self, p):
        return [m for m in (1, 2) if m <= p[0]] + ["pass"] * (not p[1])

    def play(self, p, m):
        return (p[0], 1) if m == "pass" else (p[0] - m, p[1])


class Ahead(Flag):
    """A heap with who is ahead, seen from the side to move: taking three changes that."""

    def initial(self):
        return (9, 1)

    def play(self, p, m):
        return (p[0] - m, p[1] if m == 3 else -p[1])

    def primitive(self, p):
        return None if p[0] else Outcome(p[1])


class Turned(Kalah):
    """It says whose turn it is."""

    def turn(self, p):
        return self.seats[p[1]]
'''
AGAIN = "seems to say whose turn it is, and a side moves again: write def turn(self, p): return"
TURN = {
    "Kalah": "p[1] seems to say",
    "Box": "p[2] seems to say",
    "Race": f"p[2] {AGAIN} self.seats[p[2] == 'b'] (X, the side that moves first, at 'a'",
    "LastRace": "p[2] seems to say",
}
WINS = ["ByX", "MisereByX", "LastByX"]
MEANT = ["Meant", "Misere", "Flag", "Wait", "Twice", "Once", "Ahead", "Turned"]
BUILT_IN = (
    "tictactoe mnk:3,3,3,misere mnk:4,3,3 mnk:3,1,2 wild notakto connect4:3x3,3 connect4:4x4"
    " connect4 hexapawn:3x3 hexapawn:4x4 nim:1,1 nim:2,2,1 nim:3,4,5 morris achi ponghauki"
    " kingspawns breakthrough:2x4 breakthrough:3x5 clobber:2x2 clobber:4x3 domineering:2x2"
    " domineering:4x4 dodgem:3x3 mutorere"
)
EXAMPLES = "clobber:Tuples cram:Cram dots_and_boxes:DotsAndBoxes kalah:Kalah konane:Konane"


def own_game(name: str) -> Any:
    names: dict[str, Any] = {"__name__": "doubted"}
    exec(OWN, names)
    return names[name]()


@pytest.mark.every
@pytest.mark.parametrize("name", TURN)
def test_a_side_that_moves_again_without_turn_is_asked_about(name: str) -> None:
    [said] = doubts(own_game(name))
    assert TURN[name] in said
    assert "forced pass of the other side" in said


@pytest.mark.every
@pytest.mark.parametrize("name", WINS)
def test_an_outcome_of_one_seat_is_asked_about(name: str) -> None:
    [said] = doubts(own_game(name))
    assert said.startswith("after a move, the side to move has won at ")
    assert said.endswith(": is the outcome that of the side to move?")


@pytest.mark.parametrize("name", BUILT_IN.split())
@pytest.mark.every
def test_nothing_is_asked_of_built_in_games(name: str) -> None:
    assert [*doubts(load_game(name))] == []


@pytest.mark.parametrize("name", [*MEANT, *EXAMPLES.split()])
@pytest.mark.every
def test_nothing_is_asked_of_games_as_meant(name: str) -> None:
    file, _, kind = name.partition(":")
    path = ROOT / "examples" / "games" / f"{file}.py"
    game: Game[Any, Any] = load_game(f"{path}:{kind}") if kind else own_game(name)
    assert [*doubts(game)] == []


def test_commands_ask_once(command: Command) -> None:
    Path("doubted.py").write_text(OWN)
    for words in ("solve {} -o t.json", "verify t.json --game {}"):
        for kind, said in (("Kalah", "p[1] seems to say"), ("ByX", "is the outcome that of")):
            if words.startswith("verify"):
                assert command("solve", f"doubted.py:{kind}", "-o", "t.json") == 0
            assert command(*words.format(f"doubted.py:{kind}").split()) == 0
            assert said in command.err
            assert command.err.count("\n") == 1
    assert command("best", "--game", "doubted.py:ByX", "--table", "t.json") == 0
    assert command.err == ""
    assert command("check", "doubted.py:ByX") == 0
    assert "has won at 71 of 116 ends and lost at 30: is the outcome" in command.out


@pytest.mark.usefixtures("uncompiled")
def test_check_proposes_a_tier_that_no_move_lowers(command: Command) -> None:
    command.monkeypatch.setattr("solver.cli.games.LARGE", 5)
    Path("own_tiers.py").write_text(OWN)
    assert command("check", "own_tiers.py:Misere") == 0
    assert "no move of these games lowers -p.count('.'): with def tier(self, p): return -p" in (
        command.out
    )
    assert command("check", "hexapawn:3x3") == 0  # which declares one, or has none
    assert "with def tier" not in command.out
