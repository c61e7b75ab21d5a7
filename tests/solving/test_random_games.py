"""Random games, solved in every way that there is, have the values that brute force finds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import solver.solving.in_memory
from examples.checkers import verify_alone
from solver import Game, Outcome, Table, TableProofError, load_game, open_agent, solve, verify
from solver.cli import run
from solver.errors import PerfectplayError
from solver.solving.solve import SolveOptions, solve_file
from solver.value import score
from tests.solving.test_resume import Stopped
from tests.support.brute import Value, solve_by_force
from tests.support.cases import campaign, large
from tests.support.random_games import Written, write_game
from tests.support.random_styles import STYLES

MAPPED = ".safetensors"

SOME_GAMES, MANY, PARTS = 20, 2000, 10  # games of `make test-large` and of `make campaigns`
SOME = 200  # positions of a game at which moves are compared as well
TOO_WIDE = "more than 64 bits"  # keys that no mapped table can hold

Row = tuple[Any, int, int | None, float]  # a move, its outcome, distance and trap


class Case(NamedTuple):
    """A random game to be solved in a folder."""

    written: Written
    game: Game[Any, Any]
    folder: Path
    generator: random.Random

    def solve(self, suffix: str = MAPPED, as_large: bool = False, **options: Any) -> Path:
        """Solve it to a file; as a large game it is solved on files, with its rules compiled."""
        path, asked = (
            str(self.folder / f"t{suffix}"),
            SolveOptions(name=self.written.name, **options),
        )
        with pytest.MonkeyPatch.context() as patch:
            if as_large:
                patch.setattr(solver.solving.in_memory, "FEW", 1)
                patch.setattr(solver.solving.in_memory, "SMALL", 1)
            return Path(solve_file(self.game, path, asked))


def in_memory(case: Case) -> Path:
    path = case.folder / "memory"
    path.write_bytes(solve(case.game).encode())
    return path


def as_packed(case: Case) -> Path:
    path = case.folder / "packed.safetensors"
    assert run(["export", str(case.solve()), "--game", case.written.name, "-o", str(path)]) == 0
    return path


def resumed(case: Case) -> Path:
    """Stop a solve again and again, at random steps."""
    for most in (2, 5, 20):
        left = iter(range(case.generator.randrange(most)))

        def progress(*_: Any, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Stopped

        with suppress(Stopped):
            return case.solve(as_large=True, plain=True, progress=progress)
    return case.solve(as_large=True, plain=True)


WAYS: dict[str, Callable[[Case], Path]] = {
    "in memory": in_memory,
    "as JSON": lambda case: case.solve(".json"),
    "mapped": Case.solve,
    "packed": as_packed,
    "on files": lambda case: case.solve(as_large=True, plain=True),
    "compiled": lambda case: case.solve(as_large=True),
    "by workers": lambda case: case.solve(as_large=True, plain=True, workers=2),
    "resumed": resumed,
}
USUAL = [*WAYS][:5]
RARE = {"resumed": 7, "by workers": 31, "compiled": 37}


def ways_of(number: int) -> Iterator[str]:
    """Yield in which ways a game of the thorough run is solved: those that take long seldom."""
    yield USUAL[number // len(STYLES) % len(USUAL)]
    yield from (way for way, each in RARE.items() if number % each == 0)


def test_brute_force_knows_tic_tac_toe(table: Table) -> None:
    values = solve_by_force(table.game)
    assert len(values) == 5478
    for p, (outcome, distance) in values.items():
        assert table.probe(p) == score(Outcome(outcome), distance or 0)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.thinned(16, 4)
@pytest.mark.no_cover
def test_a_game_of_each_style(style: str, tmp_path: Path) -> None:
    assert faults(style, 0, [*USUAL, "resumed"], tmp_path) == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.thinned(17, 8)
@pytest.mark.large
def test_a_game_of_each_style_compiled_and_by_workers(style: str, tmp_path: Path) -> None:
    assert faults(style, 1, ["compiled", "by workers"], tmp_path) == []


@pytest.mark.parametrize("games", [*large(range(SOME_GAMES)), *campaign(range(SOME_GAMES, MANY))])
@pytest.mark.parametrize("part", range(PARTS))
def test_many_games(part: int, games: range, tmp_path: Path) -> None:
    found: list[str] = []
    for number in games[part::PARTS]:
        style = [*STYLES][number % len(STYLES)]
        found += faults(style, number, ways_of(number), tmp_path)
    assert found == []


def faults(style: str, seed: int, ways: Iterable[str], folder: Path) -> list[str]:
    """Solve a game in some ways; return what is wrong."""
    written = write_game(folder, seed, style)
    game = load_game(written.name)
    right = solve_by_force(game)
    found: list[str] = []
    known: set[bytes] = set()
    for way in ways:
        place = folder / f"{style} {seed} {way}"
        place.mkdir()
        case = Case(written, game, place, random.Random(f"{seed} {way}"))
        try:
            path = WAYS[way](case)
            if (data := path.read_bytes()) not in known:
                known.add(data)
                check(case, path, right)
        except Exception as error:
            if not expected(error, written):
                kind = type(error).__name__
                found.append(f"{style} {seed}, {way}: {kind}: {error!s:.300}")
    return found


def expected(error: Exception, written: Written) -> bool:
    """Return whether a game may end in this error: because it breaks a law, or of wide keys."""
    if "\n" in str(error):
        return False
    if isinstance(error, PerfectplayError) and not isinstance(error, WrongError):
        return not written.lawful
    return type(error) is ValueError and TOO_WIDE in str(error)


class WrongError(Exception):
    """A table does not have the right value."""


def check(case: Case, path: Path, right: dict[Any, Value]) -> None:
    """Ask the agent for every position, and prove the table in both ways."""
    agent, data = open_agent(case.game, path), path.read_bytes()
    for p, value in right.items():
        stated = int(agent.outcome(p)), agent.distance(p)
        if stated != value:
            with suppress(TableProofError):
                verify(data, case.game)
                raise WrongError(f"{p!r} is proved to be {stated}; it should be {value}")
            raise WrongError(f"{p!r} is {stated}; it should be {value}")
    for p in case.generator.sample([*right], min(SOME, len(right))):
        rows = [(s.move, int(s.outcome), s.distance, s.trap) for s in agent.scores_at(p)]
        due = rows_of(case.game, p, right)
        if sorted(rows, key=repr) != sorted(due, key=repr):
            raise WrongError(f"the moves of {p!r} are {rows}; they should be {due}")
        if due and agent.table.best(p) != max(due, key=preference)[0]:
            raise WrongError(f"the best move of {p!r} is not {max(due, key=preference)}")
    assert verify(data, case.game).positions == len(right)
    if b'"blocks":' not in data[: 8 + int.from_bytes(data[:8], "little")]:  # it is not packed
        assert verify_alone.prove(data, case.game) == len(right)


def rows_of(game: Game[Any, Any], p: Any, right: dict[Any, Value]) -> list[Row]:
    """Return each move with its outcome, distance and trap."""
    rows: list[Row] = []
    for m in game.moves(p) if game.primitive(p) is None else ():
        q = game.play(p, m)
        outcome, distance = right[q]
        replies = [] if game.primitive(q) is not None else [game.play(q, n) for n in game.moves(q)]
        worse = sum(-right[r][0] < outcome for r in replies)
        plies = None if distance is None else distance + 1
        rows.append((m, -outcome, plies, worse / len(replies) if replies else 0.0))
    return rows


def preference(row: Row) -> tuple[int, int, float]:
    """Return what is larger for the better move: by outcome, distance and trap."""
    _, outcome, distance, trap = row
    return outcome, -outcome * (distance or 0), trap
