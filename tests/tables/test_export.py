"""Exports: the same rows in every format, with the table's values of positions and moves."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import solver.rules.laws
import solver.tables.export
from solver import Game, Symmetry, Table, TableAgent, UnknownPositionError, load_game
from solver.agent.agent import ties
from solver.rules.game import IDENTITY
from solver.rules.positions import every_position
from solver.tables.export import export
from solver.tables.mapped_table import MappedTable
from tests.conftest import SHIPPED, Command, solved
from tests.support import oracle
from tests.support.small_games import Chain
from tests.support.small_games import Line as Walk
from tests.support.tables import mapped_bytes

SUFFIXES = (".json", ".jsonl", ".csv")
MOVES = ["legal", "outcomes", "distances", "regrets"]
NAMES = ["position", "outcome", "distance", "best", *MOVES, "good_move_rate"]  # others are optional
TASK = ["game", "about", "turn"]  # of a line of .jsonl, whose last name is labels


def from_json(path: Path, code: type) -> list[dict[str, Any]]:
    content = json.loads(path.read_bytes())
    assert isinstance(content, list)
    return content


def from_jsonl(path: Path, code: type) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        names = [*row]
        assert (names[:3], names[-1]) == (TASK, "labels")
        assert len(row.pop("labels")) == len(row["legal"])
        assert len({*map(row.pop, TASK)}) > 1
    return rows


def from_csv(path: Path, code: type) -> list[dict[str, Any]]:
    def value(name: str, cell: str) -> Any:
        if name in ("best", *MOVES, "mask", "planes"):
            kind = code if name in ("best", "legal") else int
            found = [*map(kind, cell.split())]
            return [None if n == -1 else n for n in found] if name == "distances" else found
        return cell if name == "position" else json.loads(cell or "null")

    with open(path, newline="", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    return [{name: value(name, cell) for name, cell in row.items()} for row in rows]


READERS: dict[str, Callable[[Path, type], list[dict[str, Any]]]] = {
    ".json": from_json,
    ".jsonl": from_jsonl,
    ".csv": from_csv,
}


def exported(
    table: Table | MappedTable, folder: Path, code: type = int, with_planes: bool = False
) -> dict[str, dict[str, Any]]:
    """Export a table in all formats, check that the rows are the same, and return them."""
    found = []
    for suffix, read in READERS.items():
        path = folder / f"x{suffix}"
        assert export(table, str(path), with_planes=with_planes) == table.counts["canonical"]
        found.append(read(path, code))
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"x{s}" for s in SUFFIXES)
    rows, *others = found
    assert all(other == rows for other in others)
    for row in rows:
        assert [*row] == [*NAMES, *["mask", "planes"] * with_planes]
        assert all(type(move) is code for move in (*row["best"], *row["legal"]))
    return {row["position"]: row for row in rows}


@pytest.mark.no_cover
def test_tictactoe_has_the_values_and_planes_of_brute_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every row, and there is a row for every position."""
    monkeypatch.setattr(solver.tables.export, "BLOCK", 450)
    rows = exported(MappedTable(mapped_bytes("tictactoe")), tmp_path, with_planes=True)
    assert len(rows) == 765
    for board, row in rows.items():
        value = row["outcome"], row["distance"]
        assert value == oracle.solve(board)
        best = [m for m in oracle.moves(board) if oracle.move_value(board, m) == value]
        assert row["best"] == best
        made = {m: oracle.move_value(board, m) for m in oracle.moves(board)}
        assert [*zip(*(row[name] for name in MOVES), strict=True)] == [
            (m, *v, value[0] - v[0]) for m, v in made.items()
        ]
        good = [v[0] for v in made.values()].count(value[0])
        assert row["good_move_rate"] == (good / len(made) if made else None)
        assert row["mask"] == [m in best for m in range(9)]
        own = oracle.turn(board)
        stones = [[mark == own, mark not in (own, ".")] for mark in board]
        assert row["planes"] == [bit for cell in stones for bit in cell]
    game = load_game("tictactoe")
    assert {game.text(game.canonical(game.parse(b))) for b in oracle.reachable()} == set(rows)


def test_moves_that_are_strings_stay_strings(tmp_path: Path) -> None:
    rows = exported(MappedTable(mapped_bytes("nim:1,2,4")), tmp_path, str)
    assert rows["1,2,4"]["best"] == ["4-1"]  # leads to 1, 2, 3, whose sum without carry is 0
    lists: dict[str, Any] = {name: [] for name in ("best", *MOVES)}
    assert rows["0"] == lists | {
        "position": "0",
        "outcome": -1,
        "distance": 0,
        "good_move_rate": None,
    }


class Outward(Walk):
    """Only outward steps: the start, 1, never reaches its image, 2."""

    symmetries = (IDENTITY, Symmetry(lambda p: 3 - p, lambda m: -m, None))

    def moves(self, p: int) -> tuple[int, ...]:
        return (-1,) if p == 1 else (1,)


@pytest.mark.parametrize("name", ["connect4:3x3,3", "nim:1,2", "outward"])
def test_only_positions_that_can_arise_are_exported(tmp_path: Path, name: str) -> None:
    """Also where the start is not symmetric, so that some images cannot arise."""
    game: Game[Any, Any] = Outward() if name == "outward" else load_game(name)
    path = tmp_path / "x.json"
    table = solved(game)
    assert export(table, str(path), every=True) == table.counts["positions"]
    rows = {row["position"]: row["best"] for row in json.loads(path.read_bytes())}
    assert rows.keys() == {game.text(p) for p in every_position(game)}
    for text, best in rows.items():
        assert {*best} == {game.code(s.move) for s in ties(TableAgent(table).scores(text))}


