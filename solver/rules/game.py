"""What a game is: four pure methods, and defaults for the rest.

A position is immutable and hashable and holds everything that the rules need, seen from the
side to move. Seats (X and O, white and black) exist only where people play: in `text`, `parse`,
`turn` and `render`.

The laws, which `solver.laws.check_game` tests on random walks:

- a position that is not primitive has a move;
- `tier` never falls along a move;
- `key` is injective, `position` undoes `key`, and `parse` undoes `text`;
- the methods are pure: asked twice they answer alike, and they change no position;
- every symmetry maps legal moves to legal moves and commutes with `play`;
- `primitive` and `tier` are the same for symmetric positions;
- `canonical` is the same for symmetric positions, and idempotent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence

from solver.errors import GameLawError, IllegalPositionError
from solver.startup import M, NamedTuple, P, Typed, record, sha256
from solver.value import Outcome

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from typing import Any

    from solver.rules.kernel import Kernel


@record
class Symmetry(NamedTuple):
    """A pair of maps that keep the rules: one of positions, one of moves.

    Where the position is a board of cells, `cells` tells the same as data:
    cell i of the image is cell `cells[i]` of the original.
    """

    position: Callable[[Any], Any]
    move: Callable[[Any], Any]
    cells: tuple[int, ...] | None


def _same(x: Any) -> Any:
    return x


IDENTITY = Symmetry(_same, _same, None)


class Game(Typed[P, M], ABC):
    """The rules of a two-player game of perfect information without chance.

    P is the type of a position, M of a move. Positions and moves are never changed in place.
    """

    symmetries: Sequence[Symmetry] = (IDENTITY,)
    """A group under composition, the identity among them."""

    seats: tuple[str, str] = ("X", "O")
    """What people call the side that begins and the other one."""

    board: tuple[int, int] | None = None
    """Columns and rows, if positions are boards of cells; see `marks`."""

    @property
    def spec(self) -> str:
        """The name under which the game is found again."""
        return f"{type(self).__module__}:{type(self).__qualname__}"

    @abstractmethod
    def initial(self) -> P:
        """Return the starting position."""

    @abstractmethod
    def moves(self, p: P) -> Sequence[M]:
        """Return the legal moves of a position that is not primitive, in preference order."""

    @abstractmethod
    def play(self, p: P, m: M) -> P:
        """Return the position after the legal move `m`, seen from the other side."""

    @abstractmethod
    def primitive(self, p: P) -> Outcome | None:
        """Return the outcome for the side to move if the game is over, else None."""

    def tier(self, p: P) -> int:
        """Return a number that never falls along a move, such as the count of stones."""
        return 0

    def key(self, p: P) -> int:
        """Return an integer from 0 that no other position has."""
        return int.from_bytes(b"\1" + self.text(p).encode(), "big")

    def position(self, key: int) -> P:
        """Return the position that has the key."""
        return self.parse(key.to_bytes(key.bit_length() // 8 + 1, "big").lstrip(b"\0")[1:].decode())

    def code(self, m: M) -> int | str:
        """Return how a table writes the move."""
        return m if isinstance(m, int) else repr(m)

    def label(self, p: P, m: M) -> str:
        """Return how people write the move."""
        return str(m)

    def cell(self, p: P, m: M) -> int | None:
        """Return the cell of the board, from 0, on which a move is shown; None for none."""
        return None

    def origin(self, p: P, m: M) -> int | None:
        """Return the cell of the board that a move leaves; None for none."""
        return None

    def marks(self, text: str) -> str:
        """Return the cells of the board that a position's text shows, row by row from the top."""
        return text

    def turn(self, p: P) -> str:
        """Return the seat to move, if the first seat began the game."""
        return self.seats[0]

    def other(self, seat: str) -> str:
        """Return the seat that is not this one."""
        first, second = self.seats
        return second if seat == first else first

    def text(self, p: P, turn: str | None = None) -> str:
        """Return the position in one line, for the given seat to move."""
        return repr(p)

    def parse(self, text: str, turn: str | None = None) -> P:
        """Return the position that `text` gives; raises IllegalPositionError."""
        from ast import literal_eval

        if not isinstance(text, str):
            raise TypeError(f"a position is written as text, not as {type(text).__name__}")
        try:
            p: P = literal_eval(text)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
            raise IllegalPositionError(f"{text!r} is not a position of {self.spec}") from error
        return p

    def threats(self, p: P) -> Sequence[M] | None:
        """Return the moves with which the side not to move would win at once if it were to move.

        None where the rules do not tell.
        """
        return None

    def parents(self, p: P) -> Sequence[P] | None:
        """Return the positions, reachable or not, from which a move leads to `p`.

        None where the rules do not tell. It serves to estimate how many positions there are.
        """
        return None

    def kernel(self) -> Kernel | None:
        """Return the rules as compiled functions of whole arrays, or None if there are none.

        Raises ImportError where a library is missing that the extra `fast` installs.
        """
        return None

    def render(self, p: P, turn: str | None = None) -> str:
        """Return a picture of the position for the terminal."""
        return self.text(p, turn)

    def orient(self, p: P) -> tuple[P, Symmetry]:
        """Return the canonical image of `p` and the symmetry that leads to it.

        Canonical is the image with the smallest key.
        """
        images = [(s.position(p), s) for s in self.symmetries]
        return min(images, key=lambda image: self.key(image[0]))

    def canonical(self, p: P) -> P:
        """Return the one image of `p` that stands for all of them."""
        return self.orient(p)[0]


class Numbered(Game[int, M]):
    """A game whose positions are integers from 0, each its own key."""

    def key(self, p: int) -> int:
        """Return the position itself."""
        return p

    def position(self, key: int) -> int:
        """Return the key itself."""
        return key


def primitive_outcome(game: Game[P, M], p: P) -> Outcome | None:
    """Return `game.primitive(p)`; raises GameLawError unless it is an Outcome or None."""
    over = game.primitive(p)
    if over is not None and not isinstance(over, Outcome):
        raise GameLawError(f"{game.spec}: primitive({p!r}) is {over!r}, not an Outcome or None")
    return over


def legal_moves(game: Game[P, M], p: P) -> Sequence[M]:
    """Return the moves from a position that is not primitive; raises GameLawError for none."""
    moves = game.moves(p)
    if not moves:
        raise GameLawError(f"{game.spec}: the game is not over at {p!r}, but there is no move")
    return moves


def start_key(game: Game[P, M]) -> int:
    """Return the key of the canonical starting position."""
    return game.key(game.canonical(game.initial()))


def walk(game: Game[P, M], plies: int) -> Iterator[P]:
    """Yield the positions of a fixed pseudo-random walk that begins anew at each game's end.

    The same rules give the same walk on every machine.
    """
    p, x = game.initial(), 1
    for _ in range(plies):
        yield p
        if game.primitive(p) is not None:
            p = game.initial()
            continue
        moves = game.moves(p)
        # Knuth's MMIX generator; its high bits are the random ones
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        p = game.play(p, moves[(x >> 33) % len(moves)])


def fingerprint(game: Game[P, M]) -> str:
    """Return a hash of how the rules behave: of positions, moves and outcomes along a walk.

    It starts with the game's name. Rules that behave alike there have the same fingerprint,
    however they are written.
    """
    lines = [game.spec]
    for p in walk(game, 100):
        over = game.primitive(p)
        moves = [] if over is not None else [game.code(m) for m in game.moves(p)]
        lines.append(f"{game.text(p)} {over} {moves}")
    digest: str = sha256("\n".join(lines).encode()).hexdigest()
    return digest
