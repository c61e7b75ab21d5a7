"""The proof of mapped tables: it passes right ones and no other, with a kernel and without."""

from __future__ import annotations

import hashlib
import json
import random
import re
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given

import solver.proof.mapped_proof
import solver.solving.solve
import solver.tables.mapped_table
from solver import (
    Game,
    KernelError,
    Table,
    TableFormatError,
    TableProofError,
    load_game,
    solve,
    verify,
)
from solver.games.mnk import Mnk
from solver.games.mnk_kernel import MnkKernel
from solver.rules.check_kernel import find_kernel
from solver.rules.game import fingerprint
from solver.rules.kernel import Kernel
from solver.tables.mapped_file import MappedFile
from solver.tables.mapped_table import MappedTable
from solver.value import distance, outcome, score
from tests.conftest import Command
from tests.solving.test_methods import random_graphs, value_iteration
from tests.support import graphs
from tests.support.properties import examples
from tests.tables.test_mapped_table import ALL, BUILT_IN, OWN, game_of, mapped_bytes, solved_bytes

REFUSED = (TableProofError, TableFormatError)
Worth = tuple[int, int | None]
SMALL = ("tictactoe", "connect4:3x3,3", "hexapawn:3x3", "nim:1,2,3")


@cache
def checked_kernel(spec: str) -> tuple[Kernel | None, str]:
    return find_kernel(load_game(spec))


@cache
def known_fingerprint(spec: str) -> str:
    return fingerprint(load_game(spec))


