"""The rules of a game: four pure methods to write, and defaults for everything else.

A position is immutable and hashable. It contains everything that the rules depend on, from the
point of view of the side to move. Seats (X and O, White and Black) exist only where people read or
write positions: in `text`, `parse`, `turn` and `render`.

Every game obeys these laws, which `solver.check_game` tests on random games:

- a position that is not primitive has a move;
- tiers are whole numbers, and no move leads to a lower one;
- after a move it is the other side's turn;
- different positions have different keys;
- positions have one type, and their texts are one line;
- `position` is the inverse of `key`, and `parse` is the inverse of `text`, for either seat;
- the moves of a position have different codes and different labels, and cells on the board;
- a game ends or repeats a position;
- the methods are pure: equal arguments give equal results, and no position is ever modified;
- every symmetry maps legal moves to legal moves and commutes with `play`;
- symmetric positions have the same outcome, tier and canonical position;
- `canonical` is idempotent.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile

from solver.errors import GameLawError, IllegalPositionError, one_line, quoted
from solver.rules.kinds import is_literal
from solver.rules.plain import PLAIN_RESULTS, as_plain, is_converted, like, with_plain_results
from solver.startup import M, NamedTuple, P, Typed, named_tuple, sha256
from solver.value import Outcome

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from typing import Any

    from solver.rules.kernel import Kernel
    from solver.rules.packing import Keys
    from solver.rules.search import Search

    PlaceMap = tuple[tuple[int, ...], tuple[tuple[tuple[Any, Any], ...], ...]]


MOST_TEXT = 10_000  # characters of a position's text
SAMPLED = 1000  # plies of random games that show which values a place of a position may have


@named_tuple
class Symmetry(NamedTuple):
    """A symmetry of the rules: a map of positions and the corresponding map of moves.

    If `move` is None, the image of a move is the move that leads to the image of the position that
    it leads to.

    If the symmetry rearranges the cells of a board, `cells` describes this as data: cell i of the
    image is cell `cells[i]` of the original. Otherwise `cells` is None.
    """

    position: Callable[[Any], Any]
    move: Callable[[Any], Any] | None
    cells: tuple[int, ...] | None

    @property
    def place_map(self) -> PlaceMap | None:
        """What it does to the places of a position, as data; see `solver.rules.symmetry`.

        Place i of the image has what is at place `order[i]` of the original, and for each of these
        places there are the values that change: what they were, and what they become. It is None if
        the symmetry is known only as functions.
        """
        data: PlaceMap | None = getattr(self.position, "place_map", None)
        return data


def _same(x: Any) -> Any:
    return x


IDENTITY = Symmetry(_same, _same, None)
"""The symmetry that maps every position and every move to itself."""


class Game(Typed[P, M], ABC):
    """The rules of a two-player game without chance or hidden information.

    A subclass defines `initial`, `moves`, `play` and `primitive`. It overrides other methods only
    where the default does not fit. `P` is the type of its positions, and `M` is the type of its
    moves. A complete game, in which the sides take 1 or 2 stones from a heap of 7, and whoever
    takes the last stone wins:

        class Heap(Game):
            def initial(self):
                return 7

            def moves(self, p):
                return [m for m in (1, 2) if m <= p]

            def play(self, p, m):
                return p - m

            def primitive(self, p):
                return Outcome.LOSS if p == 0 else None
    """

    symmetries: Sequence[Symmetry] = (IDENTITY,)
    """The symmetries of the rules: a group under composition, including the identity.

    `solver.rearrange` makes them of data, and `perfectplay check --symmetries` proposes some.
    """

    seats: tuple[str, str] = ("X", "O")
    """The names of the side that moves first and of the other side."""

    title: str = ""
    """The name of the game for people; by default that of the class, in words."""
    about: str = ""
    """How the game is played and won, in a few sentences; by default the class's docstring."""

    board: tuple[int, int] | None = None
    """The numbers of columns and rows if positions are boards of cells, else None; see `marks`."""

    cell_places: Sequence[tuple[int, int]] = ()
    """The column and row where a picture shows each cell, if these are not a board; see `marks`."""

    searchable: bool = False
    """Whether the game has a `search`."""

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        attributes = vars(cls)
        if attributes.get("symmetries") == ():
            cls.symmetries = (IDENTITY,)
        if not cls.__module__.startswith("solver."):
            cls.module_file = getattr(sys.modules.get(cls.__module__), "__file__", None)
            cls.modules_before = frozenset(takewhile(cls.__module__.__ne__, [*sys.modules]))
            for name, plain in PLAIN_RESULTS.items():
                owner = next(kind for kind in cls.__mro__ if name in vars(kind))
                method = vars(owner)[name]
                is_own = not owner.__module__.startswith("solver.")
                is_own &= callable(method) or isinstance(method, classmethod)
                if is_own and not is_converted(method):
                    setattr(cls, name, with_plain_results(name, method, plain))

    # of a class outside this package; see `solver.rules.rule_files`
    module_file: str | None = None
    modules_before: frozenset[str] | None = None  # those that were loaded before its own

    one_process: bool = False
    """Whether the rules compare positions: then one process sees all, and nothing is compiled."""

    @property
    def has_cells(self) -> bool:
        """Whether positions have cells, on a board or at places, so that `marks` fits."""
        return self.board is not None or bool(self.cell_places)

    instance_name: str = ""
    """The module and the name of this instance, if `load_game` found it by that."""

    found_in: str = ""
    """The module in which `load_game` found the game."""

    @property
    def spec(self) -> str:
        """The name that `load_game` loads the game by."""
        kind = type(self)
        return self.instance_name or one_line(f"{kind.__module__}:{kind.__qualname__}")

    def __repr__(self) -> str:
        return f"<Game {self.spec}>"

    @abstractmethod
    def initial(self) -> P:
        """Return the starting position."""

    @abstractmethod
    def moves(self, p: P) -> Sequence[M]:
        """Return the legal moves of a position that is not primitive, preferred moves first.

        The order breaks ties between moves that are equally good.
        """

    @abstractmethod
    def play(self, p: P, m: M) -> P:
        """Return the position after the legal move `m`, with the other side to move."""

    @abstractmethod
    def primitive(self, p: P) -> Outcome | None:
        """Return the outcome for the side to move if the game is over, else None."""

    def tier(self, p: P) -> int:
        """Return a number that no move lowers, such as the number of stones on the board.

        Tiers are solved one at a time, the highest first, so more tiers need less memory.
        """
        return 0

    @cached_property
    def keys(self) -> Keys:
        """How the default `key` and `position` work, which follows from a sample of positions."""
        return self.sample_keys([self.initial()])

    def sample_keys(self, starts: Iterable[P]) -> Keys:
        """Return the keys that have the values in random games from some positions on."""
        from solver.rules.packing import keys_of

        sample: dict[P, None] = {}
        for p in (p for start in starts for p in walk(self, SAMPLED, start)):
            sample[p] = None
            if isinstance(p, str) and len(p) != len(str(next(iter(sample)))):
                return self.text_keys
        kinds = {*map(type, sample)}
        images = [s.position(p) for p in sample for s in self.symmetries] if len(kinds) == 1 else []
        return keys_of(images) or self.text_keys

    @property
    def text_keys(self) -> Keys:
        """Keys that are made of the texts of positions."""
        from solver.rules.packing import Texts

        return Texts(lambda p: checked_text(self, p), self.parse)

    def key(self, p: P) -> int:
        """Return a nonnegative integer that identifies the position.

        By default, it is the position itself if that is a number, a packed form of a text or a
        tuple of fixed length (see `solver.rules.packing`), and else made of the position's text.
        """
        keys: Any = self.keys
        key: int = keys.key(p)
        return key

    def position(self, key: int) -> P:
        """Return the position with this key."""
        p: Any = self.keys.position(key)
        start = self._typed_start
        position: P = p if start is None else like(start, p)
        return position

    @cached_property
    def _typed_start(self) -> P | None:
        """The starting position, if it is not made of plain values alone."""
        start = self.initial()
        return None if is_literal(start) else start

    def code(self, m: M) -> int | str:
        """Return the move as tables and JSON store it; different moves have different codes."""
        try:
            plain = as_plain(m)
        except TypeError:
            plain = m
        return plain if isinstance(plain, int) else repr(plain)

    def label(self, p: P, m: M) -> str:
        """Return the move as people read and type it."""
        try:
            return str(as_plain(m))
        except TypeError:
            return str(m)

    def cell(self, p: P, m: M) -> int | None:
        """Return the cell on which to show a move, counted from 0 row by row, or None."""
        return None

    def origin(self, p: P, m: M) -> int | None:
        """Return the cell from which a move takes a piece, or None if it takes none."""
        return None

    def marks(self, text: str) -> str:
        """Return one character per cell of the board, row by row from the top, or per place.

        `text` is the text of a position. Pictures draw a dot as an empty cell, X and O as a cross
        and a ring or as discs, K, Q and P as chess pieces, a bar as a counter of either side, and
        other letters as discs with the letter; pieces in upper case are white, others black.
        """
        return text

    def turn(self, p: P) -> str:
        """Return the seat to move, assuming that the first seat made the first move."""
        return self.seats[0]

    def other(self, seat: str) -> str:
        """Return the other seat."""
        return self.seats[1] if seat == self.seats[0] else self.seats[0]

    def text(self, p: P, turn: str | None = None) -> str:
        """Return the position as one line of text, with the seat `turn` to move.

        If `turn` is None, it is the seat that `self.turn` returns. By default, a position that is a
        string is its own text, and any other is written as its `repr`.
        """
        if type(p) is str:
            return str(p)
        try:
            return str(plain) if isinstance(plain := as_plain(p), str) else repr(plain)
        except TypeError as error:
            raise GameLawError(f"{self.spec}: {p!r:.100} is not a position: {error}") from None
        except ValueError as error:  # a number of thousands of digits
            law = "a position has a number of thousands of digits: write a tuple of smaller ones"
            raise GameLawError(f"{self.spec} breaks a law: {law}") from error

    def parse(self, text: str, turn: str | None = None) -> P:
        """Return the position that `text` describes; the inverse of `text`.

        `turn` is the seat to move; None derives it from the text. Raises IllegalPositionError with
        the reason if the text describes no position of the game.
        """
        from ast import literal_eval

        check_text(self, text)
        start = self.initial()
        try:
            p: Any = text if isinstance(start, str) else literal_eval(text)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            p = None
        p = like(start, p)
        if type(p) is not type(start):
            one = quoted(self.text(start))
            raise IllegalPositionError(f"{text!r} is not a position of {self.spec}; one is {one}")
        result: P = p
        return result

    def threats(self, p: P) -> Sequence[M] | None:
        """Return the moves with which the opponent threatens to win at once; None if unknown."""
        return None

    def kernel(self) -> Kernel | None:
        """Return the rules compiled for arrays of keys, or None; needs the extra `fast`."""
        return None

    def search(self) -> Search:
        """Return a search for the values of single positions; only a `searchable` game has one.

        It answers where there is no table. Raises ImportError if it needs an extra.
        """
        raise NotImplementedError(f"{self.spec} has no search")

    def render(self, p: P, turn: str | None = None) -> str:
        """Return the position as a drawing for the terminal, of one or more lines.

        By default, it is the board if there is one, else the position's text.
        """
        text = self.text(p, turn)
        if self.board is None:
            return text
        marks, columns = self.marks(text), self.board[0]
        return "\n".join(" ".join(marks[i : i + columns]) for i in range(0, len(marks), columns))

    @cached_property
    def __images(self) -> Callable[[P], Sequence[P]]:  # a name that no game of a user's has
        from solver.rules.packing import all_images

        maps = [() if s is IDENTITY else s.place_map for s in self.symmetries]
        return all_images([s.position for s in self.symmetries], maps)

    def orient(self, p: P) -> tuple[P, Symmetry]:
        """Return the least image of `p`, and a symmetry that maps `p` to it."""
        if len(self.symmetries) == 1:
            return p, IDENTITY
        images = self.__images(p)
        rank: Any = None if type(self).key in (Game.key, Numbered.key) else self.key
        try:
            least = min(images, key=rank)
        except TypeError:  # values at one place that cannot be compared, such as None and 1
            from solver.rules.packing import order

            least = min(images, key=rank or order)
        return least, self.symmetries[images.index(least)]

    def canonical(self, p: P) -> P:
        """Return the image of `p` that represents all of its images."""
        return self.orient(p)[0]

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to pickle, without cached properties, which may hold closures."""
        kind, state = type(self), vars(self)
        cached = {name for name in state if isinstance(getattr(kind, name, None), cached_property)}
        return {name: state[name] for name in state.keys() - cached}


class Numbered(Game[int, M]):
    """A game whose positions are nonnegative integers, each its own key."""

    def key(self, p: int) -> int:
        return p

    def position(self, key: int) -> int:
        return key


def primitive_outcome(game: Game[P, M], p: P) -> Outcome | None:
    """Return `game.primitive(p)`; raises GameLawError unless it is an Outcome or None."""
    over = game.primitive(p)
    if over is not None and not isinstance(over, Outcome):
        raise GameLawError(f"{game.spec}: primitive({p!r}) is {over!r}, not an Outcome or None")
    return over


def checked_key(game: Game[P, M], p: P) -> int:
    """Return `game.key(p)`; raises GameLawError unless it is an int from 0 on."""
    key = game.key(p)
    if type(key) is not int or key < 0:
        way = ": return int(...)" if hasattr(key, "__index__") and key >= 0 else ""
        raise GameLawError(
            f"{game.spec} breaks a law at {p!r:.200}: key is a whole number from 0, not"
            f" {key!r:.80}{way}"
        )
    return key


def checked_tier(game: Game[P, M], p: P) -> int:
    """Return `game.tier(p)`; raises GameLawError unless it is an int."""
    tier = game.tier(p)
    if type(tier) is not int:
        raise GameLawError(
            f"{game.spec} breaks a law at {p!r:.200}: tier is a whole number, not {tier!r:.80}"
        )
    return tier


def checked_text(game: Game[P, M], p: P, turn: str | None = None) -> str:
    """Return `game.text(p, turn)`; raises GameLawError unless it is a line of text."""
    text = game.text(p, turn)
    if isinstance(text, str) and text.isprintable() and len(text) <= MOST_TEXT:
        return text
    way = ""
    if isinstance(text, str) and len(text) > MOST_TEXT:
        way = f" of {len(text):,}: define text and parse, with fewer characters for what repeats"
    elif isinstance(text, str) and any(0xD800 <= ord(c) < 0xE000 for c in text):
        way = ": a character from \\ud800 to \\udfff is half of one; write the whole character"
    raise GameLawError(
        f"{game.spec} breaks a law at {p!r:.200}: text is one line of at most {MOST_TEXT:,}"
        f" printable characters, not {text!r:.80}{way}"
    )


def require_workers(game: Game[P, M], workers: int) -> None:
    """Raise ValueError if a game takes one process, and these are several workers."""
    if workers > 1 and game.one_process:
        raise ValueError(f"{game.spec} compares positions in one process: use one worker")


def legal_moves(game: Game[P, M], p: P) -> Sequence[M]:
    """Return `game.moves(p)`; raises GameLawError if there are none."""
    if not hasattr(moves := game.moves(p), "__len__"):  # set on the game itself, or on its class
        raise GameLawError(
            f"{game.spec}: moves is a list, a tuple or a range, not {moves!r:.80}: define it in the"
            " body of the class"
        )
    if not len(moves):
        hint = "; a position holds all of the game, so keep nothing in self" * (p == game.initial())
        raise GameLawError(
            f"{game.spec}: the game is not over at {p!r}, but there is no move{hint}"
        )
    return moves


def check_text(game: Game[P, M], text: Any) -> None:
    """Raise TypeError unless `text` is a string."""
    if not isinstance(text, str):
        raise TypeError(
            f"a position of {game.spec} is written as text, such as"
            f" {game.text(game.initial())!r:.200}, not as {type(text).__name__}"
        )


def seat_named(game: Game[P, M], name: str) -> str:
    """Return the seat of a name in upper or lower case; the name itself if there is none."""
    return next((seat for seat in game.seats if seat.lower() == str(name).lower()), name)


def check_turn(game: Game[P, M], turn: str | None) -> None:
    """Raise IllegalPositionError unless `turn` is None or one of the game's seats."""
    if turn not in (None, *game.seats):
        raise IllegalPositionError(f"the turn is {turn!r}; it must be {' or '.join(game.seats)}")


