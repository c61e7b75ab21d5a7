"""Random games, solved in every way that there is, have the values that brute force finds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import solver.solving.solve
from examples.checkers import verify_alone
from solver import (
    Game,
    Outcome,
    Table,
    TableProofError,
    load_game,
    open_agent,
    solve,
    verify,
)
from solver.cli import run
from solver.errors import PerfectplayError
from solver.solving.solve import SolveOptions, solve_file
from solver.value import score
from tests.support.brute import Value, solve_by_force
from tests.support.cases import campaign, large
from tests.support.random_games import Written, write_game
from tests.support.random_styles import STYLES

MAPPED = ".safetensors"

SOME_GAMES, MANY, PARTS = 38, 2000, 10  # games of `make test-large` and of `make campaigns`
SOME = 200  # positions of a game at which moves are compared as well
TOO_WIDE = "more than 64 bits"  # keys that no mapped table can hold

Row = tuple[Any, int, int | None, float]  # a move, its outcome, distance and trap


class Stopped(BaseException):
    """Ends a solve as a signal would."""


class Case(NamedTuple):
    """A random game to be solved in a folder."""

    written: Written
    game: Game[Any, Any]
    folder: Path
    generator: random.Random

    def solve(self, suffix: str, **options: Any) -> Path:
        path = str(self.folder / f"{len([*self.folder.iterdir()])}{suffix}")
        return Path(solve_file(self.game, path, SolveOptions(name=self.written.name, **options)))


def in_memory(case: Case) -> Path:
    path = case.folder / "memory"
    path.write_bytes(solve(case.game).encode())
    return path


def as_json(case: Case) -> Path:
    return case.solve(".json")


def as_mapped(case: Case) -> Path:
    return case.solve(".safetensors")


def as_packed(case: Case) -> Path:
    path = case.folder / "packed.safetensors"
    assert run(["export", str(as_mapped(case)), "--game", case.written.name, "-o", str(path)]) == 0
    return path


def on_files(case: Case) -> Path:
    with as_large():
        return case.solve(MAPPED, plain=True)


def compiled(case: Case) -> Path:
    with as_large():
        return case.solve(MAPPED)


def by_workers(case: Case) -> Path:
    with as_large():
        return case.solve(MAPPED, plain=True, workers=2)


def resumed(case: Case) -> Path:
    """Stop a solve again and again, at random steps."""
    path = str(case.folder / "resumed") + MAPPED
    options = SolveOptions(name=case.written.name, plain=True)
    with as_large():
        for most in (2, 5, 20):
            left = iter(range(case.generator.randrange(most)))

            def progress(*_: Any, left: Iterator[int] = left) -> None:
                if next(left, None) is None:
                    raise Stopped

            with suppress(Stopped):
                stopped = options._replace(progress=progress)
                return Path(solve_file(case.game, path, stopped))
        return Path(solve_file(case.game, path, options))


@contextmanager
def as_large() -> Iterator[None]:
    """Take every game for a large one, which is solved on files, with its rules compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver.solving.solve, "FEW", 1)
        patch.setattr(solver.solving.solve, "SMALL", 1)
        yield


USUAL: tuple[Callable[[Case], Path], ...] = (in_memory, as_json, as_mapped, as_packed, on_files)


def ways_of(number: int) -> Iterator[Callable[[Case], Path]]:
    """Yield in which ways a game of the thorough run is solved: those that take long seldom."""
    yield USUAL[number // len(STYLES) % len(USUAL)]
    if number % 7 == 0:
        yield resumed
    if number % 31 == 0:
        yield by_workers
    if number % 37 == 0:
        yield compiled


def test_brute_force_knows_tic_tac_toe(table: Table) -> None:
    values = solve_by_force(table.game)
    assert len(values) == 5478
    for p, (outcome, distance) in values.items():
        assert table.probe(p) == score(Outcome(outcome), distance or 0)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.thinned(16, 4)
@pytest.mark.no_cover
def test_a_game_of_each_style(style: str, tmp_path: Path) -> None:
    assert faults(style, 0, (*USUAL, resumed), tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.thinned(17, 8)
@pytest.mark.large
def test_a_game_of_each_style_compiled_and_by_workers(style: str, tmp_path: Path) -> None:
    assert faults(style, 1, (compiled, by_workers), tmp_path) == []


@pytest.mark.parametrize("games", [*large(range(SOME_GAMES)), *campaign(range(SOME_GAMES, MANY))])
@pytest.mark.parametrize("part", range(PARTS))
def test_many_games(part: int, games: range, tmp_path: Path) -> None:
    found: list[str] = []
    for number in games[part::PARTS]:
        style = [*STYLES][number % len(STYLES)]
        found += faults(style, number, ways_of(number), tmp_path)
    assert found == []


def faults(
    style: str, seed: int, ways: Iterable[Callable[[Case], Path]], folder: Path
) -> list[str]:
    """Solve a game in some ways; return what is wrong."""
    written = write_game(folder, seed, style)
    game = load_game(written.name)
    right = solve_by_force(game)
    found: list[str] = []
    known: set[bytes] = set()
    for way in ways:
        place = folder / f"{style} {seed} {way.__name__}"
        place.mkdir()
        case = Case(written, game, place, random.Random(f"{seed} {way.__name__}"))
        try:
            path = way(case)
            if (data := path.read_bytes()) not in known:
                known.add(data)
                check(case, path, right)
        except Exception as error:
            if not expected(error, written):
                kind = type(error).__name__
                found.append(f"{style} {seed}, {way.__name__}: {kind}: {error!s:.300}")
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