@pytest.fixture(params=["kernel", "plain"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Prove with the game's kernel, compared with its rules once; or in plain Python.

    Fingerprints are remembered, since they would take most of the time.
    """
    kind: str = request.param

    def find(game: Game[Any, Any]) -> tuple[Kernel | None, str]:
        if kind == "plain" or "tests" in game.spec:  # a game of the tests has no kernel
            return None, ""
        return checked_kernel(game.spec)

    def remember(game: Game[Any, Any]) -> str:
        return fingerprint(game) if "tests" in game.spec else known_fingerprint(game.spec)

    monkeypatch.setattr(solver.proof.mapped_proof, "find_kernel", find)
    monkeypatch.setattr(solver.proof.mapped_proof, "fingerprint", remember)
    monkeypatch.setattr(solver.tables.mapped_table, "fingerprint", remember)
    return kind


class Raw(NamedTuple):
    """What a file holds, taken apart and put together by its description alone."""

    about: dict[str, str]
    offsets: list[int]
    remainders: list[int]
    values: list[int]

    def number(self, name: str) -> int:
        return int(self.about[name])

    def entries(self) -> list[tuple[int, int]]:
        """Return every key with its value."""
        bits, width = self.number("bits"), self.number("width")
        inverse = pow(self.number("multiplier"), -1, 2**bits)
        mixed = (
            bucket << width | self.remainders[place]
            for bucket in range(len(self.offsets) - 1)
            for place in range(*self.offsets[bucket : bucket + 2])
        )
        return [(k * inverse % 2**bits, v) for k, v in zip(mixed, self.values, strict=True)]

    def holding(self, entries: list[tuple[int, int]], **about: Any) -> Raw:
        """Return the table with other entries, and changes of its header."""
        told = self.about | {"canonical": str(len(entries))}
        told |= {name: str(value) for name, value in about.items()}
        bits, width = int(told["bits"]), int(told["width"])
        mixed = sorted((key * int(told["multiplier"]) % 2**bits, value) for key, value in entries)
        sizes = Counter(key >> width for key, _ in mixed)
        offsets = [0]
        for bucket in range(2 ** max(0, bits - width)):
            offsets.append(offsets[-1] + sizes[bucket])
        return Raw(told, offsets, [key % 2**width for key, _ in mixed], [v for _, v in mixed])


CODES = {"U8": "B", "U16": "H", "U32": "I", "U64": "Q", "I8": "b", "I16": "h"}


def taken_apart(data: bytes) -> Raw:
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    arrays = {}
    for name in ("offsets", "remainders", "values"):
        entry = header[name]
        code = f"<{entry['shape'][0]}{CODES[entry['dtype']]}"
        arrays[name] = list(struct.unpack_from(code, data, 8 + size + entry["data_offsets"][0]))
    return Raw(header["__metadata__"], **arrays)


def forge(raw: Raw, rehashed: bool = True) -> bytes:
    """Return a file laid out as ours, with any content and the right hash."""
    width = next(n for n in (8, 16, 32, 64) if raw.number("width") <= n)
    kinds = {
        "offsets": "U32",
        "remainders": f"U{width}",
        "values": "I8" if raw.about["limit"] == "127" else "I16",
    }
    header: dict[str, Any] = {"__metadata__": dict(raw.about)}
    body = b""
    for name in sorted(kinds, key=lambda name: (-int(kinds[name][1:]), name)):
        column: list[int] = getattr(raw, name)
        packed = struct.pack(f"<{len(column)}{CODES[kinds[name]]}", *column)
        header[name] = {
            "dtype": kinds[name],
            "shape": [len(column)],
            "data_offsets": [len(body), len(body) + len(packed)],
        }
        body += packed
    claimed = raw.about["sha256"]
    if rehashed:
        header["__metadata__"]["sha256"] = "0" * 64
        claimed = hashlib.sha256(lengthened(header) + body).hexdigest()
    header["__metadata__"]["sha256"] = claimed
    return lengthened(header) + body


def lengthened(header: dict[str, Any]) -> bytes:
    text = json.dumps(header, separators=(",", ":"))
    text += " " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text.encode()


def rehash(data: bytes) -> bytes:
    """Return the file with the right hash, worked out as its description says."""
    field = b'"sha256":"'
    start = data.index(field) + len(field)
    blank = data[:start] + b"0" * 64 + data[start + 64 :]
    return data[:start] + hashlib.sha256(blank).hexdigest().encode() + data[start + 64 :]


@cache
def small_bytes(name: str) -> bytes:
    return mapped_bytes(name) if name in ALL else solved_bytes(load_game(name))


@cache
def small_raw(name: str) -> Raw:
    return taken_apart(small_bytes(name))


def refuses(raw: Raw, game: Game[Any, Any]) -> None:
    """The proof must fail, whatever the hash."""
    with pytest.raises(REFUSED):
        verify(forge(raw), game)


# Right tables


@pytest.mark.no_cover  # measuring coverage would take four times as long
@pytest.mark.parametrize("name", ALL)
def test_right_tables_are_proved(mode: str, name: str) -> None:
    game, data = game_of(name), mapped_bytes(name)
    if mode == "kernel" and name != OWN:
        assert (checked_kernel(name)[0] is None) == name.startswith("hexapawn")
    proof = verify(data, game)
    about = taken_apart(data).about
    assert proof.game == about["game"] == game.spec
    for field in ("positions", "canonical", "terminal", "win", "draw", "loss", "outcome"):
        assert int(getattr(proof, field)) == int(about[field])
    assert proof.positions == proof.win + proof.draw + proof.loss
    assert str(proof.distance) == about["distance"]
    assert (proof.rules, proof.sha256) == (about["rules"], about["sha256"])


def test_what_is_proved_is_what_is_known(known: dict[str, Any]) -> None:
    proof, counts = verify(mapped_bytes("tictactoe")), known["tictactoe"]
    assert proof.positions == sum(counts["positions_by_ply"])
    assert proof.canonical == sum(counts["canonical_by_ply"])
    assert {"win": proof.win, "draw": proof.draw, "loss": proof.loss} == counts["side_to_move"]


@pytest.mark.parametrize("name", [name for name in SMALL if name != "nim:1,2,3"])
def test_both_forms_prove_the_same(mode: str, name: str) -> None:
    table = solve(load_game(name))
    assert isinstance(table, Table)
    small = verify(solved_bytes(load_game(name), suffix=".json"))
    large = verify(small_bytes(name))
    assert small._replace(sha256="") == large._replace(sha256="")


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_games_own_rules_are_taken_if_none_are_given(name: str) -> None:
    if name != "hexapawn:4x4":
        assert verify(mapped_bytes(name)).game == name


def test_progress_is_heard(mode: str) -> None:
    heard: list[tuple[int, int]] = []
    verify(mapped_bytes("tictactoe"), progress=lambda done, total: heard.append((done, total)))
    assert heard[-1] == (765, 765)
    assert heard == sorted(heard)


def test_a_mapped_file_is_proved_without_reading_it(mode: str, tmp_path: Path) -> None:
    import mmap

    path = tmp_path / "x"
    path.write_bytes(mapped_bytes("tictactoe"))
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        proof = verify(data)
    assert proof == verify(mapped_bytes("tictactoe"))


@pytest.mark.parametrize("name", [*SMALL, "mnk:4,3,3", OWN])
def test_forge_makes_our_own_bytes(name: str) -> None:
    """So that a table forged below differs from ours in nothing but what is changed."""
    data, raw = small_bytes(name), small_raw(name)
    assert forge(raw) == rehash(data) == data
    assert raw.holding(raw.entries()) == raw


# Wrong tables


def flipped(generator: random.Random, value: int) -> int:
    """Return a value of another outcome, at a distance that could be."""
    sign = generator.choice([s for s in (-1, 0, 1) if s != (value > 0) - (value < 0)])
    return sign * (127 - generator.randrange(12))


def change_outcome(generator: random.Random, raw: Raw) -> Raw:
    place = generator.randrange(len(raw.values))
    return replaced(raw, place, flipped(generator, raw.values[place]))


def change_distance(generator: random.Random, raw: Raw) -> Raw:
    place = generator.choice([i for i, value in enumerate(raw.values) if value])
    value = raw.values[place] + generator.choice([-2, -1, 1, 2])
    return replaced(raw, place, max(-128, min(127, value)))


def make_a_draw(generator: random.Random, raw: Raw) -> Raw:
    return replaced(raw, generator.choice([i for i, value in enumerate(raw.values) if value]), 0)


def swap_values(generator: random.Random, raw: Raw) -> Raw:
    a, b = generator.sample(range(len(raw.values)), 2)
    while raw.values[a] == raw.values[b]:
        a, b = generator.sample(range(len(raw.values)), 2)
    return replaced(replaced(raw, a, raw.values[b]), b, raw.values[a])


def negate_all(generator: random.Random, raw: Raw) -> Raw:
    return raw._replace(values=[-value for value in raw.values])


def replaced(raw: Raw, place: int, value: int) -> Raw:
    return raw._replace(values=[*raw.values[:place], value, *raw.values[place + 1 :]])


def drop_entry(generator: random.Random, raw: Raw) -> Raw:
    entries = raw.entries()
    del entries[generator.randrange(len(entries))]
    return raw.holding(entries)


def drop_entry_and_count_it(generator: random.Random, raw: Raw) -> Raw:
    changed = drop_entry(generator, raw)
    name = generator.choice(["win", "draw", "loss"])
    counts = {n: str(raw.number(n) - generator.choice([1, 2, 4, 8])) for n in ("positions", name)}
    return changed._replace(about=changed.about | counts)


def add_entry(generator: random.Random, raw: Raw) -> Raw:
    entries = raw.entries()
    known = {key for key, _ in entries}
    key = next(k for k in iter(lambda: generator.randrange(max(known)), None) if k not in known)
    return raw.holding([*entries, (key, generator.choice(raw.values))])


def add_entry_and_count_it(generator: random.Random, raw: Raw) -> Raw:
    changed = add_entry(generator, raw)
    counts = {n: str(raw.number(n) + 1) for n in ("positions", "win")}
    return changed._replace(about=changed.about | counts)


def hold_an_entry_twice(generator: random.Random, raw: Raw) -> Raw:
    entries = raw.entries()
    key, value = generator.choice(entries)
    return raw.holding([*entries, (key, generator.choice([value, flipped(generator, value)]))])


def move_an_entry(generator: random.Random, raw: Raw) -> Raw:
    """An entry goes to a key that is not canonical, or that no game leads to."""
    entries = raw.entries()
    known = {key for key, _ in entries}
    key = next(k for k in iter(lambda: generator.randrange(max(known)), None) if k not in known)
    place = generator.randrange(len(entries))
    entries[place] = key, entries[place][1]
    return raw.holding(entries)


def change_remainder(generator: random.Random, raw: Raw) -> Raw:
    remainders = raw.remainders.copy()
    place = generator.randrange(len(remainders))
    most = 2 ** raw.number("width") - 1
    remainders[place] = generator.choice(
        [
            x
            for x in (0, most, remainders[place] ^ 1, remainders[place] ^ 64)
            if x != remainders[place]
        ]
    )
    return raw._replace(remainders=remainders)


def widen_remainder(generator: random.Random, raw: Raw) -> Raw:
    """Set a bit beyond the remainder's width, where its bytes leave room for one."""
    width = raw.number("width")
    room = next(n for n in (8, 16, 32, 64) if width <= n)
    remainders = raw.remainders.copy()
    place = generator.randrange(len(remainders))
    remainders[place] ^= 1 << (room - 1 if width < room else 0)
    return raw._replace(remainders=remainders)


def filled(raw: Raw) -> list[int]:
    return [b for b in range(len(raw.offsets) - 1) if raw.offsets[b + 1] - raw.offsets[b]]


def swap_buckets(generator: random.Random, raw: Raw) -> Raw:
    """Two buckets exchange all that they hold."""
    sizes = [raw.offsets[b + 1] - raw.offsets[b] for b in range(len(raw.offsets) - 1)]
    parts = [
        list(zip(raw.remainders[a : a + n], raw.values[a : a + n], strict=True))
        for a, n in zip(raw.offsets, sizes, strict=False)
    ]
    a, b = generator.sample(filled(raw), 2)
    while parts[a] == parts[b]:
        a, b = generator.sample(filled(raw), 2)
    parts[a], parts[b] = parts[b], parts[a]
    return rebuilt(raw, parts)


def reverse_bucket(generator: random.Random, raw: Raw) -> Raw:
    """A bucket holds what it should, in another order."""
    bucket = generator.choice([b for b in filled(raw) if raw.offsets[b + 1] - raw.offsets[b] > 1])
    remainders, values = raw.remainders.copy(), raw.values.copy()
    part = slice(*raw.offsets[bucket : bucket + 2])
    remainders[part], values[part] = remainders[part][::-1], values[part][::-1]
    return raw._replace(remainders=remainders, values=values)


def shuffle_values_of_a_bucket(generator: random.Random, raw: Raw) -> Raw:
    values = raw.values.copy()
    buckets = [slice(*raw.offsets[b : b + 2]) for b in filled(raw)]
    part = generator.choice([part for part in buckets if len(set(values[part])) > 1])
    while values == raw.values:
        values[part] = generator.sample(values[part], len(values[part]))
    return raw._replace(values=values)


def rebuilt(raw: Raw, parts: list[list[tuple[int, int]]]) -> Raw:
    offsets = [0]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    flat = [entry for part in parts for entry in part]
    return Raw(raw.about, offsets, [r for r, _ in flat], [v for _, v in flat])


def shift_a_boundary(generator: random.Random, raw: Raw) -> Raw:
    offsets = raw.offsets.copy()
    place = generator.randrange(1, len(offsets) - 1)
    offsets[place] += generator.choice([-1, 1] if offsets[place] else [1])
    return raw._replace(offsets=offsets)


def break_a_boundary(generator: random.Random, raw: Raw) -> Raw:
    offsets = raw.offsets.copy()
    place = generator.randrange(len(offsets))
    others = {0, 1, len(raw.values), len(raw.values) + 1, 2**31, 2**32 - 1} - {offsets[place]}
    offsets[place] = generator.choice(sorted(others))
    return raw._replace(offsets=offsets)


def change_count(generator: random.Random, raw: Raw) -> Raw:
    name = generator.choice(["positions", "terminal", "win", "draw", "loss"])
    held = raw.number(name)
    other = generator.choice([n for n in (0, held - 1, held + 1, held + 8, 2 * held) if n != held])
    return raw._replace(about=raw.about | {name: str(max(other, held == 0))})


def move_a_count(generator: random.Random, raw: Raw) -> Raw:
    """From one outcome to another, so that the sum is right."""
    a, b = generator.sample(["win", "draw", "loss"], 2)
    if not raw.number(a):
        a, b = b, a
    changed = {a: str(raw.number(a) - 1), b: str(raw.number(b) + 1)}
    return raw._replace(about=raw.about | changed)


def respell_a_number(generator: random.Random, raw: Raw) -> Raw:
    """The same number, but not the same bytes."""
    names = ["positions", "canonical", "terminal", "win", "loss", "limit", "bits", "width"]
    name = generator.choice([*names, "multiplier"])
    held = raw.about[name]
    spelt = generator.choice(
        ["0" + held, " " + held, held + " ", "+" + held, held[0] + "_" + held[1:]]
    )
    return raw._replace(about=raw.about | {name: spelt})


MUTATIONS: list[Callable[[random.Random, Raw], Raw]] = [
    change_outcome,
    change_distance,
    make_a_draw,
    swap_values,
    negate_all,
    drop_entry,
    drop_entry_and_count_it,
    add_entry,
    add_entry_and_count_it,
    hold_an_entry_twice,
    move_an_entry,
    change_remainder,
    widen_remainder,
    swap_buckets,
    reverse_bucket,
    shuffle_values_of_a_bucket,
    shift_a_boundary,
    break_a_boundary,
    change_count,
    move_a_count,
    respell_a_number,
]


MUTATED = {
    "kernel": {"tictactoe": 40, "connect4:3x3,3": 40},
    "plain": {"tictactoe": 3, "connect4:3x3,3": 5, "hexapawn:3x3": 50},
}


@pytest.mark.no_cover
@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_no_mutated_table_passes(mode: str, mutate: Callable[[random.Random, Raw], Raw]) -> None:
    """Thousands of tables in all, each wrong in one place and with the right hash."""
    generator = random.Random(mutate.__name__)
    for name, times in MUTATED[mode].items():
        game, raw, data = load_game(name), small_raw(name), small_bytes(name)
        refused = 0
        for _ in range(times):
            changed = mutate(generator, raw)
            if forge(changed) == data:
                continue
            refuses(changed, game)
            refused += 1
            if refused % 4 == 1:
                with pytest.raises(TableFormatError):
                    verify(forge(changed, rehashed=False), game)
        assert refused > times / 2


def all_worths(most: int) -> list[Worth]:
    return [(0, None), *((o, d) for o in (-1, 1) for d in range(most))]


def as_value(worth: Worth, limit: int = 127) -> int:
    return worth[0] * (limit - (worth[1] or 0))


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["hexapawn:3x3", "nim:1,2,3", "mnk:2,2,2", "mnk:3,2,2"])
def test_every_wrong_value_is_refused(mode: str, name: str) -> None:
    """Each entry says in turn each other thing that it could say."""
    game, raw = load_game(name), small_raw(name)
    for place, held in enumerate(raw.values):
        for worth in all_worths(4 if len(raw.values) > 60 else 9):
            if as_value(worth) != held:
                refuses(replaced(raw, place, as_value(worth)), game)


def test_a_wrong_start_with_a_header_that_agrees_is_refused(mode: str) -> None:
    for name in SMALL:
        game, raw = load_game(name), small_raw(name)
        start = game.key(game.canonical(game.initial()))
        place = [key for key, _ in raw.entries()].index(start)
        for worth in all_worths(12):
            if as_value(worth) == raw.values[place]:
                continue
            about = raw.about | {"outcome": str(worth[0]), "distance": str(worth[1])}
            changed = replaced(raw, place, as_value(worth))._replace(about=about)
            with pytest.raises(TableProofError):
                verify(forge(changed), game)
            with pytest.raises(TableFormatError, match="not those of its start"):
                verify(forge(changed._replace(about=raw.about)), game)


def test_every_missing_entry_is_noticed(mode: str) -> None:
    for name in ("hexapawn:3x3", "connect4:3x3,3"):
        game, raw = load_game(name), small_raw(name)
        entries = raw.entries()
        for place in range(0, len(entries), 3):
            less = raw.holding(entries[:place] + entries[place + 1 :])
            if entries[place][0] == game.key(game.canonical(game.initial())):
                with pytest.raises(TableFormatError, match="no entry for the starting position"):
                    verify(forge(less), game)
                continue
            text = re.escape(repr(game.text(game.position(entries[place][0]))))
            with pytest.raises(TableProofError, match=f"the entry for {text} is missing"):
                verify(forge(less), game)


def test_an_entry_too_many_is_noticed(mode: str) -> None:
    generator = random.Random(0)
    for name in SMALL:
        size = small_raw(name).number("canonical")
        for _ in range(5):
            changed = add_entry(generator, small_raw(name))
            said = f"the table has {size + 1:,} entries; it should have {size:,}"
            with pytest.raises(TableProofError, match=said):
                verify(forge(changed), load_game(name))


@pytest.mark.parametrize(
    "field", ["positions", "canonical", "terminal", "win", "draw", "loss", "limit", "bits"]
)
def test_no_wrong_number_of_the_header_passes(mode: str, field: str) -> None:
    raw = small_raw("tictactoe")
    for other in {0, 765, 5478, *(raw.number(field) + i for i in (-1, 1))}:
        if other != raw.number(field):
            refuses(raw._replace(about=raw.about | {field: str(other)}), load_game("tictactoe"))


def test_a_wrong_count_is_named(mode: str) -> None:
    raw = small_raw("tictactoe")
    for field, held in (("positions", 5478), ("terminal", 958), ("win", 2836), ("loss", 1574)):
        changed = raw._replace(about=raw.about | {field: str(held + 1)})
        said = f"the count '{field}' is {held + 1}; it should be {held}"
        with pytest.raises(TableProofError, match=said):
            verify(forge(changed))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("outcome", "1"),
        ("distance", "3"),
        ("distance", "0"),
        ("rules", "f" * 64),
        ("rules", ""),
        ("game", "mnk:3,3,3,misere"),
        ("game", "mnk:3,3,3"),
        ("game", "connect4:4x4"),
        ("game", "no game"),
        ("version", "2"),
        ("version", "1.0"),
        ("format", "perfectplay"),
    ],
)
def test_no_other_field_of_the_header_passes(mode: str, field: str, value: str) -> None:
    raw = small_raw("tictactoe")
    with pytest.raises(TableFormatError):
        verify(forge(raw._replace(about=raw.about | {field: value})))