def check_turn_at(game: Game[P, M], p: P, turn: str | None) -> None:
    """Raise IllegalPositionError if it is not the seat's turn, as the position itself says.

    It does where a game defines `turn` and its texts do not depend on the seat to move.
    """
    check_turn(game, turn)
    if turn is None or type(game).turn is Game.turn or turn == game.turn(p):
        return
    if len({text := game.text(p, seat) for seat in game.seats}) == 1:
        raise IllegalPositionError(f"it is {game.turn(p)}'s turn in {text!r:.80}, not {turn}'s")


def defines(game: Game[P, M], name: str) -> bool:
    """Return whether a game's very class defines a method, such as a kernel.

    One that it inherits does not know what else the class changes, nor what the game itself does.
    """
    return name in vars(type(game)) and not has_own_rules(game)


def is_packaged(game: Game[P, M]) -> bool:
    """Return whether a game's class is one of this package that no file of a user's has given."""
    return type(game).__module__.startswith("solver.") and not game.found_in


def overrides(game: Game[P, M], name: str) -> bool:
    """Return whether a game, or its class, has a method of its own in place of that of `Game`."""
    return getattr(type(game), name) is not getattr(Game, name) or name in game.__dict__


def has_own_rules(game: Game[P, M]) -> bool:
    """Return whether rules were set on a game itself, in place of those of its class."""
    return not PLAIN_RESULTS.keys().isdisjoint(vars(game))


