"""Breakthrough, clobber, domineering, dodgem and mu torere, compared with independent oracles.

The games define four methods; keys, symmetries and compiled rules follow. Counts and plies without
another source come from the oracles.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver import (
    IllegalPositionError,
    Outcome,
    Table,
    TableAgent,
    load_game,
    open_agent,
    solve,
    verify,
)
from solver.compiling.find import find_kernel
from solver.games.catalogue import GAMES
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.json_table import encode
from tests.conftest import solved
from tests.support.cyclic_games import Men, Position, Value, brute
from tests.support.plain_games import SLOW, STARTS, read, rules_of, written

WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS
EVERY = [*STARTS, *(pytest.param(spec, marks=pytest.mark.slow) for spec in SLOW)]


@cache
def values(spec: str) -> dict[Position, Value]:
    """Return the values of all positions by the oracle."""
    return brute(rules_of(spec), read(spec, {**STARTS, **SLOW}[spec]))


@cache
def table_of(spec: str) -> Table:
    return solved(load_game(spec))


@pytest.mark.parametrize("spec", EVERY)
@pytest.mark.thinned(6)
def test_values_of_all_positions_match_the_oracle(spec: str) -> None:
    table = solve(load_game(spec))
    agent, game = TableAgent(table), table.game
    assert game.text(game.initial()) == {**STARTS, **SLOW}[spec]
    for position, value in values(spec).items():
        p = game.parse(written(spec, position))
        assert (agent.outcome(p), agent.distance(p)) == value
    assert table.counts["positions"] == len(values(spec))


@pytest.mark.parametrize(
    ("spec", "positions", "canonical", "value"),
    [
        ("domineering:4x4", 2443, 648, (WIN, 7)),  # the winner: Breuker and others, 2000
        ("dodgem:3x3", 1963, 1349, (WIN, 19)),  # the winner: Winning Ways
        ("mutorere", 1180, 596, (DRAW, None)),  # Straffin, 1995; the count: Wikipedia, Mū tōrere
    ],
)
@pytest.mark.thinned(2)
@pytest.mark.slow
def test_the_catalogue_has_the_proved_numbers(
    spec: str, positions: int, canonical: int, value: Value
) -> None:
    game = table_of(spec).game
    proof = verify(encode(table_of(spec)), game)
    reached = {game.canonical(game.parse(written(spec, position))) for position in values(spec)}
    assert proof.canonical == len(reached) == canonical
    assert (proof.positions, (proof.outcome, proof.distance)) == (positions, value)
    listing = next(listing for listing in GAMES if listing.spec == spec)
    assert (listing.positions, listing.canonical) == (positions, canonical)
    won = f"the first player wins in {value[1]} plies"
    assert listing.value == ("draw" if value[0] is DRAW else won)


def test_mu_torere_as_published() -> None:
    """Wikipedia has the outcomes; Scientific Gems, The Game of Mu Torere, 2018, the 86 states."""
    counts = table_of("mutorere").counts
    assert [counts[name] for name in ("win", "draw", "loss")] == [208, 844, 128]

    def images(men: Men) -> list[Men]:
        """Turn the ring by a point at a time, and reflect it."""
        ring = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
        turned = [[ring[(i + n) % 8] for i in range(8)] for n in range(8)]
        maps = [dict(zip(ring, to, strict=True)) for one in turned for to in (one, one[::-1])]
        return [frozenset(one.get(point, point) for point in men) for one in maps]

    classes = {
        frozenset((a, b, seat) for a, b in zip(images(mine), images(theirs), strict=True))
        for mine, theirs, seat in values("mutorere")
    }
    assert len(classes) == 86


@pytest.mark.slow
def test_a_large_table_has_the_symmetries_that_leave_the_start_as_it_is(tmp_path: Path) -> None:
    """Of clobber on 4x3 that is one: the board upside down."""
    path, game = tmp_path / "x.safetensors", load_game("clobber:4x3")
    solve_file(game, str(path), SolveOptions())
    proof = verify(path.read_bytes(), game)
    texts = [written("clobber:4x3", position) for position in values("clobber:4x3")]
    turned = {min(text, "/".join(text[:-2].split("/")[::-1]) + text[-2:]) for text in texts}
    assert (proof.positions, proof.canonical) == (13_343, len(turned)) == (13_343, 6_728)
    agent: TableAgent[Any, Any] = open_agent(table=path)
    assert len(agent.game.symmetries) == 2
    assert (agent.outcome("WbWb/bWbW/WbWb w"), agent.distance("WbWb/bWbW/WbWb w")) == (LOSS, 8)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["domineering:3x4", "breakthrough:2x4", "mutorere", "dodgem:3x3"])
@pytest.mark.thinned(4)
def test_the_rules_are_compiled(spec: str) -> None:
    """Domineering was not where the sides have different numbers of places for a domino."""
    pytest.importorskip("numba")
    kernel, remark = find_kernel(load_game(spec))
    assert kernel is not None
    assert remark == ""


@pytest.mark.parametrize(
    ("spec", "text", "turn", "reason"),
    [
        ("clobber:3x3", "WbW/bWb/WbW", None, "W, b or ., and w or b for the side to move, as in"),
        ("clobber:3x3", "WbW/bWb/WbX w", None, "write 3 rows of 3 cells, each W, b or ."),
        ("clobber:3x3", "WbW/bWb/WWW w", None, "there are 6 W, but a game starts with 5"),
        ("domineering:3x3", "XX./... v", None, "write 3 rows of 3 cells, each X or ., and v or h"),
        ("domineering:3x3", "XX./.../... h", "Vertical", "Horizontal is to move in"),
        ("mutorere", "XXX/X.O/OOO x", "O", "X is to move in 'XXX/X.O/OOO x', not O"),
        ("mutorere", "XXXX.OOOO", None, "is not a position: write 3 rows of 3 cells"),
        ("dodgem:3x3", "bbb/.../.WW w", None, "there are 3 b, but a game starts with 2"),
    ],
)
def test_parse_reports_why_it_rejects_a_text(
    spec: str, text: str, turn: str | None, reason: str
) -> None:
    with pytest.raises(IllegalPositionError, match=re.escape(reason)):
        load_game(spec).parse(text, turn)