def other_layouts(raw: Raw) -> Iterator[Raw]:
    """Yield tables that hold the same values, all in order, but otherwise laid out."""
    entries, bits, width = raw.entries(), raw.number("bits"), raw.number("width")
    multiplier = raw.number("multiplier")
    for other in (1, 3, multiplier - 2, 2**bits - 1):
        if 0 < other < 2**bits and other != multiplier:
            yield raw.holding(entries, multiplier=other)
    for other in (8, width - 1, width + 1, bits, 64):
        if other >= 8 and other != width:
            yield raw.holding(entries, width=other)
    for other in (bits + 1, bits + 4):
        yield raw.holding(entries, bits=other)
        yield raw.holding(entries, bits=other, width=width + other - bits)
    lead = 2**14 - 127
    wide = [(key, (value > 0) * lead - (value < 0) * lead + value) for key, value in entries]
    yield raw.holding(wide, limit=2**14)


@pytest.mark.parametrize("name", ["tictactoe", "connect4:3x3,3", "hexapawn:3x3", "nim:1,2,3"])
def test_the_right_values_in_another_layout_are_refused(mode: str, name: str) -> None:
    """One game, one file: else two right tables could have two hashes."""
    found = list(other_layouts(small_raw(name)))
    assert len(found) > 8
    for raw in found:
        refuses(raw, load_game(name))