def move_image(game: Game[P, M], symmetry: Symmetry, p: P, m: M) -> M:
    """Return the image of a move: a legal move of the position's image under the symmetry.

    Raises GameLawError if there is none.
    """
    if symmetry.move is not None:
        result: M = symmetry.move(m)
        return result
    image, child = symmetry.position(p), symmetry.position(game.play(p, m))
    for n in game.moves(image):
        if game.play(image, n) == child:
            return n
    raise GameLawError(f"{game.spec}: a symmetry maps the move {m!r} at {p!r} to no legal move")


def start_key(game: Game[P, M]) -> int:
    """Return the key of the canonical starting position."""
    return checked_key(game, game.canonical(game.initial()))


def walk(game: Game[P, M], plies: int, start: P | None = None) -> Iterator[P]:
    """Yield `plies` positions of pseudo-random games, played one after the other from `start`.

    The same rules give the same positions on every machine.
    """
    start = game.initial() if start is None else start
    p, x = start, 1
    for _ in range(plies):
        yield p
        if game.primitive(p) is not None:
            p = start
            continue
        moves = legal_moves(game, p)
        # the linear congruential generator of Knuth's MMIX, whose high bits are the random ones
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        p = game.play(p, moves[(x >> 33) % len(moves)])


def fingerprint(game: Game[P, M]) -> str:
    """Return a hash of the game's name and of its behaviour along a fixed pseudo-random walk.

    It covers the texts, moves and outcomes of 100 positions, so rules that are written differently
    but behave alike have the same fingerprint.
    """
    lines = [game.spec]
    for p in walk(game, 100):
        over = game.primitive(p)
        moves = [] if over is not None else [game.code(m) for m in game.moves(p)]
        lines.append(f"{checked_text(game, p)} {over} {moves}")
    return sha256("\n".join(lines).encode()).hexdigest()
