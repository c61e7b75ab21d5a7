"""Books: their file, their keys, and what is said of damaged ones."""

from __future__ import annotations

import json
import sys
import zlib
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.checkers.verify_book import prove_book
from scripts.book import BookMaker, encode_book
from solver import TableFormatError, TableProofError, load_game
from solver.rules.game import fingerprint
from solver.tables.book import Book, open_book, open_positions
from solver.tables.format import NO_HASH, replace_hash
from solver.tables.store import shipped_directory
from tests.support.properties import examples
from tests.support.tables import mapped_table

SIZE, DEPTH = "connect4:4x4", 5


@cache
def book_bytes() -> bytes:
    """Return a book whose scores come from a whole table."""
    game: Any = load_game(SIZE)
    table = mapped_table(SIZE)
    plies = []
    for keys in islice(open_positions(game), DEPTH + 1):
        scores = [table.probe(game.position(key)) for key in keys]
        near = [s - 16257 if s > 0 else s + 16257 if s < 0 else 0 for s in scores]  # 127 for 2**14
        plies.append(bytes(n & 255 for n in near))
    return encode_book(game, plies)


def test_a_book_has_the_scores_of_its_plies() -> None:
    game, book, table = load_game(SIZE), Book(book_bytes()), mapped_table(SIZE)
    assert book.depth == DEPTH
    assert book.game.spec == SIZE
    for ply in range(DEPTH + 1):
        for key in book.keys(ply):
            p = game.position(key)
            assert book.score(p) == table.probe(p)


def test_positions_outside_a_book() -> None:
    game: Any = load_game(SIZE)
    book = Book(book_bytes())
    assert book.score(game.canonical(game.parse("111122"))) is None  # beyond the last ply
    assert book.score(game.canonical(game.parse("1122334"))) is None


@pytest.mark.parametrize("name", ["connect4:4x4", "connect4:5x4", "connect4:7x6", "connect4:2x2,2"])
def test_keys_without_numba_are_those_with_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game(name)
    compiled = [list(keys) for keys in islice(open_positions(game), 5)]
    monkeypatch.setitem(sys.modules, "solver.games.connect4_kernel", None)
    assert [list(keys) for keys in islice(open_positions(game), 5)] == compiled
    assert compiled[0] == [game.key(game.initial())]


@examples(200)
@given(st.data())
def test_a_damaged_book_is_refused(data: st.DataObject) -> None:
    whole = book_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    kind = data.draw(st.sampled_from(["flip", "cut", "insert"]))
    if kind == "flip":
        damaged = bytearray(whole)
        damaged[place] ^= 1 << data.draw(st.integers(0, 7))
    else:
        damaged = bytearray(whole[:place] + (b"x" + whole[place:] if kind == "insert" else b""))
    with pytest.raises(TableFormatError):
        Book(bytes(damaged))


def replaced(**fields: Any) -> bytes:
    """Return the book with other fields in its header."""
    head, _, rest = book_bytes().partition(b"\n")
    return json.dumps(json.loads(head) | fields, separators=(",", ":")).encode() + b"\n" + rest


@pytest.mark.every
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"format": "perfectplay table"}, "not a book"),
        ({"version": 2}, "version is 2"),
        ({"game": "connect4:5x4"}, "made for other rules"),
        ({"game": "chess"}, "game is unknown|custom game"),
        ({"rules": "0" * 64}, "made for other rules"),
        ({"plies": []}, "numbers of positions"),
        ({"plies": [1, -3]}, "numbers of positions"),
        ({"plies": "many"}, "numbers of positions"),
        ({"sha256": "x"}, "64 hexadecimal digits"),
        ({"sha256": None}, "not texts"),
        ({"sha256": "0" * 64}, "altered or truncated"),
        ({"more": 1}, "not a book"),
    ],
)
def test_headers_that_are_refused(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(TableFormatError, match=reason):
        Book(replaced(**fields))


def forged(counts: list[int], scores: bytes, game: str = "connect4:7x6") -> bytes:
    """Return a book with the right hash that states these numbers of positions."""
    fields = json.loads(book_bytes().partition(b"\n")[0])
    fields |= {"game": game, "rules": fingerprint(load_game(game)), "plies": counts}
    fields["sha256"] = NO_HASH
    data = json.dumps(fields, separators=(",", ":")).encode() + b"\n" + zlib.compress(scores)
    return replace_hash(data, NO_HASH, sha256(data).hexdigest())


@pytest.mark.parametrize("count", [2**70, 2**62, 10**6, 10**4290])
def test_a_book_cannot_state_more_than_its_file_can_have(count: int) -> None:
    for counts in ([1, count], [count] * 14):
        with pytest.raises(TableFormatError, match="more positions than a file of its size"):
            Book(forged(counts, bytes(100)))


def test_the_shipped_book_has_the_known_value_of_the_game() -> None:
    """James D. Allen and Victor Allis, 1988; the scores by column: John Tromp."""
    book = open_book(f"{shipped_directory()}/connect4-7x6.book")
    game: Any = book.game
    start = game.initial()
    assert game.spec == "connect4:7x6"
    assert book.score(start) == 2**14 - 41
    after = [book.score(game.canonical(game.play(start, m))) for m in range(7)]
    assert after == [2**14 - 39, 2**14 - 41, 0, 40 - 2**14, 0, 2**14 - 41, 2**14 - 39]


def test_making_a_book_gives_the_same_bytes(tmp_path: Path) -> None:
    maker = BookMaker(load_game(SIZE), DEPTH, str(tmp_path / "x.work"))
    with maker.work:
        assert maker.make(2, lambda done, total: None) == book_bytes()


@pytest.mark.large
def test_a_book_is_proved_by_another_search_and_a_wrong_score_is_not() -> None:
    data = book_bytes()
    book = Book(data)
    assert prove_book(data).positions == sum(map(len, book.plies))
    assert {n == 0 for n in book.plies[-1]} == {True, False}  # draws, and others
    for index in range(0, len(book.plies[-1]), 97):
        plies = [bytes(ply) for ply in book.plies]
        score = plies[-1][index]
        wrong = bytes([score - 1 if score > 1 else 126])
        plies[-1] = plies[-1][:index] + wrong + plies[-1][index + 1 :]
        with pytest.raises(TableProofError, match="the book has .*, but it is"):
            prove_book(encode_book(book.game, plies))