def test_no_other_spelling_passes(mode: str) -> None:
    """The same header in other words is not the same file."""
    data = mapped_bytes("tictactoe")
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


@pytest.mark.no_cover
@pytest.mark.parametrize("mode", ["kernel"], indirect=True)
def test_flipping_any_byte_is_noticed(mode: str) -> None:
    """At every place of the header, and at 1,500 others; no hash is made right again."""
    data, game = mapped_bytes("tictactoe"), load_game("tictactoe")
    generator, damaged = random.Random(0), bytearray(data)
    for place in [*range(700), *generator.sample(range(len(data)), 1500)]:
        damaged[place] ^= generator.randrange(1, 256)
        with pytest.raises(TableFormatError):
            verify(bytes(damaged), game)
        damaged[place] = data[place]


@pytest.mark.no_cover
def test_flipping_any_byte_of_the_arrays_is_noticed_by_the_rules(mode: str) -> None:
    """With the hash made right again."""
    data, game = mapped_bytes("tictactoe"), load_game("tictactoe")
    generator, damaged = random.Random(1), bytearray(data)
    start = 8 + int.from_bytes(data[:8], "little")
    for place in generator.sample(range(start, len(data)), 200 if mode == "kernel" else 20):
        damaged[place] ^= generator.randrange(1, 256)
        with pytest.raises(REFUSED):
            verify(rehash(bytes(damaged)), game)
        damaged[place] = data[place]


