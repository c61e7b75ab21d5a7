"""Strategy files: three checkers of the graph agree, and the rules reject the rest."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver import Outcome, load_game, solve
from solver.errors import StrategyError, UnknownGameError
from solver.strategy.candidates import find_candidates, write
from solver.strategy.file import MOST_BYTES, Strategy, sealed
from solver.strategy.rules_check import check_rules
from solver.strategy.smallest import search
from tests.conftest import ROOT, Command, program, python
from tests.support.graphs import Graph
from tests.support.tables import table_path

EXAMPLES = ROOT / "examples" / "check-strategy"
GAMES = (
    "tictactoe first positions",
    "tictactoe second cards",
    "wild first positions",
    "notakto first cards",
    "hexapawn:3x3 second positions",
    "mutorere second positions",
    "ponghauki first positions",
    "dodgem:3x3 first positions",
    "nim:3,4,5 first positions",
    "domineering:4x4 first cards",
)
MORE = (
    "tictactoe first cards",
    "mnk:3,3,3,misere first decisions",
    "mnk:3,3,3,misere second positions",
    "clobber:4x3 second positions",
    "morris first positions",
    "morris:any second positions",
    "achi first positions",
    "hexapawn:4x4 first positions",
    "breakthrough:3x4 second positions",
    "mutorere first cards",
)
EVALUATE = """
import { check } from "%s";
import { readFileSync } from "node:fs";
for (const name of readFileSync(0, "utf8").split("\\n"))
  console.log(await check(readFileSync(name)).then(() => "right", (e) => `wrong: ${e.message}`));
"""


@cache
def strategy_file(name: str) -> bytes:
    """Return a strategy of the best moves of a table."""
    spec, side, fewest = name.split()
    table = solve(load_game(spec))
    _, found = find_candidates(table, side, fewest)
    return write(table.game, side, found, [0] * len(found.weights), fewest)


def verdict(data: bytes) -> str:
    try:
        return f"right: {len(Strategy(data))} nodes"
    except StrategyError as error:
        return f"wrong: {error}"


@pytest.fixture(scope="session")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str | Path], str]:
    folder = tmp_path_factory.mktemp("check")
    for name in ("check.c", "Makefile"):
        shutil.copy(EXAMPLES / name, folder)
    compiler = f"CC={program('cc', 'gcc', 'clang')}"
    subprocess.run([program("make"), "-C", folder, compiler, "checker"], check=True)

    def check(path: str | Path) -> str:
        done = subprocess.run(
            [folder / "checker", path], check=False, capture_output=True, text=True
        )
        assert done.returncode in (0, 1), done.stderr
        assert (done.returncode == 0) == done.stdout.startswith("right")
        return done.stdout

    return check


def flip(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with one changed, lost, added or repeated, or cut."""
    i = rng.randrange(len(data))
    changed = bytes([data[i] ^ 1 << rng.randrange(8)])
    return rng.choice(
        (
            data[:i] + changed + data[i + 1 :],
            data[:i] + data[i + 1 :],
            data[:i] + bytes([rng.randrange(256)]) + data[i:],
            data[:i],
            data[: i + rng.randrange(1, 40)] + data[i:],
        )
    )


def forge(data: bytes, rng: random.Random) -> bytes:  # noqa: PLR0912 -- a case each
    """Return the file with one thing changed and the hash made anew."""
    lines = data.decode().split("\n")[:-2]
    head, rows = lines[:5], [line.split("\t") for line in lines[5:]]
    row, other = rng.choice(rows), rng.choice(rows)
    number = str(rng.randrange(len(rows) + 2))
    match rng.randrange(16):
        case 0:
            row[1] = number
        case 1:
            row[1] = " ".join(row[1].split()[:-1])
        case 2:
            row[1] = " ".join(sorted({*row[1].split(), number}))
        case 3:
            row[0] = rng.choice("mftx")
        case 4:
            row[3], other[3] = other[3], row[3]
        case 5:
            row[3] = row[3].replace(rng.choice(row[3]), rng.choice(other[3]))
        case 6:
            row[1:3] = rng.choice(("=won", "=drawn", "=lost")), "-"
        case 7:
            row[:], other[:] = other[:], row[:]
        case 8:
            head[2] = rng.choice(("claim first wins", "claim second holds", "claim first holds"))
        case 9:
            row[2] = rng.choice((other[2], "", "-", "x"))
        case 10:
            head[4] = rng.choice((f"nodes {number}", f"nodes 0{len(rows)}", "nodes 1000000000"))
        case 11:
            head[3] = rng.choice(("symmetry no", "symmetry maybe", "symmetry yes"))
        case 12:
            rows.remove(row)
            head[4] = f"nodes {len(rows)}"
        case 13:
            rows.append(row)
            head[4] = f"nodes {len(rows)}"
        case 14:
            row[1] = rng.choice(("-1", "+1", "1e3", "9" * 10, " 1", "1 ", "1  2", "٣", "01"))
        case 15:
            row[rng.randrange(4)] += rng.choice((" ", "\t", "\r", "\x0b", "\0", "\x85", "\ufeff"))
    return sealed("\n".join((*head, *map("\t".join, rows), "")).encode())


