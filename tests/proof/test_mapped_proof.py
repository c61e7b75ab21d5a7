"""The proof of mapped tables accepts right ones and no others, with a kernel and without."""

from __future__ import annotations

import json
import mmap
import random
import re
import struct
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest

from solver import Game, TableFormatError, TableProofError, load_game, verify
from tests.support import graphs
from tests.support.brute import Value
from tests.support.forge import HEADERS, MAPPED, NAMES, VALUES
from tests.support.forged import REFUSED, Raw, forge, raw_of, rehash
from tests.support.forger import Forger, Kind
from tests.support.mutations import all_values, flipped, overlapping, replaced
from tests.support.proving import as_score, forged, prove_by
from tests.support.tables import EACH, game_of, json_bytes, mapped_bytes, table_path


@pytest.fixture(params=["kernel", "plain"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    return prove_by(request.param, monkeypatch)


@cache
def small_raw(name: str) -> Raw:
    return raw_of(mapped_bytes(name))


def assert_refused(raw: Raw, game: Game[Any, Any]) -> None:
    """Check that the proof fails although the hash is right."""
    with pytest.raises(REFUSED):
        verify(forge(raw), game)


@pytest.mark.parametrize("name", EACH)
@pytest.mark.thinned(5, 4)
@pytest.mark.slow
def test_right_tables_are_proved(mode: str, name: str) -> None:
    game, data = game_of(name), mapped_bytes(name)
    proof = verify(data, game)
    about = raw_of(data).about
    assert proof.game == about["game"] == game.spec
    for field in ("positions", "canonical", "terminal", "win", "draw", "loss", "outcome"):
        assert int(getattr(proof, field)) == int(about[field])
    assert proof.positions == proof.win + proof.draw + proof.loss
    assert str(proof.distance) == about["distance"]
    assert (proof.rules, proof.sha256) == (about["rules"], about["sha256"])
    small = verify(json_bytes(name), game)
    assert small._replace(sha256="", by="") == proof._replace(sha256="", by="")


@pytest.mark.no_cover
def test_progress_is_reported(mode: str) -> None:
    reported: list[tuple[int, int]] = []
    verify(mapped_bytes("tictactoe"), progress=lambda done, total: reported.append((done, total)))
    assert reported[-1] == (5478, 5478)
    assert reported == sorted(reported)


@pytest.mark.slow
def test_a_memory_map_can_be_proved() -> None:
    path = table_path("tictactoe")
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        assert verify(data) == verify(mapped_bytes("tictactoe"))


@cache
def forger(name: str) -> Forger:
    return Forger(load_game(name), mapped_bytes(name))


@pytest.mark.parametrize(
    "kind", dict.fromkeys((*VALUES, *HEADERS, *MAPPED)), ids=lambda kind: kind.__name__
)
@pytest.mark.thinned(2)
def test_every_kind_of_forgery_is_refused(mode: str, kind: Kind) -> None:
    generator, found = random.Random(kind.__name__), 0
    for name in NAMES:
        for data in {kind(forger(name), generator) for _ in range(5)} - {forger(name).plain}:
            if data is not None:
                found += 1
                with pytest.raises(REFUSED):
                    verify(data, load_game(name))
                with pytest.raises(TableFormatError):
                    verify(data[:-1] + bytes([data[-1] ^ 1]), load_game(name))
    assert found


@pytest.mark.thinned(2)
@pytest.mark.slow
def test_a_missing_entry_is_named(mode: str) -> None:
    game, raw = load_game("hexapawn:3x3"), small_raw("hexapawn:3x3")
    entries = raw.entries()
    start = game.key(game.canonical(game.initial()))
    for place in range(0, len(entries), 9):
        key = entries[place][0]
        text = re.escape(repr(game.text(game.position(key))))
        message = f"the entry for {text} is missing|no entry for the starting position"
        with pytest.raises(TableFormatError if key == start else TableProofError, match=message):
            verify(forge(raw.with_entries(entries[:place] + entries[place + 1 :])), game)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect4:3x4,3", "mnk:4,2,3", "hexapawn:5x3"])
@pytest.mark.thinned(5)
def test_overlapping_buckets_are_refused(mode: str, name: str) -> None:
    """Every look-up in such a table finds the right value; only the order of buckets is wrong."""
    tables = overlapping(small_raw(name))
    assert tables
    for raw in tables[:: -(-len(tables) // 2)]:
        with pytest.raises(TableProofError, match="the entries of bucket .* are not in order"):
            verify(forge(raw), load_game(name))


COUNTS = {"positions": 5478, "terminal": 958, "win": 2836, "loss": 1574}  # which are named


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("outcome", "1"), ("distance", "3"), ("rules", ""), ("version", "1"), ("version", "2.0")),
        *(("format", "perfectplay"), ("canonical", "766"), ("limit", "128"), ("bits", "0")),
        *(("game", name) for name in ("mnk:3,3,3,misere", "mnk:3,3,3", "connect4:4x4", "no game")),
        *((field, str(n)) for field, held in COUNTS.items() for n in (0, held + 1)),
    ],
)
def test_wrong_fields_in_the_header_are_refused(mode: str, field: str, value: str) -> None:
    raw = small_raw("tictactoe")
    message = f"'{field}' is {value}; it should be {COUNTS[field]}" if field in COUNTS else None
    with pytest.raises(REFUSED, match=message):
        verify(forge(raw._replace(about=raw.about | {field: value})))


def other_layouts(raw: Raw) -> Iterator[Raw]:
    """Yield tables with the same values, all in order, in other layouts."""
    entries, bits, width = raw.entries(), raw.number("bits"), raw.number("width")
    multiplier = raw.number("multiplier")
    for other in (1, 3, multiplier - 2, 2**bits - 1):
        if 0 < other < 2**bits and other != multiplier:
            yield raw.with_entries(entries, multiplier=other)
    for other in (8, width - 1, width + 1, bits, 64):
        if other >= 8 and other != width:
            yield raw.with_entries(entries, width=other)
    for other in (bits + 1, bits + 4):
        yield raw.with_entries(entries, bits=other)
        yield raw.with_entries(entries, bits=other, width=width + other - bits)
    lead = 2**14 - 127
    wide = [(key, (value > 0) * lead - (value < 0) * lead + value) for key, value in entries]
    yield raw.with_entries(wide, limit=2**14)


@pytest.mark.parametrize("name", ["nim:1,2,3", "tictactoe", "connect4:3x3,3", "hexapawn:3x3"])
@pytest.mark.thinned(7)
@pytest.mark.no_cover
def test_other_layouts_of_the_right_values_are_refused(mode: str, name: str) -> None:
    """Otherwise a game could have two right tables with different hashes."""
    found = list(other_layouts(small_raw(name)))
    assert len(found) > 8
    for raw in found:
        assert_refused(raw, load_game(name))


@pytest.mark.slow
@pytest.mark.thinned(2)
def test_other_spellings_of_the_header_are_refused(mode: str) -> None:
    data = mapped_bytes("tictactoe")
    assert rehash(data) == data
    size = int.from_bytes(data[:8], "little")
    text, body = data[8 : 8 + size].rstrip().decode(), data[8 + size :]
    header = json.loads(text)
    spellings = [
        text + " " * 64,
        text.replace(":", ": ", 1),
        text.replace("tictactoe", "\\u0074ictactoe"),
        json.dumps(header, separators=(",", ":"), indent=1),
        text.replace('"version"', '"version":"1","version"', 1),
        text.replace('"dtype":"U32"', '"dtype":"I8","dtype":"U32"', 1),
        text.replace("[765]", "[765.0]", 1),
        json.dumps({n: header[n] for n in reversed(header)}, separators=(",", ":")),
    ]
    for spelling in spellings:
        padded = spelling + " " * (-len(spelling) % 8)
        other = rehash(struct.pack("<Q", len(padded)) + padded.encode() + body)
        assert other != data
        with pytest.raises(REFUSED):
            verify(other)


def test_a_wrong_hash_is_named() -> None:
    raw = small_raw("tictactoe")
    for claimed in ("0" * 64, "f" * 64, raw.about["sha256"].upper(), raw.about["sha256"][:-1], ""):
        changed = raw._replace(about=raw.about | {"sha256": claimed})
        with pytest.raises(TableFormatError, match="altered|64 hexadecimal digits"):
            verify(forge(changed, rehashed=False))


def in_words(value: int) -> str:
    if not value:
        return "a draw"
    return f"a {'win' if value > 0 else 'loss'} in {127 - abs(value)}"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexapawn:3x3", "connect4:3x3,3", "tictactoe"])
@pytest.mark.parametrize("count", [1, 20])
@pytest.mark.thinned(3)
def test_a_wrong_entry_is_named_with_the_right_value(mode: str, name: str, count: int) -> None:
    """Not one of its parents, which are right but do not fit it, nor what fits wrong entries."""
    game, raw, generator = load_game(name), small_raw(name), random.Random(name)
    keys = [key for key, _ in raw.entries()]
    texts = {game.text(game.position(key)): place for place, key in enumerate(keys)}
    start = game.key(game.canonical(game.initial()))
    for _ in range(6):
        changed = raw
        for place in generator.sample([i for i, key in enumerate(keys) if key != start], count):
            changed = replaced(changed, place, flipped(generator, raw.values[place]))
        with pytest.raises(TableProofError) as caught:
            verify(forge(changed), game)
        named = re.fullmatch(r"the entry for '(.*)' is (.*); it should be (.*)", str(caught.value))
        assert named
        wrong, right = changed.values[texts[named[1]]], raw.values[texts[named[1]]]
        assert wrong != right
        assert (named[2], named[3]) == (in_words(wrong), in_words(right))


# Games with cycles; see also tests/solving/test_steps_tiered.py


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "case",
    [*graphs.ALL[:2], pytest.param(graphs.ALL[3], marks=pytest.mark.campaign)],
    ids=lambda case: str(case[0].edges),
)
def test_of_all_tables_of_a_graph_one_passes(case: tuple[graphs.Graph, dict[str, Value]]) -> None:
    """However wrong entries support each other."""
    game, worths = case
    passed = []
    for claims in product(all_values(3), repeat=len(worths)):
        claimed = dict(zip(worths, claims, strict=True))
        try:
            verify(forged(game, {node: as_score(worth) for node, worth in claimed.items()}), game)
        except TableProofError:
            continue
        passed.append(claimed)
    assert passed == [worths]