def test_cut_and_lengthened_files_are_refused() -> None:
    data = mapped_bytes("tictactoe")
    for length in {*range(0, len(data), 61), len(data) - 1}:
        with pytest.raises(TableFormatError):
            verify(data[:length])
    for more in (b"\0", b" ", data):
        with pytest.raises(TableFormatError):
            verify(data + more)
        with pytest.raises(TableFormatError):
            verify(rehash(data + more))


# What is said


def in_words(value: int) -> str:
    if not value:
        return "a draw"
    return f"a {'win' if value > 0 else 'loss'} in {127 - abs(value)}"


@pytest.mark.parametrize("name", ["tictactoe", "connect4:3x3,3", "hexapawn:3x3"])
def test_the_wrong_entry_is_named_with_what_it_should_say(mode: str, name: str) -> None:
    """Not one of its parents, which are right, though they seem wrong beside it."""
    game, raw = load_game(name), small_raw(name)
    generator = random.Random(name)
    entries = raw.entries()
    start = game.key(game.canonical(game.initial()))
    for place in generator.choices([i for i, e in enumerate(entries) if e[0] != start], k=40):
        held = raw.values[place]
        wrong = flipped(generator, held)
        text = game.text(game.position(entries[place][0]))
        said = f"the entry for {text!r} is {in_words(wrong)}; it should be {in_words(held)}"
        with pytest.raises(TableProofError, match=re.escape(said)):
            verify(forge(replaced(raw, place, wrong)), game)


