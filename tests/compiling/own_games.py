"""Games as users write them, in several styles; each is small enough for plain Python."""

from __future__ import annotations

from typing import Any

from examples.games.clobber import Texts
from solver import Game, Outcome, rearrange, symmetry_group
from tests.support.user_games import Heap

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
SWAP = {"x": "o", "o": "x", ".": "."}


class TicTacToe(Game[str, int]):
    """A text seen from the side to move, with two of its symmetries."""

    symmetries = symmetry_group(rearrange(range(8, -1, -1), cells=range(8, -1, -1)))

    def initial(self) -> str:
        return "." * 9

    def moves(self, p: str) -> list[int]:
        return [cell for cell in range(9) if p[cell] == "."]

    def play(self, p: str, m: int) -> str:
        return "".join([SWAP[mark] for mark in p[:m] + "x" + p[m + 1 :]])

    def primitive(self, p: str) -> Outcome | None:
        if any(all(p[cell] == "o" for cell in line) for line in LINES):
            return Outcome.LOSS
        return None if "." in p else Outcome.DRAW

    def tier(self, p: str) -> int:
        return 9 - p.count(".")


class Rare(Game[Any, Any]):
    """A tuple (a, b, coin) whose coin changes at the end of one long line of play only."""

    def initial(self) -> Any:
        return 0, 0, 0

    def moves(self, p: Any) -> list[int]:
        return [0, 1]

    def play(self, p: Any, m: int) -> Any:
        a, b, coin = p
        a, b = (a + 1, b) if m == 0 else (a, b + 1)
        return a, b, 7 if (a, b) == (0, 40) else coin

    def primitive(self, p: Any) -> Outcome | None:
        a, b, coin = p
        return None if a + b < 60 else Outcome.LOSS if (a + coin) % 3 else Outcome.WIN

    def tier(self, p: Any) -> int:
        a, b, _ = p
        return a + b  # type: ignore[no-any-return]


EACH = (Texts, TicTacToe, Rare)  # others are drawn by tests.support.random_styles


class Small(Heap):
    """The game that is compiled fastest, for tests to which any will do."""

    def initial(self) -> int:
        return 17


class Growing(Small):
    """Numbers that grow beyond the bits of a key."""

    def initial(self) -> int:
        return 1

    def moves(self, p: int) -> range:
        return range(2, 4)

    def play(self, p: int, m: int) -> int:
        return p + p + p + m

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if 1000 < p < 1 << 60 else None