def compare(names: tuple[str, ...], count: int, check: Any, node: str, folder: Path) -> int:
    """Check whole and damaged files in three programs; return how many only the rules reject."""
    rng, files = random.Random(5), [strategy_file(name) for name in names]
    cases = [(data, data) for data in files]
    for i in range(count):
        data = files[i // 2 % len(files)]
        cases.append(((flip, forge)[i % 2](data, rng), data))
    paths = [folder / f"{i}.txt" for i in range(len(cases))]
    for path, (data, _) in zip(paths, cases, strict=True):
        path.write_bytes(data)
    script = EVALUATE % (EXAMPLES / "check.mjs").as_uri()
    command = [node, "--input-type=module", "-e", script]
    asked = "\n".join(map(str, paths))
    done = subprocess.run(command, input=asked, check=True, capture_output=True, text=True)
    only_rules = 0
    for (data, whole), path, other in zip(cases, paths, done.stdout.splitlines(), strict=True):
        ours, theirs = verdict(data), check(path)
        told = {text.split(":")[0] for text in (ours, theirs, other)}
        assert len(told) == 1, (ours, theirs, other)
        if told == {"right"}:
            strategy = Strategy(data)
            try:
                check_rules(strategy, load_game(strategy.game))
            except (StrategyError, UnknownGameError):
                assert data != whole
                only_rules += 1
            else:  # at most another header, or fewer moves called forced
                assert nodes_of(data) == nodes_of(whole)
        else:
            assert data != whole
    return only_rules


def nodes_of(data: bytes) -> list[bytes]:
    return [re.sub(rb"^f\t", rb"m\t", line) for line in data.splitlines()[5:-1]]


@pytest.mark.slow
def test_three_checkers_agree(checker: Any, node: str, tmp_path: Path) -> None:
    assert compare(GAMES[:4], 60, checker, node, tmp_path) > 3


@pytest.mark.campaign
def test_three_checkers_agree_on_a_thousand_files(checker: Any, node: str, tmp_path: Path) -> None:
    assert compare((*GAMES, *MORE), 1000, checker, node, tmp_path) > 50


LOOP = Graph("a", {"a": "bz", "b": "cd", "c": "bz"}, {"z": Outcome.LOSS, "d": Outcome.LOSS})
HEAD = "perfectplay strategy 1\ngame x:y\nclaim first wins\nsymmetry no\n"


def strategy_of(text: str, head: str = HEAD) -> bytes:
    lines = [line.replace("|", "\t").replace(",", " ") for line in text.split()]
    return sealed("\n".join((f"{head}nodes {len(lines)}", *lines, "")).encode())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("m|2|b|a t|1|-|b", "line 7: node 1 does not come later"),
        ("m|2|b|a t|=drawn|-|b", "line 7: a drawn end is no win"),
        ("t|=won|-|a", "line 6: this is not the turn of the first player"),
        ("m|3|b|a t|=won|-|z t|=won|-|z", "line 7: no node with a smaller number leads here"),
        ("m|2,3|b|a t|=won|-|z t|=won|-|z", "line 6: the claimant has one move"),
        ("m|2|b|a m|=won|-|z", "line 6: the wrong side is to move at node 2"),
        ("m|2|b|a t|=won|z|z", "line 7: the move is '-' here, not 'z'"),
        ("f|=won|-|a", "line 6: no move is forced after the end of the game"),
        ("m|3|b|a t|=won|-|z", "line 6: 3 is not the number of a node, or not in order"),
        ("m|2|b", "line 6 is not a node"),
    ],
)
def test_the_first_wrong_line_is_named(
    text: str, reason: str, checker: Any, node: str, tmp_path: Path
) -> None:
    (tmp_path / "s.txt").write_bytes(strategy_of(text))
    assert verdict(strategy_of(text)) == f"wrong: {reason}"
    assert checker(tmp_path / "s.txt").startswith("wrong: line ")
    script = [node, str(EXAMPLES / "check.mjs"), str(tmp_path / "s.txt")]
    assert subprocess.run(script, check=False, capture_output=True).returncode == 1