def test_of_many_wrong_entries_one_that_is_wrong_is_named(mode: str) -> None:
    """With what it should say by the rules, not by other entries that are wrong."""
    game, raw = load_game("tictactoe"), small_raw("tictactoe")
    generator = random.Random(2)
    texts = {game.text(game.position(key)): place for place, (key, _) in enumerate(raw.entries())}
    start = texts["........."]
    for _ in range(20):
        changed = raw
        for place in generator.sample([i for i in range(len(raw.values)) if i != start], 20):
            changed = replaced(changed, place, flipped(generator, raw.values[place]))
        with pytest.raises(TableProofError) as caught:
            verify(forge(changed), game)
        named = re.fullmatch(r"the entry for '(.*)' is (.*); it should be (.*)", str(caught.value))
        assert named
        place = texts[named[1]]
        assert named[2] == in_words(changed.values[place])
        assert named[3] == in_words(raw.values[place])
        assert named[2] != named[3]


def test_the_command_says_it_and_ends_with_1(command: Command, tmp_path: Path) -> None:
    raw = small_raw("tictactoe")
    place = [key for key, _ in raw.entries()].index(1)  # X in the corner, a draw
    path = tmp_path / "x.safetensors"
    path.write_bytes(forge(replaced(raw, place, 120)))
    said = command.refuses("verify", str(path), status=1)
    assert said == (
        f"perfectplay: {path}: the entry for 'X........' is a win in 7; it should be a draw\n"
    )
    assert command("verify", str(path), "--json") == 1
    assert json.loads(command.out)["proved"] is False
    path.write_bytes(mapped_bytes("tictactoe"))
    assert command.json("verify", str(path))["proved"] is True
    assert command("verify", str(path)) == 0
    assert command.out.endswith(f"proved {path}: every entry follows from the rules\n")


