"""Mapped tables answer as JSON tables do, have the documented format, and detect damage."""

from __future__ import annotations

import json
import math
import os
import random
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

import solver.solving.in_memory
from solver import (
    Game,
    Outcome,
    Table,
    TableAgent,
    TableFormatError,
    UnknownPositionError,
    load_game,
    open_agent,
    solve,
    verify,
)
from solver.games.mnk import Mnk
from solver.rules.game import Numbered, fingerprint
from solver.solving.from_scores import table_entries
from solver.tables.buckets import fill_buckets
from solver.tables.json_table import encode
from solver.tables.mapped_file import BUCKET, MappedFile, TableLayout, choose_layout
from solver.tables.mapped_table import MappedTable
from solver.value import LIMIT, distance, outcome, score
from tests.conftest import Command
from tests.support import oracle
from tests.support.brute import Value
from tests.support.forged import Raw, header_of, raw_of
from tests.support.tables import (
    CUSTOM,
    EACH,
    game_of,
    json_bytes,
    mapped_bytes,
    mapped_table,
    table_path,
)


def value_of(score: int) -> Value:
    return int(outcome(score)), distance(score)


def test_agents_read_either_form_without_a_suffix_and_answer_alike(tmp_path: Path) -> None:
    path, agents = tmp_path / "table", []
    for data, kind in ((mapped_bytes("tictactoe"), MappedTable), (json_bytes("tictactoe"), Table)):
        path.write_bytes(data)
        agents.append(open_agent(table=path))
        assert isinstance(agents[-1].table, kind)
        assert encode(agents[-1].table) == data
    large, small = agents
    for board in sorted(oracle.reachable())[::40]:
        assert large.outcome(board) == small.outcome(board)
        assert large.distance(board) == small.distance(board)
        assert large.scores(board) == small.scores(board)
        assert large.best_move(board) == small.best_move(board)
        assert large.line(board) == small.line(board)
    assert large.scores("OO.XX....", turn="O") == small.scores("OO.XX....", turn="O")
    assert large.outcome("OO.XX....", turn="O") == Outcome.WIN


@pytest.mark.parametrize("name", EACH)
def test_the_description_is_enough_to_read_the_file(name: str) -> None:
    table, reader = mapped_table(name), raw_of(mapped_bytes(name))
    scores = [(table.game.key(p), score) for p, score in table.positions()]
    assert len(dict(scores)) == len(scores) == int(reader.about["canonical"])
    for key, value in scores:
        assert reader.look_up(key) == value_of(value) == value_of(table.probe_key(key))
        assert reader.look_up(key + (1 << reader.number("bits"))) is None
    assert {key for key, _ in reader.entries()} == {key for key, _ in scores}
    start = table.game.key(table.game.canonical(table.game.initial()))
    plies = reader.about["distance"]
    stated = int(reader.about["outcome"]), None if plies == "None" else int(plies)
    assert reader.look_up(start) == stated
    arrays = safetensors.numpy.load_file(table_path(name))
    assert {n: array.tolist() for n, array in arrays.items()} == {
        name: getattr(reader, name) for name in arrays
    }
    with safetensors.safe_open(table_path(name), framework="numpy") as file:
        assert file.metadata() == reader.about


def test_the_example_in_the_description_of_the_format() -> None:
    """See `solver.tables.mapped_file`."""
    keys = [0b00_0001, 0b00_0010, 0b00_1111, 0b10_0011, 0b10_0111, *range(0b11_0000, 0b11_0100)]
    random.Random(0).shuffle(keys)
    layout = TableLayout(entries=9, bits=6, multiplier=1, width=4, limit=127)
    entries = np.array(keys, np.uint64), np.array([127 - key for key in keys], np.int8)
    buffers = fill_buckets([entries], layout, compiled=True)
    codes = {"offsets": "<5I", "remainders": "<9B", "values": "<9b"}
    about = {"bits": "6", "multiplier": "1", "width": "4", "limit": "127"}
    arrays = [list(struct.unpack(code, buffers[name])) for name, code in codes.items()]
    reader = Raw(about, *arrays)
    assert reader.offsets == [0, 3, 3, 5, 9]
    assert reader.bucket_of(0b10_0111) == (7, range(3, 5))
    assert reader.remainders == [1, 2, 15, 3, 7, 0, 1, 2, 3]
    assert reader.values[4] == 88
    assert reader.look_up(0b10_0111) == (1, 39)
    for key in range(64):
        assert reader.look_up(key) == ((1, key) if key in keys else None)