class Painted(Chain):
    """A game on a board of three cells with a third kind of piece."""

    board = 3, 1

    def text(self, p: int, turn: str | None = None) -> str:
        return ["XO#", "XO.", "X..", "..."][p]

    def parse(self, text: str, turn: str | None = None) -> int:
        return ["XO#", "XO.", "X..", "..."].index(text)


def test_planes_are_refused_for_other_boards(command: Command, tmp_path: Path) -> None:
    for name in ("nim:1,2", "notakto", "hexapawn:3x3"):
        (tmp_path / "t.safetensors").write_bytes(mapped_bytes(name))
        message = command.refuses("export", "t.safetensors", "--planes", "-o", "x.csv")
        assert f"{name} has no planes" in message
    for suffix in SUFFIXES:
        with pytest.raises(ValueError, match="'XO#' has pieces other than X and O"):
            export(solved(Painted(3)), str(tmp_path / f"x{suffix}"), with_planes=True)
    assert [path.name for path in tmp_path.iterdir()] == ["t.safetensors"]


def test_the_command_writes_planes(command: Command, tmp_path: Path) -> None:
    message = "wrote x.csv: 765 positions up to symmetry; --all exports all 5,478\n"
    (tmp_path / "t.safetensors").write_bytes(mapped_bytes("tictactoe"))
    for table in ("t.safetensors", str(SHIPPED)):
        assert command("export", table, "--planes", "-o", "x.csv") == 0
        assert (command.out, command.err) == (message, "")
    lines = (tmp_path / "x.csv").read_text().splitlines()
    assert lines[0] == ",".join([*NAMES, "mask", "planes"])
    planes = "0 0 0 0 0 0 0 1 1 0 0 1 0 0 0 0 0 0"
    moves = "0 1 2 6 7 8,0 1 2 6 7 8,1 1 1 1 1 1,5 5 5 5 5 5,0 0 0 0 0 0,1.0"
    assert f"...XOX...,1,5,{moves},1 1 1 0 0 0 1 1 1,{planes}" in lines


@pytest.mark.parametrize("name", ["connect4:3x3,3", "hexapawn:3x3"])
@pytest.mark.thinned(2, 2)
def test_no_part_of_a_split_has_an_image_of_another(
    command: Command, tmp_path: Path, name: str
) -> None:
    """The shares are near, and the same command writes the same bytes, in every format."""
    game = load_game(name)
    (tmp_path / "t.safetensors").write_bytes(mapped_bytes(name))
    arguments = "t.safetensors", "--all", "--split", "60/30/10"
    for path in [tmp_path / f"{n}{s}" for s in SUFFIXES for n in ("x", "y")]:
        assert command("export", *arguments, "-o", path.name) == 0
    for suffix in SUFFIXES:
        assert (tmp_path / f"x{suffix}").read_bytes() == (tmp_path / f"y{suffix}").read_bytes()
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    part_of: dict[Any, str] = {}
    for row in rows:
        p = game.parse(row["position"])
        assert (game.turn(p), row["game"]) == (row["turn"], name)
        legal = {game.label(p, m): game.code(m) for m in game.moves(p) if row["legal"]}
        assert legal == dict(zip(row["labels"], row["legal"], strict=True))
        for image in {s.position(p) for s in game.symmetries}:
            assert part_of.setdefault(image, row["split"]) == row["split"]
    orbits = Counter(part_of[game.canonical(game.parse(row["position"]))] for row in rows)
    assert {*orbits} == {"train", "validation", "test"}
    if len(rows) > 600:
        shares = [orbits[part] / len(rows) for part in ("train", "validation", "test")]
        assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.06)


@pytest.mark.parametrize("split", ["80", "80/30", "80/20/", "0/100", "a/b", "40/30/20/10"])
def test_another_split_is_refused(command: Command, split: str) -> None:
    message = command.refuses("export", str(SHIPPED), "--split", split, "-o", "x.csv")
    assert f"the split is '{split}'; it must be percentages" in message


@pytest.mark.parametrize("name", ["x", "x.JSON", ".csv", "x.json.gz", "x.npz"])
def test_another_suffix_is_refused(
    command: Command, tmp_path: Path, table: Table, name: str
) -> None:
    suffixes = "it must end in .json, .jsonl, .csv, .safetensors"
    with pytest.raises(ValueError, match=re.escape(suffixes)):
        export(table, str(tmp_path / name))
    message = command.refuses("export", str(SHIPPED), "-o", name)
    assert repr(name) in message
    assert message.endswith(f"{suffixes}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.thinned(3, 3)
def test_nothing_is_written_on_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: Table, suffix: str
) -> None:
    """A part of an export would look like all of it. An existing file stays as it is."""
    monkeypatch.setattr(solver.tables.export, "BLOCK", 100)
    last = sorted(table.entries)[-1]
    incomplete = Table(
        table.game, table.counts, {k: e for k, e in table.entries.items() if k != last}
    )
    path = tmp_path / f"x{suffix}"

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    for content in (None, b"before"):
        if content:
            path.write_bytes(content)
        with pytest.raises(UnknownPositionError):
            export(incomplete, str(path))
        with pytest.raises(KeyboardInterrupt):
            export(table, str(path), interrupt)
        found = [p.read_bytes() for p in tmp_path.iterdir()]
        assert found == ([content] if content else [])
    assert export(table, str(path)) == 765
    assert len(READERS[suffix](path, int)) == 765