# Games with cycles


def graph_bytes(game: graphs.Graph, scores: dict[str, int]) -> bytes:
    """Return the mapped table of a graph with any scores; its counts and header agree with them."""
    found = solver.solving.solve._table(game, scores, True)
    assert isinstance(found, MappedFile)
    return b"".join(found)


def as_scores(worths: dict[str, Worth]) -> dict[str, int]:
    return {node: score(outcome(held), plies or 0) for node, (held, plies) in worths.items()}


CASES = pytest.mark.parametrize("case", graphs.ALL, ids=lambda case: str(case[0].edges))


@CASES
def test_graphs_by_hand_are_proved(case: tuple[graphs.Graph, dict[str, Worth]]) -> None:
    game, worths = case
    data = graph_bytes(game, as_scores(worths))
    table = MappedTable(data, game)
    for node, (held, plies) in worths.items():
        assert (outcome(table.probe(node)), distance(table.probe(node))) == (held, plies)
    proof = verify(data, game)
    assert proof.canonical == proof.positions == len(worths)
    assert (proof.outcome, proof.distance) == worths[game.start]


@CASES
def test_every_wrong_value_of_a_graph_is_refused(
    case: tuple[graphs.Graph, dict[str, Worth]],
) -> None:
    """Cycles included: a draw claimed as a win in n, for every n, has no support."""
    game, worths = case
    for node, held in worths.items():
        for worth in all_worths(10):
            if worth != held:
                data = graph_bytes(game, as_scores({**worths, node: worth}))
                with pytest.raises(TableProofError):
                    verify(data, game)


