"""Packed tables: the same answers and bytes as the tables they were made from; damage is named."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given

from solver import TableFormatError, load_game, verify
from solver.tables import packed
from solver.tables.mapped_file import choose_layout, join_head, read_head
from solver.tables.mapped_table import MappedTable
from solver.tables.open import open_table
from solver.tables.packed import PackedEntries, pack
from solver.tables.source import TableBytes
from tests.conftest import Command
from tests.support.properties import examples
from tests.support.tables import game_of, json_bytes, mapped_bytes, mapped_table
from tests.tables.test_mapped_table import bagged, bags

GAMES = ["tictactoe", "connect4:4x3", "hexapawn:3x3", "nim:3,4,5", "notakto"]


@pytest.fixture(scope="module", params=[(3, True), (64, False)], autouse=True)
def block(request: pytest.FixtureRequest) -> Iterator[None]:
    """Give a block few entries, so that small tables have many; NumPy may not be loaded."""
    size, has_numpy = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed, "BLOCK", size)
        patch.setattr(packed, "AT_ONCE", 5)
        if not has_numpy:
            patch.setattr(packed, "sys", SimpleNamespace(modules={}))
        yield


def packed_bytes(table: Any, folder: Path) -> bytes:
    path, shown = folder / "packed.safetensors", list[int]()

    def progress(done: int, total: int) -> None:
        shown.append(done)

    pack(table.entries, str(path), progress)
    assert shown[-1] == max(shown) == table.layout.entries
    return path.read_bytes()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.thinned(9, 3)
@pytest.mark.slow
def test_a_packed_table_answers_as_the_plain_one(name: str, tmp_path: Path) -> None:
    right, game = mapped_table(name), game_of(name)
    data = packed_bytes(right, tmp_path)
    table = MappedTable(data, game)
    assert table.encode() == mapped_bytes(name)
    assert table.describe() == right.describe()
    assert verify(data, game) == verify(mapped_bytes(name), game)
    assert [*table.positions()] == [*right.positions()]
    for p, score in right.positions():
        assert table.probe(p) == score
        assert table.move_scores(p) == right.move_scores(p)
    places = random.Random(1).sample(range(right.layout.entries), 20)
    assert [table.entry(i) for i in places] == [right.entry(i) for i in places]


@examples(60)
@given(bags())
def test_any_keys_and_values_are_packed(
    tmp_path_factory: pytest.TempPathFactory, scores: dict[int, int]
) -> None:
    """Keys near and far, with gaps of every width; values of one byte or two."""
    plain, table = bagged(scores)
    data = packed_bytes(table, tmp_path_factory.mktemp("packed"))
    found = MappedTable(data, table.game)
    assert found.encode() == plain
    assert {key: found.probe_key(key) for key in scores} == scores
    assert dict(found.positions()) == scores
    keys = np.array([*scores], np.uint64)
    assert found.probe_many(keys).tolist() == [*scores.values()]


@pytest.mark.thinned(2)
@pytest.mark.slow
def test_every_changed_byte_is_noticed(tmp_path: Path) -> None:
    """A damaged block by its number; all else by the header or the hash."""
    game = load_game("tictactoe")
    right = packed_bytes(mapped_table("tictactoe"), tmp_path)
    arrays = safetensors.numpy.load(right)
    first = len(right) - len(arrays["blocks"])
    offsets = arrays["offsets"].tolist()
    for place in random.Random(3).sample(range(len(right)), 100):
        data = bytearray(right)
        data[place] ^= 1 << place % 8
        with pytest.raises(TableFormatError) as caught:
            MappedTable(bytes(data), game).check_hash()
        if place >= first:
            number = next(i for i, stop in enumerate(offsets[1:]) if place - first < stop)
            assert f"block {number:,} of {len(offsets) - 1:,}" in str(caught.value)


@pytest.mark.parametrize("size", [0, 5, 100, -1])
def test_a_cut_or_longer_file_is_refused(size: int, tmp_path: Path) -> None:
    right = packed_bytes(mapped_table("tictactoe"), tmp_path)
    path = tmp_path / "cut.safetensors"
    for data in (right[:size], right + b"x"):
        path.write_bytes(data)
        with pytest.raises(TableFormatError):
            open_table(path)


def test_a_block_that_inflates_without_end_is_refused(tmp_path: Path) -> None:
    import zlib

    right = packed_bytes(mapped_table("tictactoe"), tmp_path)
    source = TableBytes(right)
    entries = PackedEntries(source, read_head(source))
    bomb = zlib.compressobj(9, zlib.DEFLATED, -15)
    stream = bomb.compress(bytes(10**6)) + bomb.flush()
    entries._source = SimpleNamespace(  # type: ignore[assignment]
        read_at=lambda *_: zlib.crc32(stream).to_bytes(4, "little") + stream
    )
    with pytest.raises(TableFormatError, match="block 0 of"):
        entries.value(entries.keys[0])


@pytest.mark.parametrize("size", [0, 3])
def test_a_header_cannot_state_more_than_the_file_can_have(size: int, tmp_path: Path) -> None:
    """A header may state blocks of no bytes, and so 640 times the file's size."""
    game = load_game("nim:3,4,5")
    metadata = json.loads(mapped_bytes("nim:3,4,5")[8:].partition(b"}")[0] + b"}}")["__metadata__"]
    count = 1000
    entries = count * packed.BLOCK
    layout = choose_layout(entries, 1 << 40, 20)
    metadata |= {name: str(value) for name, value in layout._asdict().items() if name in metadata}
    metadata |= {"positions": str(entries), "canonical": str(entries)}
    head = join_head(metadata, packed.block_arrays(count, size * count))
    data = head + bytes(8 * (2 * count + 1) + size * count)
    with pytest.raises(TableFormatError, match="states [0-9,]+ entries, more than a file of its"):
        MappedTable(data, game)


