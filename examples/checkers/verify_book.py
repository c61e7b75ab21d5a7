"""Prove a book of Connect 4: its positions, its last ply by another search, and minimax above that.

    python -m examples.checkers.verify_book                    the shipped book, which takes hours
    python -m examples.checkers.verify_book BOOK --sample 20   20 positions of its last ply

All that is proved follows from the rules. The positions of each ply are found anew with the rules
in Python. The scores of the last ply, or of a random sample of it, are compared with those of a
plainer search that shares no code with the one that made the book. Every other score is the best of
those of the moves. So if the whole last ply is searched, the whole book is proved; after a sample,
only that the rest follows from the last ply.

Exits with 0 and a line that begins with "proved"; with 1 and one that names a wrong score; with 2
if the file cannot be read.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from solver.errors import TableFormatError, TableProofError, needs_extra
from solver.games.connect4 import Connect4
from solver.rules.game import Game
from solver.tables.book import Book
from solver.tables.store import shipped_directory
from solver.value import Outcome

NEAR = 127  # a stored score is this minus the distance
Value = tuple[int, int]  # outcome and distance, 0 for a draw


class BookProof(NamedTuple):
    """What has been proved of a book."""

    game: str
    depth: int
    positions: int
    """Positions of all plies, all of which were compared with the rules."""
    searched: int
    """Positions of the last ply whose scores were proved by search."""
    last: int
    """Positions of the last ply."""
    outcome: Outcome
    distance: int | None
    sha256: str

    @property
    def complete(self) -> bool:
        """Whether every score was proved."""
        return self.searched == self.last


def prove_book(
    data: bytes,
    game: Game[Any, Any] | None = None,
    sample: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> BookProof:
    """Prove a book, given its file's bytes, or all but the part of the last ply not in a sample.

    Raises TableFormatError if the bytes are not a book or its game is not Connect 4, and
    TableProofError, which names the first wrong position, its value and the right one. `progress`
    is called with the number of positions searched and their total.
    """
    book = Book(data, game)
    rules = book.game
    if not isinstance(rules, Connect4) or rules.k != 4:
        raise TableFormatError(f"only books of Connect 4 can be proved, not of {rules.spec}")
    values: dict[Any, Value] = {}
    last: list[int] = []
    for ply, (stored, last) in enumerate(zip(book.plies, _plies(rules), strict=False)):
        if len(last) != len(stored):
            raise TableProofError(
                f"ply {ply} has {len(stored):,} positions, but by the rules {len(last):,}"
            )
        values |= {p: _value(byte) for p, byte in zip(last, stored, strict=True)}
    chosen = last if sample is None else _sample(last, sample, seed)
    for p in [*values][: -len(last)]:
        _compare(rules, p, values[p], _best(rules, p, values))
    _search(rules, chosen, values, progress)
    outcome, distance = values[rules.canonical(rules.initial())]
    return BookProof(
        rules.spec,
        book.depth,
        len(values),
        len(chosen),
        len(last),
        Outcome(outcome),
        distance or None,
        book.sha256,
    )


def _plies(rules: Connect4) -> Iterator[list[int]]:
    """Yield the canonical open positions of each ply, in the order of their keys, without end."""
    ply = [rules.canonical(rules.initial())]
    while True:
        yield ply
        after = {rules.canonical(rules.play(p, m)) for p in ply for m in rules.moves(p)}
        ply = sorted((p for p in after if rules.primitive(p) is None), key=rules.key)


def _value(byte: int) -> Value:
    """Return the value that a byte stands for."""
    return ((byte > 0) - (byte < 0), NEAR - abs(byte) if byte else 0)


def _sample(positions: list[int], size: int, seed: int) -> list[int]:
    return random.Random(seed).sample(positions, min(size, len(positions)))


def _best(rules: Connect4, p: int, values: dict[Any, Value]) -> Value:
    """Return the value of a position by those of its moves: soonest win, draw, or latest loss."""
    found = []
    for m in rules.moves(p):
        after = rules.play(p, m)
        over = rules.primitive(after)
        outcome, distance = values[rules.canonical(after)] if over is None else (int(over), 0)
        found.append((-outcome, distance + 1 if outcome else 0))
    return max(found, key=lambda value: (value[0], -value[0] * value[1]))


def _search(
    rules: Connect4,
    positions: list[int],
    values: dict[Any, Value],
    progress: Callable[[int, int], None],
) -> None:
    """Compare positions with the plain search."""
    with needs_extra("the search of the last ply", "fast"):
        from examples.checkers.plain_connect4 import PlainSearch
    search = PlainSearch(rules.columns, rules.rows)
    squares = rules.columns * rules.rows
    for done, p in enumerate(positions):
        progress(done, len(positions))
        first, second = rules.split(p)
        stones = (first | second).bit_count()
        found = search.value(*((second, first) if stones % 2 else (first, second)))
        outcome = (found > 0) - (found < 0)
        distance = squares - stones + 1 - abs(found) if found else 0
        _compare(rules, p, values[p], (outcome, distance))
    progress(len(positions), len(positions))


def _compare(rules: Connect4, p: int, stored: Value, right: Value) -> None:
    """Raise TableProofError unless a stored value is the right one."""
    if stored != right:
        raise TableProofError(
            f"the book has {_words(stored)} for {rules.text(p)}, but it is {_words(right)}"
        )


def _words(value: Value) -> str:
    outcome, distance = value
    return f"{Outcome(outcome)} in {distance}" if outcome else "draw"


def main() -> None:
    """Prove the book that the arguments name."""
    parser = argparse.ArgumentParser(description="Prove a book of Connect 4.")
    parser.add_argument(
        "book", metavar="BOOK", nargs="?", default=f"{shipped_directory()}/connect4-7x6.book"
    )
    parser.add_argument("--sample", type=int, help="search only so many positions of the last ply")
    parser.add_argument("--seed", type=int, default=0, help="draw other positions")
    chosen = parser.parse_args()
    try:
        found = prove_book(Path(chosen.book).read_bytes(), None, chosen.sample, chosen.seed)
    except (TableFormatError, TableProofError) as error:
        parser.exit(1, f"verify_book: {chosen.book}: {error}\n")
    except (OSError, ValueError, ImportError) as error:
        parser.exit(2, f"verify_book: {error}\n")
    scores = f"{found.searched:,} of the {found.last:,} scores of the last ply"
    rest = "all earlier scores follow from the last ply"
    print(f"proved {chosen.book}, {found.game}: {scores}, and that {rest}")


if __name__ == "__main__":
    main()