@pytest.mark.no_cover
@pytest.mark.parametrize("case", graphs.ALL[:2] + graphs.ALL[3:4], ids=lambda c: str(c[0].edges))
def test_of_all_tables_of_a_graph_one_passes(case: tuple[graphs.Graph, dict[str, Worth]]) -> None:
    """However wrong entries lean on one another."""
    game, worths = case
    passed = []
    for claims in product(all_worths(3), repeat=len(worths)):
        claimed = dict(zip(worths, claims, strict=True))
        try:
            verify(graph_bytes(game, as_scores(claimed)), game)
        except TableProofError:
            continue
        passed.append(claimed)
    assert passed == [worths]


def test_a_circle_of_claims_does_not_support_itself() -> None:
    """Two positions that could only repeat claim that one side wins: each leans on the other."""
    game = graphs.Graph("a", {"a": "b", "b": "a"}, {})
    for plies in range(100):
        for a in (1, -1):
            scores = {"a": score(outcome(a), plies + 1), "b": score(outcome(-a), plies)}
            with pytest.raises(TableProofError):
                verify(graph_bytes(game, scores), game)


def test_an_entry_too_many_of_a_graph_is_noticed() -> None:
    game = graphs.Graph("a", {"a": "z"}, {"z": graphs.LOSS, "y": graphs.LOSS})
    right = {"a": score(graphs.WIN, 1), "z": score(graphs.LOSS)}
    assert verify(graph_bytes(game, right), game).canonical == 2
    with pytest.raises(TableProofError, match="has 3 entries; it should have 2"):
        verify(graph_bytes(game, {**right, "y": score(graphs.LOSS)}), game)


@examples(50)
@given(random_graphs())
def test_random_graphs_are_proved_and_their_lies_are_not(game: graphs.Graph) -> None:
    table = solve(game)
    assert isinstance(table, Table)
    scores = value_iteration(game, list(table.entries))
    assert verify(graph_bytes(game, scores), game).positions == len(scores)
    for node, held in scores.items():
        for worth in ((0, None), (1, 1), (-1, 2), (1, 0), (-1, 0)):
            wrong = as_scores({node: worth})
            if wrong[node] != held:
                with pytest.raises(TableProofError):
                    verify(graph_bytes(game, scores | wrong), game)


# Trust


class Lying(Mnk):
    """Its kernel says that who completes a line has lost."""

    def kernel(self) -> Kernel | None:
        return MnkKernel(self.cells, self.lines, True, self.symmetries)


def test_a_kernel_that_contradicts_the_rules_proves_nothing() -> None:
    with pytest.raises(KernelError, match="contradicts its rules"):
        verify(mapped_bytes("tictactoe"), Lying(3, 3, 3))


def test_without_numba_the_proof_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(self: Mnk) -> Kernel | None:
        raise ModuleNotFoundError("No module named 'numba'", name="numba")

    monkeypatch.setattr(Mnk, "kernel", missing)
    data = mapped_bytes("tictactoe")
    assert verify(data).canonical == 765
    with pytest.raises(TableProofError):
        verify(forge(swap_values(random.Random(0), small_raw("tictactoe"))))


def test_sums_do_not_hide_a_wrong_entry(mode: str) -> None:
    """Two wrong entries that leave every count as it was."""
    raw, game = small_raw("tictactoe"), load_game("tictactoe")
    values = np.array(raw.values)
    generator = random.Random(3)
    for value in sorted(set(raw.values)):
        for other in sorted(set(raw.values) - {value}):
            a = generator.choice(np.flatnonzero(values == value).tolist())
            b = generator.choice(np.flatnonzero(values == other).tolist())
            changed = replaced(replaced(raw, a, other), b, value)
            with pytest.raises(REFUSED):
                verify(forge(changed), game)