class Bag(Numbered[int]):
    """A game without moves, whose positions are any keys."""

    def __init__(self, first: int) -> None:
        self.first = first

    def initial(self) -> int:
        return self.first

    def moves(self, p: int) -> tuple[int, ...]:
        return ()

    def play(self, p: int, m: int) -> int:
        raise NotImplementedError

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.DRAW


def bagged(scores: dict[int, int]) -> tuple[bytes, MappedTable]:
    """Return the table with these scores under these keys, as a file and opened."""
    game = Bag(next(iter(scores)))
    layout = choose_layout(len(scores), max(scores), max(distance(s) or 0 for s in scores.values()))
    start = scores[game.first]
    counts = ("positions", "canonical", "terminal", "win", "draw", "loss")
    facts = {"game": game.spec, "rules": fingerprint(game), **dict.fromkeys(counts, len(scores))}
    facts |= {"outcome": outcome(start), "distance": distance(start)}
    entries = table_entries(game, scores, scores.values(), layout)
    buffers = fill_buckets([entries], layout)
    data = b"".join(MappedFile(facts, layout, lambda name: [buffers[name]]))
    return data, MappedTable(data, game)


@st.composite
def bags(draw: st.DrawFn) -> dict[int, int]:
    """Draw scores under keys of 1 to 64 bits, scattered or in a row."""
    bits = draw(st.integers(1, 64))
    keys = draw(st.sets(st.integers(0, 2**bits - 1), max_size=60))
    first = draw(st.integers(0, 2**bits - 1))
    step = 1 << draw(st.integers(0, bits - 1))
    row = range(first, min(2**bits, first + step * draw(st.integers(1, 400))), step)
    keys |= set(row)
    most = draw(st.sampled_from([1, 126, 127, LIMIT - 2]))
    generator = random.Random(draw(st.integers(0, 1000)))
    plies = [generator.randint(0, most) for _ in keys]
    return {
        key: score(generator.choice(list(Outcome)), n)
        for key, n in zip(sorted(keys), plies, strict=True)
    }


@given(bags(), st.integers(0, 1000))
@pytest.mark.no_cover
def test_every_key_is_found_and_no_other(scores: dict[int, int], seed: int) -> None:
    data, table = bagged(scores)
    reader, bits, generator = raw_of(data), table.layout.bits, random.Random(seed)
    for key, value in scores.items():
        assert table.probe_key(key) == value
        assert reader.look_up(key) == value_of(value)
    assert dict(table.positions()) == scores
    keys = list(scores)
    generator.shuffle(keys)
    for kind in (np.int32, np.uint32, np.int64, np.uint64):  # every type that fits
        if max(keys) <= np.iinfo(kind).max:
            found = table.probe_many(np.array(keys, kind))
            assert found.dtype == np.int16
            assert found.tolist() == [scores[key] for key in keys]
    near = {key + step for key in keys for step in (-1, 1, 256, 1 << bits, 1 << 64, -1 << bits)}
    near |= {generator.randrange(2**bits) for _ in range(20)}
    for key in near - set(keys):
        with pytest.raises(UnknownPositionError, match=f"the key {key}$"):
            table.probe_key(key)
        if -(2**63) <= key < 2**64:  # the first that is unknown is named
            some = [] if key < 0 else keys[:5]
            with pytest.raises(UnknownPositionError, match=f"the key {key}$"):
                table.probe_many(np.array([*some, key, *some], np.int64 if key < 0 else np.uint64))


@pytest.mark.parametrize(
    ("entries", "buckets"), [(1, 1), (BUCKET, 1), (BUCKET + 1, 2), (2 * BUCKET, 2), (3 * BUCKET, 4)]
)
def test_buckets_are_a_power_of_two_with_few_entries_each(entries: int, buckets: int) -> None:
    assert choose_layout(entries, 2**64 - 1, 1).buckets == buckets


def opens(data: bytes, game: Game[Any, Any] | None = None) -> MappedTable | None:
    """Return the table if it opens, None if it is refused with TableFormatError."""
    try:
        return MappedTable(data, game)
    except TableFormatError:
        return None


def check_damaged(data: bytes, name: str = "tictactoe") -> bool:
    """Return whether a damaged file opens; if so, check its answers and that the proof fails."""
    game = game_of(name)
    table = opens(data, game)
    if table is None:
        return False
    right = MappedTable(mapped_bytes(name), game)
    found = list(right.positions())
    for p, value in found[:: 1 + len(found) // 1000]:
        assert table.probe(p) == value
    with pytest.raises(TableFormatError):
        verify(data, game)
    return True


def with_header(data: bytes, header: Any) -> bytes:
    """Return the file with another header, given as bytes or as an object for JSON."""
    size = int.from_bytes(data[:8], "little")
    text = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":"))
    text = text.encode() if isinstance(text, str) else text
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[8 + size :]


