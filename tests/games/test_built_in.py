"""The package's own code stands for a game's rules only if the game is a built-in one by name."""

from __future__ import annotations

import copy
import functools
import pickle
from collections.abc import Callable
from pathlib import Path
from types import MethodType
from typing import Any

import pytest

from solver import Outcome, TableProofError, load_game, verify
from solver.games import built_in_name, by_hand
from solver.games.connect4 import Connect4
from solver.rules.positions import every_position
from tests.conftest import Command
from tests.support.tables import solved_bytes

SPEC = "connect4:3x3,3"
LAST = max(p for p in every_position(load_game(SPEC)) if load_game(SPEC).primitive(p) is None)


class Mine(Connect4):
    """A subclass, to which an object of the class itself can be turned."""

    def __init__(self) -> None:
        super().__init__(3, 3, 3)


def wins_at_last(rule: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(rule)
    def changed(*given: Any) -> Any:
        return Outcome.WIN if given[-1] == LAST else rule(*given)

    return changed


def with_method(game: Any) -> None:
    game.primitive = MethodType(wins_at_last(type(game).primitive), game)


def with_helper(game: Any) -> None:
    before = game.split
    first, second = before(LAST)
    last = max(first, second, key=int.bit_count)
    game._has_line = lambda stones: stones == last or type(game)._has_line(game, stones)


def with_partial(game: Any) -> None:
    unbound = functools.partialmethod(wins_at_last(type(game).primitive))
    game.primitive = unbound.__get__(game, type(game))


def of_subclass(game: Any) -> None:
    game.__class__ = Mine


CHANGES: list[Callable[[Any], Any]] = [
    *(with_method, with_helper, with_partial),
    lambda game: setattr(game, "primitive", wins_at_last(game.primitive)),
    lambda game: setattr(game, "title", "Mine"),
    lambda game: setattr(game, "instance_name", "mine:GAME"),
    lambda game: game.folds.append([1]),
    lambda game: game._bottoms.pop(ord("1")),
    lambda game: delattr(game, "about"),
    of_subclass,
]
OTHERS: list[Callable[[Any], Any]] = [
    *(copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))),
    *(lambda game: Connect4(3, 3, 3), lambda game: Mine()),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_game_is_not_the_built_in_one(change: Callable[[Any], Any]) -> None:
    game = load_game(SPEC)
    game.canonical(game.initial())  # the class keeps something in the game
    assert built_in_name(game) == SPEC
    change(game)
    assert built_in_name(game) is None
    assert by_hand(game, "kernel") is None
    assert by_hand(game, "search") is None


@pytest.mark.parametrize("other", OTHERS)
def test_another_object_is_not_the_built_in_game(other: Callable[[Any], Any]) -> None:
    game = other(load_game(SPEC))
    assert built_in_name(game) is None
    assert by_hand(game, "kernel") is None


def test_only_a_name_is_proved_by_a_kernel() -> None:
    data = solved_bytes(load_game(SPEC))
    proofs = [verify(data), verify(data, SPEC), verify(data, load_game(SPEC))]
    proofs.append(verify(data, Connect4(3, 3, 3)))
    by_rules = f"the rules in Python of {SPEC}"
    assert [proof.by for proof in proofs] == ["the kernel of connect4"] * 2 + [by_rules] * 2
    assert len({proof._replace(by="") for proof in proofs}) == 1


@pytest.mark.parametrize("change", CHANGES[:4])
def test_a_table_of_the_built_in_game_is_no_proof_for_changed_rules(
    change: Callable[[Any], Any],
) -> None:
    data, game = solved_bytes(load_game(SPEC)), load_game(SPEC)
    change(game)
    with pytest.raises(TableProofError, match="it should be"):
        verify(data, game)


RULES = """
from solver.games.connect4 import Connect4

Same, Changed = Connect4(3, 3, 3), Connect4(3, 3, 3)
Changed._has_line = lambda stones: False
"""


def test_an_object_in_a_file_is_proved_by_its_rules(command: Command) -> None:
    Path("mine.py").write_text(RULES)
    assert command("solve", "mine.py:Same", "-o", "t.safetensors") == 0
    assert command("verify", "t.safetensors", "--game", "mine.py:Same") == 0
    assert "proved t.safetensors: by the rules in Python of mine.py:Same at 694" in command.out
    assert "change the rules in a subclass" in command.refuses("solve", "mine.py:Changed")