@pytest.mark.parametrize("spec", ["hexapawn:3x3", "connect4:3x3,3"])
@pytest.mark.thinned(4, 2)
@pytest.mark.slow
def test_every_command_reads_what_export_packs(spec: str, command: Command) -> None:
    """Whatever the name of the file: it was NAME.packed.safetensors before."""
    assert command("solve", spec, "-o", "plain.safetensors") == 0
    name = "b.packed.safetensors"
    assert command("export", "plain.safetensors", "-o", name) == 0
    size, less = (Path(path).stat().st_size for path in ("plain.safetensors", name))
    assert command.out == f"wrote {name}: {less:,} bytes in place of {size:,}\n"
    right = command.json("info", "plain.safetensors")
    assert command.json("info", name) == right | {"path": name, "bytes": less}
    assert command("verify", name) == 0
    for path in ("plain.safetensors", name):
        assert command("export", path, "-o", f"{path}.csv") == 0
    assert Path("plain.safetensors.csv").read_bytes() == Path(f"{name}.csv").read_bytes()
    line = command.json("line", "--table", name, "--game", spec)
    assert line == command.json("line", "--table", "plain.safetensors", "--game", spec)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("export", "t.safetensors", "-o", "t.safetensors"), "is the table itself: name another"),
        (("export", "t.json", "-o", "p.safetensors"), "a JSON table cannot be packed: solve"),
        (("export", "t.safetensors", "-o", "none/p.safetensors"), "no file can be written there"),
        (("export", "t.safetensors", "--all", "-o", "p.safetensors"), "has no --planes, --all or"),
    ],
)
@pytest.mark.no_cover
def test_what_cannot_be_packed_is_refused(
    arguments: tuple[str, ...], message: str, command: Command
) -> None:
    Path("t.json").write_bytes(json_bytes("tictactoe"))
    Path("t.safetensors").write_bytes(mapped_bytes("tictactoe"))
    before = Path("t.safetensors").read_bytes()
    assert message in command.refuses(*arguments)
    assert Path("t.safetensors").read_bytes() == before
    assert not [*Path().glob("p.*")]
