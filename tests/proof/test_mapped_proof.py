"""The proof of mapped tables accepts right ones and no others, with a kernel and without."""

from __future__ import annotations

import json
import mmap
import random
import re
import struct
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from solver import Game, KernelError, TableFormatError, TableProofError, load_game, solve, verify
from solver.compiling.kernel import compile_kernel
from solver.games.mnk import Mnk
from solver.rules.kernel import Kernel
from tests.conftest import Command
from tests.support import graphs
from tests.support.brute import Value
from tests.support.forge import HEADERS, MAPPED, VALUES, Kind, won_draws
from tests.support.forged import REFUSED, Raw, forge, raw_of, rehash
from tests.support.forger import Forger
from tests.support.mutations import (
    MUTATIONS,
    all_values,
    flipped,
    overlapping,
    replaced,
)
from tests.support.proving import as_score, forged, prove_by
from tests.support.tables import CUSTOM, EACH, game_of, json_bytes, mapped_bytes, table_path

SMALL = ("tictactoe", "connect4:3x3,3", "hexapawn:3x3", "nim:1,2,3")


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


# Right tables


@pytest.mark.no_cover  # measuring coverage would take four times as long
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


@pytest.mark.parametrize("name", ["tictactoe", "connect4:3x3,3", "hexapawn:3x3"])
@pytest.mark.thinned(4)
@pytest.mark.no_cover
def test_proofs_of_both_forms_agree(mode: str, name: str) -> None:
    """Rules of built-in games need not be given."""
    small, large = verify(json_bytes(name)), verify(mapped_bytes(name))
    assert small._replace(sha256="", by="") == large._replace(sha256="", by="")


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


@pytest.mark.parametrize("name", [*SMALL, CUSTOM])
def test_forging_without_changes_gives_the_same_bytes(name: str) -> None:
    """So a table forged below differs from ours only where it was changed."""
    data, raw = mapped_bytes(name), small_raw(name)
    assert forge(raw) == rehash(data) == data
    assert raw.with_entries(raw.entries()) == raw


# Wrong tables


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
@pytest.mark.parametrize("times", [4, pytest.param(50, marks=pytest.mark.campaign)])
@pytest.mark.thinned(2)
def test_mutated_tables_are_refused(
    mode: str, mutate: Callable[[random.Random, Raw], Raw], times: int
) -> None:
    """Each is wrong in one place and has the right hash."""
    generator = random.Random(mutate.__name__)
    name = "connect4:3x3,3" if mode == "kernel" else "hexapawn:3x3"
    game, raw, data = load_game(name), small_raw(name), mapped_bytes(name)
    tables = [mutate(generator, raw) for _ in range(times)]
    wrong = [changed for changed in tables if forge(changed) != data]
    assert len(wrong) > times / 2
    for changed in wrong:
        assert_refused(changed, game)


@cache
def forger(name: str) -> Forger:
    return Forger(load_game(name), mapped_bytes(name))


@pytest.mark.parametrize(
    "kind", dict.fromkeys((*VALUES, *HEADERS, *MAPPED)), ids=lambda kind: kind.__name__
)
@pytest.mark.thinned(2)
def test_every_kind_of_forgery_is_refused(mode: str, kind: Kind) -> None:
    generator, name = random.Random(kind.__name__), "hexapawn:3x3"
    if kind is won_draws:  # of which hexapawn has none
        name = "ponghauki"
    forged = {kind(forger(name), generator) for _ in range(5)} - {None, forger(name).plain}
    assert forged
    for data in filter(None, forged):
        with pytest.raises(REFUSED):
            verify(data, load_game(name))
        damaged = bytearray(data)
        damaged[-1] ^= 1
        with pytest.raises(TableFormatError):
            verify(bytes(damaged), load_game(name))


@pytest.mark.thinned(2)
@pytest.mark.slow
def test_a_missing_entry_is_named(mode: str) -> None:
    for name in ("hexapawn:3x3", "connect4:3x3,3"):
        game, raw = load_game(name), small_raw(name)
        entries = raw.entries()
        for place in range(0, len(entries), 9):
            less = raw.with_entries(entries[:place] + entries[place + 1 :])
            if entries[place][0] == game.key(game.canonical(game.initial())):
                with pytest.raises(TableFormatError, match="no entry for the starting position"):
                    verify(forge(less), game)
                continue
            text = re.escape(repr(game.text(game.position(entries[place][0]))))
            with pytest.raises(TableProofError, match=f"the entry for {text} is missing"):
                verify(forge(less), game)


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


@pytest.mark.slow
@pytest.mark.thinned(2)
def test_wrong_numbers_in_the_header_are_refused_and_counts_named(mode: str) -> None:
    raw, game = small_raw("tictactoe"), load_game("tictactoe")
    for field in ("positions", "canonical", "terminal", "win", "draw", "loss", "limit", "bits"):
        right = raw.number(field)
        for other in (0, right + 1):
            assert_refused(raw._replace(about=raw.about | {field: str(other)}), game)
    for field, held in (("positions", 5478), ("terminal", 958), ("win", 2836), ("loss", 1574)):
        changed = raw._replace(about=raw.about | {field: str(held + 1)})
        with pytest.raises(TableProofError, match=f"'{field}' is {held + 1}; it should be {held}"):
            verify(forge(changed))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(
            ("outcome", "1"),
            ("distance", "3"),
            ("rules", "f" * 64),
            ("rules", ""),
            ("version", "3"),
        ),
        *(("game", name) for name in ("mnk:3,3,3,misere", "mnk:3,3,3", "connect4:4x4", "no game")),
        *(("version", "1"), ("version", "2.0"), ("format", "perfectplay")),
    ],
)
def test_wrong_fields_in_the_header_are_refused(mode: str, field: str, value: str) -> None:
    raw = small_raw("tictactoe")
    with pytest.raises(TableFormatError):
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


@pytest.mark.parametrize("name", ["nim:1,2,3", "hexapawn:3x3", "connect4:3x3,3", "tictactoe"])
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


# Messages


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


@pytest.mark.slow
def test_the_command_names_the_wrong_entry_and_exits_with_1(
    command: Command, tmp_path: Path
) -> None:
    raw = small_raw("tictactoe")
    place = [key for key, _ in raw.entries()].index(1)  # X in the corner, a draw
    path = tmp_path / "x.safetensors"
    path.write_bytes(forge(replaced(raw, place, 120)))
    message = command.refuses("verify", str(path), status=1)
    assert message == (
        f"perfectplay: {path}: the entry for 'X........' is a win in 7; it should be a draw\n"
    )
    assert command("verify", str(path), "--json") == 1
    assert json.loads(command.out)["proved"] is False
    path.write_bytes(mapped_bytes("tictactoe"))
    assert command.json("verify", str(path))["proved"] is True
    assert command("verify", str(path)) == 0
    assert command.out.endswith(f"proved {path}: by the rules in Python at 5,478 positions\n")


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


# Trust


class WrongKernel(Mnk):
    """Tic-tac-toe with the kernel of its misère variant."""

    def kernel(self) -> Kernel | None:
        return compile_kernel(Mnk(self.columns, self.rows, self.k, True))


@pytest.mark.slow
@pytest.mark.large
def test_a_kernel_that_contradicts_the_rules_solves_and_proves_nothing() -> None:
    """A solve refuses it; the proof does not ask it, but the rules in Python."""
    proof = verify(mapped_bytes("tictactoe"), WrongKernel(3, 3, 3))
    assert proof.by == "the rules in Python"
    with pytest.raises(KernelError, match="contradicts its rules"):
        solve(WrongKernel(4, 3, 3))
