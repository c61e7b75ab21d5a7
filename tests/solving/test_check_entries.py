"""After a solve with compiled rules, entries are compared with the rules in Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
import pytest

from solver import Game, KernelError, Outcome, load_game, verify
from solver.compiling.kernel import CompiledKernel
from solver.rules.positions import reachable
from solver.solving import check_entries as checks
from solver.solving.retrograde import retrograde
from solver.tables.mapped_table import MappedTable
from solver.value import distance, score
from tests.compiling.own_games import __file__ as own_games
from tests.conftest import Command
from tests.support.proving import forged

SPEC = "mnk:4,2,3"
SPECS = f"{own_games}:TicTacToe"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a table of hundreds of positions be a large one."""
    monkeypatch.setattr(checks, "MOST", 450)
    monkeypatch.setattr(checks, "WALKED", 10)
    monkeypatch.setattr(checks, "EACH", 2)


def solved(game: Game[Any, Any]) -> dict[Any, int]:
    return retrograde(game, reachable(game))


def last(scores: dict[Any, int], kind: Callable[[Any], bool]) -> Any:
    return [p for p in scores if kind(p)][-1]


def wrong_end(game: Game[Any, Any], scores: dict[Any, int]) -> None:
    scores[last(scores, lambda p: scores[p] == score(Outcome.LOSS))] = score(Outcome.WIN)


def end_that_goes_on(game: Game[Any, Any], scores: dict[Any, int]) -> None:
    scores[last(scores, lambda p: scores[p] == score(Outcome.LOSS))] = score(Outcome.LOSS, 2)


def end_where_the_game_goes_on(game: Game[Any, Any], scores: dict[Any, int]) -> None:
    scores[last(scores, lambda p: game.primitive(p) is None)] = score(Outcome.WIN)


def next_to_an_end(game: Game[Any, Any], scores: dict[Any, int]) -> None:
    p = last(scores, lambda p: distance(scores[p]) == 3)
    scores[p] = score(Outcome.WIN, 1)


@pytest.mark.parametrize(
    "lie", [wrong_end, end_that_goes_on, end_where_the_game_goes_on, next_to_an_end]
)
def test_one_wrong_entry_at_or_next_to_an_end_is_found(
    lie: Callable[[Game[Any, Any], dict[Any, int]], None],
) -> None:
    """Of 50,000 entries at random, such a one is seldom among them."""
    game = load_game(SPEC)
    scores = solved(game)
    right = MappedTable(forged(game, scores), game)
    assert 450 <= checks.check_entries(right) < len(scores)
    assert checks.check_entries(right, inf) == len(scores)  # each once
    lie(game, scores)
    with pytest.raises(KernelError, match="in Python do not confirm the value of"):
        checks.check_entries(MappedTable(forged(game, scores), game))


def test_every_tier_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game(SPEC)
    table, tiers = MappedTable(forged(game, solved(game)), game), set[int]()
    check = checks._check

    def noted(table: Any, p: Any, stated: int) -> None:
        tiers.add(game.tier(p))
        check(table, p, stated)

    monkeypatch.setattr(checks, "_check", noted)
    checks.check_entries(table)
    assert tiers == {*reachable(game)} - {max(reachable(game))}  # where all are ends


def test_compiled_rules_that_are_wrong_at_one_end_are_found(command: Command) -> None:
    """And what was compared is the last line."""
    command.monkeypatch.setattr("solver.solving.in_memory.SMALL", 100)
    command.monkeypatch.setattr("solver.solving.in_memory.OWN", 1)
    assert command("solve", SPECS, "-o", "t.safetensors") == 0, command.err
    line = command.out.splitlines()[-1]
    way = r"checked ([\d,]+) of 2,760 positions up to symmetry by the rules; perfectplay verify"
    match = re.fullmatch(rf"{way} t\.safetensors proves all", line)
    assert match is not None, line
    assert 450 <= int(match[1].replace(",", "")) <= 2760
    assert 450 <= command.json("solve", SPECS, "-o", "t.safetensors")["checked"] <= 2760
    game = load_game(SPECS)
    odd = game.key(next(p for p in solved(game) if str(p).count(".") == 2 and game.primitive(p)))
    right = CompiledKernel.successors

    def lying(self: CompiledKernel, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outcomes, children = right(self, keys)
        return np.where(keys == odd, -outcomes, outcomes).astype(np.int8), children

    command.monkeypatch.setattr(CompiledKernel, "successors", lying)
    command.monkeypatch.setattr(CompiledKernel, "check_symmetries", lambda *_: None)
    command.monkeypatch.setattr("solver.kernels.check_kernel", lambda game, kernel: 0)
    assert command("solve", SPECS, "-o", "t.safetensors") == 0
    assert "starting again in plain Python: the rules of" in command.err
    with open("t.safetensors", "rb") as file:
        assert verify(file.read(), game).positions == 5478