@pytest.mark.parametrize("claim", ["first holds", "first wins"])
def test_a_cycle_holds_and_does_not_win(
    claim: str, checker: Any, node: str, tmp_path: Path
) -> None:
    """The other side may leave the cycle for a won end, or go round for ever."""
    head = HEAD.replace("first wins", claim)
    data = strategy_of("m|2|b|a t|3,4|-|b m|5|d|c m|=won|-|z t|1,3|-|d", head)
    (file := tmp_path / "s.txt").write_bytes(data)
    (tmp_path / "twice.txt").write_bytes(data + data)
    script = [node, str(EXAMPLES / "check.mjs"), str(file)]
    status = subprocess.run(script, check=False, capture_output=True).returncode
    if claim == "first holds":
        assert (verdict(data), status) == ("right: 5 nodes", 0)
        assert checker(file) == "right: first holds, 5 nodes\n"
        assert "something after the hash" in checker(tmp_path / "twice.txt")
    else:
        assert (verdict(data), status) == ("wrong: line 10: node 1 does not come later", 1)
        assert checker(file).startswith("wrong: line 10: a next node that is not larger")


def test_damaged_files_are_one_line(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "s.txt"
    whole = strategy_file(GAMES[0])
    huge = whole.replace(b"nodes 9", b"nodes 99999999")
    lines = b"".join(whole.splitlines(keepends=True)[:-1])
    for data, reason in (
        (whole[:500], "the last line is not the SHA-256"),
        (huge, "the last line is not the SHA-256"),
        (sealed(lines.replace(b"nodes 9", b"nodes 99999999")), "line 5 states 999,999,991 nodes"),
        (whole.replace(b"X", b"\xff", 1), "line 7 is not UTF-8"),
        (whole.replace(b"\t-", b"\0-", 1), "line 7 has a control character"),
        (sealed(lines.replace(b"t\t2", b"t\t2" + b" 3" * 40_000, 1)), "is too long"),
        (
            sealed(lines.replace(b"tictactoe", b"tictactoad")),
            "is of a custom game, 'tictactoad': name its rules with --game",
        ),
        (sealed(lines.replace(b"tictactoe", b"nim:3,4,5")), "has no position: IllegalPosition"),
    ):
        file.write_bytes(data)
        assert command("verify", str(file)) in (1, 2), reason
        assert reason in command.err, command.err
        assert command.err.count("\n") == 1
    with file.open("wb") as hole:
        hole.write(whole)
        hole.truncate(MOST_BYTES + 1)
    assert command("verify", str(file)) == 2


def test_a_strategy_that_repeats_positions_does_not_win() -> None:
    """From a, z wins at once; through b, the other side goes round by c for ever."""
    LOOP.instance_name = "x:y"
    check_rules(Strategy(strategy_of("m|2|z|a t|=won|-|z")), LOOP)
    with pytest.raises(StrategyError, match="line 7: the move c at 'b' leads to node none"):
        check_rules(Strategy(strategy_of("m|2|b|a t|3|-|b m|=won|-|d")), LOOP)


def test_symmetries_are_not_trusted() -> None:
    """The file holds for the game's symmetries; with a wrong one, a line stands for too much."""
    game: Any = load_game("hexapawn:3x3")
    data = strategy_file("hexapawn:3x3 second positions")
    check_rules(Strategy(data), game)
    wrong = game.symmetries[0]._replace(position=lambda p: game.initial())
    game.symmetries = (*game.symmetries, wrong)
    with pytest.raises(StrategyError, match="stands for a position of line 6, too"):
        check_rules(Strategy(data), game)


@pytest.mark.large
def test_plain_python_finds_the_same_bytes(command: Command) -> None:
    """Also with another order of hashes."""
    assert hasattr(search, "py_func")
    command.monkeypatch.setenv("PERFECTPLAY_TABLES", str(table_path("wild", ".json").parent))
    assert command("strategy", "wild", "-o", "0.txt") == 0
    line = ("-m", "solver", "strategy", "wild", "-o", str(Path("1.txt").absolute()))
    assert python(*line, NUMBA_DISABLE_JIT="1", PYTHONHASHSEED="1").returncode == 0
    assert Path("0.txt").read_bytes() == Path("1.txt").read_bytes()
