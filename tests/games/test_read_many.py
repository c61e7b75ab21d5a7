"""Reading and looking up many positions at once gives the same results as one by one."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Game, TableAgent
from solver.compiling.find import find_kernel
from solver.web.client_positions import look_up
from tests.support.properties import examples
from tests.support.tables import mapped_table

SPECS = ("connect4:4x3", "connect4:5x3,3", "mnk:4,3,3", "mnk:3,3,3,misere")
CHESS = "kingspawns:.k../.p../.P../.K.."


@cache
def agent_of(spec: str) -> TableAgent:
    """Return an agent of a small game whose table is mapped."""
    return TableAgent(mapped_table(spec))


def alone(agent: TableAgent, texts: list[str]) -> list[Any]:
    """Return the result for each text looked up alone."""
    return [look_up(agent, [text])[0] for text in texts]


def walked(game: Game[Any, Any], count: int, seed: int) -> list[Any]:
    """Return positions of random games."""
    generator, found = random.Random(seed), []
    for _ in range(count):
        p = game.initial()
        for _ in range(generator.randrange(20)):
            if game.primitive(p) is not None:
                break
            p = game.play(p, generator.choice(game.moves(p)))
        found.append(p)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*SPECS, CHESS])
@pytest.mark.thinned(5)
def test_positions_of_games(spec: str) -> None:
    agent = agent_of(spec)
    texts = [agent.game.text(p) for p in walked(agent.game, 500, 1)]
    found: list[Any] = look_up(agent, texts)
    assert found == alone(agent, texts)
    assert not any("error" in result for result in found)
    assert any(result["move"] is None for result in found)


@pytest.mark.parametrize("spec", SPECS[:2])
def test_best_moves_by_the_kernel_match_the_table(spec: str) -> None:
    """There is none for a key that is not in the table."""
    agent = agent_of(spec)
    game: Any = agent.game
    kernel = find_kernel(game)[0]
    assert kernel is not None
    positions = walked(game, 500, 2)
    keys = np.array([*map(game.key, positions), -1])
    table: Any = agent.table
    scores, moves, known = table.lookup.best(kernel, keys)
    assert known.tolist() == [True] * len(positions) + [False]
    for p, score, move in zip(positions, scores.tolist(), moves.tolist(), strict=False):
        best = table.best(p)
        code = None if best is None else game.code(best)
        assert (score, move) == (table.probe(p), -1 if code is None else code)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.thinned(2)
@examples(60)
@given(data=st.data())
def test_any_texts(spec: str, data: st.DataObject) -> None:
    """Among them boards with stones above empty cells, two winners, or too many cells."""
    agent = agent_of(spec)
    columns, rows = agent.game.board or (0, 0)
    size = columns * rows
    board = st.text("XOxo.-_ ", min_size=size - 1, max_size=size + 1)
    moves = st.text("123450", max_size=size + 1)
    strange = st.text("XO.1/\0é٣", max_size=size + 1)
    few = data.draw(st.lists(board | moves | strange, min_size=1, max_size=8))
    texts = few + [agent.game.text(p) for p in walked(agent.game, 16, 3)]
    assert look_up(agent, texts) == alone(agent, texts)