@pytest.mark.parametrize("at", [0, -1])
def test_buckets_that_do_not_cover_the_entries_are_refused(at: int) -> None:
    data = bytearray(mapped_bytes("tictactoe"))
    array = header_of(bytes(data))["offsets"]
    start, stop = (8 + int.from_bytes(data[:8], "little") + n for n in array["data_offsets"])
    data[range(start, stop, (stop - start) // array["shape"][0])[at]] ^= 1
    with pytest.raises(TableFormatError, match="its buckets do not cover its entries"):
        MappedTable(bytes(data))


FOREIGN: list[Any] = [
    *(None, True, 0, -1, 765.0, math.inf, math.nan, [], ["0"], {}, "", " ", "x", "-1", "0", "1"),
    *("2", "7", "64", "65", "127", "16384", "1e3", "9" * 30, "9" * 5000, "None", "nan", "\ud800"),
    *("hexapawn:3x3", "mnk:99999,1,1", "no.py:Game", "os:path", "１", "0x10", "1_8", " 18", "+18"),
]


@pytest.mark.slow
def test_a_damaged_field_of_the_header_is_refused() -> None:
    data = mapped_bytes("tictactoe")
    header = header_of(data)
    for field, right in header["__metadata__"].items():
        for value in FOREIGN:
            if value != right:
                about = header["__metadata__"] | {field: value}
                forged = with_header(data, header | {"__metadata__": about})
                opens(forged)  # also with the game that it names
                check_damaged(forged)


def test_a_damaged_array_in_the_header_is_refused() -> None:
    data = mapped_bytes("tictactoe")
    header = header_of(data)
    foreign = [*FOREIGN, "U8", "U16", "I8", [0], [765, 1], [-1], [0, 516], [516, 0], [2**70]]
    changed = [header | {"more": header["values"]}]
    for array in ("offsets", "remainders", "values"):
        entry = header[array]
        changed += [header | {array: value} for value in foreign]
        changed += [header | {array: entry | {f: value}} for f in entry for value in foreign]
        changed += [header | {array: {n: entry[n] for n in entry if n != f}} for f in entry]
        less = {name: value for name, value in header.items() if name != array}
        changed += [less, less | {array: entry}]  # missing, or in another place
    for other in changed:
        if [*other.items()] != [*header.items()]:
            assert not check_damaged(with_header(data, other))


@pytest.mark.parametrize(
    "header",
    [
        *(b"", b"{}", b"[]", b"null", b"{", b"{}{}", b"NaN", b"\xff\xfe", b"\0" * 8),
        *(b"[" * 60_000, b'{"__metadata__":' * 3000, b'{"__metadata__":null}', b" " * 70_000),
        *(b'{"__metadata__":{"format":"perfectplay table"}}', b'{"a":1' + b"0" * 5000 + b"}"),
    ],
    ids=lambda header: repr(header[:30]),
)
def test_hostile_headers_are_refused(header: bytes) -> None:
    assert opens(with_header(mapped_bytes("tictactoe"), header)) is None


def test_the_length_of_the_header_must_fit_the_file() -> None:
    data = mapped_bytes("tictactoe")
    size = 8 + int.from_bytes(data[:8], "little")
    with pytest.raises(TableFormatError, match="truncated or extended"):
        MappedTable(data[:size])
    with pytest.raises(TableFormatError, match="the length of its header is impossible"):
        MappedTable(data[: size - 1])
    with pytest.raises(TableFormatError, match="damaged"):
        MappedTable(b"\2" + bytes(7) + b"{}")
    for short in (b"", b"\2", b"\1" + bytes(7) + b"{}"):
        with pytest.raises(TableFormatError, match="the length of its header is impossible"):
            MappedTable(short)


@pytest.mark.slow
def test_truncated_and_extended_files_are_refused(tmp_path: Path) -> None:
    """Truncated at every 97th byte, and at each of the last ones."""
    for name in ("tictactoe", "hexapawn:4x4", CUSTOM):
        data, game = mapped_bytes(name), game_of(name)
        for length in {*range(0, len(data), 97), *range(len(data) - 20, len(data))}:
            assert opens(data[:length], game) is None, length
        for more in (b"\0", b"{}", bytes(4096), data):
            assert opens(data + more, game) is None
    with pytest.raises(TableFormatError, match="truncated or extended: it has 3,436 bytes"):
        MappedTable(mapped_bytes("tictactoe") + b"\0")


@pytest.mark.slow
def test_a_look_up_survives_changed_bytes_of_the_arrays() -> None:
    """Only the proof detects all of them; a look-up answers, or raises a documented error."""
    data, game = mapped_bytes("tictactoe"), game_of("tictactoe")
    right = MappedTable(data)
    keys = [right.game.key(p) for p, _ in right.positions()]
    start = 8 + int.from_bytes(data[:8], "little")
    damaged, generator, opened = bytearray(data), random.Random(0), 0
    for place in [*range(start, start + 516, 6), *generator.sample(range(start, len(data)), 60)]:
        damaged[place] ^= generator.randrange(1, 256)
        table = opens(bytes(damaged), game)
        if table is not None:
            opened += 1
            for key in keys[::9]:
                with suppress(UnknownPositionError, TableFormatError):
                    assert abs(table.probe_key(key)) <= LIMIT + 1
            for part in (keys[:100], keys[-100:]):
                with suppress(UnknownPositionError, TableFormatError):
                    table.probe_many(np.array(part))
        with pytest.raises((TableFormatError, ValueError)):
            verify(bytes(damaged), game)
        damaged[place] = data[place]
    assert opened > 100


def test_tables_of_other_rules_are_refused() -> None:
    data = mapped_bytes("tictactoe")
    with pytest.raises(TableFormatError, match="made for other rules"):
        MappedTable(data, Mnk(3, 3, 3, misere=True))

    class Reversed(Mnk):
        def moves(self, p: int) -> list[int]:
            return super().moves(p)[::-1]

    with pytest.raises(TableFormatError, match="table's rules is"):
        MappedTable(data, Reversed(3, 3, 3))
    with pytest.raises(TableFormatError, match="of a custom game"):
        MappedTable(mapped_bytes(CUSTOM))
    header = header_of(data)
    header["__metadata__"]["version"] = "1"
    with pytest.raises(TableFormatError, match="'1'; this program reads '2': solve the game again"):
        MappedTable(with_header(data, header))
    wrong: Any = "tictactoe"
    with pytest.raises(TypeError, match="as returned by load_game"):
        MappedTable(data, wrong)


@pytest.mark.slow
def test_a_table_is_never_written_to(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(mapped_bytes("tictactoe"))
    os.chmod(path, 0o444)
    before = path.stat()
    table = MappedTable.open(path)
    for view in table.arrays.values():
        with pytest.raises(TypeError):
            view[0] = 1
    agent = TableAgent(table)
    assert agent.line("X...O....")
    verify(path.read_bytes())
    agent.best_moves(np.zeros((1, 9), np.int8))
    assert path.read_bytes() == mapped_bytes("tictactoe")
    after = path.stat()
    assert (after.st_mtime_ns, after.st_mode) == (before.st_mtime_ns, before.st_mode)


@pytest.mark.no_cover
def test_the_file_name_chooses_the_form(command: Command, tmp_path: Path) -> None:
    """A game too large for JSON by default can be written as JSON, and a small one mapped."""
    name = "connect4:3x3,3"
    with command.monkeypatch.context() as patch:
        patch.setattr(solver.solving.in_memory, "SMALL", 100)
        assert isinstance(solve(load_game(name)), MappedTable)
        command.json("solve", name, "-o", "x.json", "--method", "search")
    data = (tmp_path / "x.json").read_bytes()
    small = {text: entry[:2] for text, entry in json.loads(data)["entries"].items()}
    large = MappedTable(mapped_bytes(name))
    assert small == {large.game.text(p): list(value_of(score)) for p, score in large.positions()}
    assert verify(data).canonical == len(small) == large.counts["canonical"]
    assert not (tmp_path / "x.json.work").exists()
    facts = command.json("solve", "tictactoe", "-o", "x.safetensors")
    assert (tmp_path / "x.safetensors").read_bytes() == mapped_bytes("tictactoe")
    assert facts["sha256"] == raw_of(mapped_bytes("tictactoe")).about["sha256"]


@pytest.mark.slow
def test_solved_tables_are_found_in_either_form(command: Command, tmp_path: Path) -> None:
    """Mapped tables are stored beside JSON ones, where the commands find them."""
    command.monkeypatch.setattr(solver.solving.in_memory, "SMALL", 100)
    for name in ("hexapawn:3x3", "nim:9,9,9"):
        command.json("solve", name)
    files = {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()}
    assert files == {
        "hexapawn-3x3.json": json_bytes("hexapawn:3x3"),
        "nim-9,9,9.safetensors": mapped_bytes("nim:9,9,9"),
    }
    assert command.json("best", "--game", "hexapawn:3x3")["distance"] == 6
    assert command.json("best", "--game", "nim:9,9,9")["distance"] == 19
