"""What type checkers infer for calls of the public API; `make lint` runs mypy on it.

`assert_type` does nothing when the tests run.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, assert_type

import pytest

from scripts import docs
from solver import (
    Board,
    Game,
    MappedTable,
    MoveScore,
    Outcome,
    Player,
    Proof,
    Table,
    TableAgent,
    load_game,
    load_player,
    open_agent,
    solve,
    verify,
)
from solver.games.mnk import Mnk
from tests.conftest import ROOT, SHIPPED

START = "........."


def test_agents_answer_with_moves_and_values(agent: TableAgent) -> None:
    assert_type(TableAgent(), TableAgent[int, int])
    assert_type(TableAgent().best_move(START), int | None)
    assert_type(TableAgent().line(START), list[int])
    assert_type(agent, TableAgent[Any, Any])
    assert_type(agent.scores(START), list[MoveScore])
    assert_type(agent.scores(START)[0].outcome, Outcome)
    assert_type(agent.scores(START)[0].distance, int | None)
    assert_type(agent.outcome(START), Outcome)
    assert_type(agent.table, Table | MappedTable)
    assert agent.outcome(START) is Outcome.DRAW


@pytest.mark.slow
def test_tables_have_types() -> None:
    game = Mnk(1, 2, 1)
    assert_type(solve(game), Table | MappedTable)
    assert_type(TableAgent(solve(game)), TableAgent[Any, Any])
    assert_type(verify(SHIPPED.read_bytes()), Proof)
    assert_type(load_game("tictactoe"), Game[Any, Any])
    assert_type(load_player("perfect", TableAgent()), Player)


def test_boards_have_the_moves_of_their_games() -> None:
    board = Board(Mnk(3, 3, 3))
    assert_type(board, Board[int, int])
    assert_type(board.legal_moves, list[int])
    assert_type(board.position, int)
    assert_type(board.winner, str | None)
    assert_type(Board("tictactoe"), Board[Any, Any])
    assert_type(Board(TableAgent()), Board[int, int])
    assert board.legal_moves == [*range(9)]


def annotated(game: Game, path: Path) -> TableAgent:
    """Without parameters, the generic classes accept every game."""
    return open_agent(game, path)


def test_generic_classes_need_no_parameters() -> None:
    assert annotated(load_game("tictactoe"), SHIPPED).best_move(START) == 0


def functions_of(item: Any) -> Iterator[Any]:
    """Yield a public function, or the public methods of a class and of its bases of ours."""
    if inspect.isfunction(item):
        yield item
    for base in inspect.getmro(item) if inspect.isclass(item) else ():
        for name, member in vars(base).items():
            function = getattr(member, "fget", getattr(member, "__func__", member))
            is_ours = str(getattr(function, "__module__", "")).startswith("solver.")
            if inspect.isfunction(function) and is_ours and not name.startswith("_"):
                yield function


def test_all_parameters_and_results_of_public_names_have_types() -> None:
    text = (ROOT / "docs" / "reference" / "python.md").read_text()
    checked = 0
    for name in docs.API.findall(text):
        for function in functions_of(resolve_name(name)):
            signature = inspect.signature(function)
            kinds = [parameter.annotation for parameter in signature.parameters.values()]
            given = kinds[next(iter(signature.parameters), "") in ("self", "cls") :]
            missing = inspect.Parameter.empty in (*given, signature.return_annotation)
            assert not missing, f"{name}: {function.__qualname__}"
            checked += 1
    assert checked > 100
