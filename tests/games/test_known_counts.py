"""Published counts of positions and games, reproduced by the rules and the tables."""

from __future__ import annotations

import mmap
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from solver import Game, Outcome, TableAgent, load_game, solve
from solver.kernels import find_kernel
from solver.proof.verify import Proof, verify
from solver.rules.game import start_key
from solver.rules.kernel import LayeredKernel
from solver.rules.positions import children, orbits, reachable
from solver.solving.search import AlphaBeta
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.json_table import encode
from tests.support.cases import campaign, large


def winner_counts(game: Game[Any, Any], sizes: dict[Any, int]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for p, size in sizes.items():
        over = game.primitive(p)
        if over is not None:
            counts["draw" if over is Outcome.DRAW else "XO"[game.turn(p) == "X"]] += size
    return dict(counts)


def test_terminal_positions(tictactoe: Game[Any, Any], known: dict[str, Any]) -> None:
    positions = [p for tier in reachable(tictactoe).values() for p in tier]
    counts = known["tictactoe"]
    assert winner_counts(tictactoe, orbits(tictactoe, positions)) == counts["terminal"]
    once = dict.fromkeys(positions, 1)
    assert winner_counts(tictactoe, once) == counts["terminal_canonical"]


def test_perft_and_games(tictactoe: Game[Any, Any], known: dict[str, Any]) -> None:
    counts = known["tictactoe"]
    perft, lengths = [], {}
    results: Counter[str] = Counter()
    level = Counter({tictactoe.initial(): 1})
    for ply in range(10):
        ended = {p: n for p, n in level.items() if tictactoe.primitive(p) is not None}
        results.update(winner_counts(tictactoe, ended))
        if ended:
            lengths[str(ply)] = sum(ended.values())
        following: Counter[int] = Counter()
        for p in level.keys() - ended.keys():
            for m in tictactoe.moves(p):
                following[tictactoe.play(p, m)] += level[p]
        level = following
        perft.append(sum(level.values()))
    assert perft[:9] == counts["perft"]
    assert results == counts["games"]
    assert lengths == counts["games_by_length"]


@pytest.mark.campaign
def test_games_up_to_symmetry(tictactoe: Game[Any, Any], known: dict[str, Any]) -> None:
    """By Burnside's lemma: the number of orbits is the mean number of games that symmetries fix."""
    counts = known["tictactoe"]

    def fixed(p: int, move: Any) -> int:
        if tictactoe.primitive(p) is not None:
            return 1
        return sum(fixed(tictactoe.play(p, m), move) for m in tictactoe.moves(p) if move(m) == m)

    def paths(p: int) -> int:
        below = set(children(tictactoe, p))
        return sum(paths(child) for child in below) if below else 1

    start = tictactoe.initial()
    games = [fixed(start, symmetry.move) for symmetry in tictactoe.symmetries]
    assert sum(games) / len(games) == counts["games_up_to_symmetry"]
    assert paths(start) == counts["paths_up_to_symmetry"]


@pytest.mark.campaign
def test_visits_of_plain_minimax(tictactoe: Game[Any, Any], known: dict[str, Any]) -> None:
    plain = AlphaBeta(tictactoe, memo=False, symmetry=False, alpha_beta=False)
    assert plain.score(tictactoe.initial()) == 0
    assert plain.visited == known["tictactoe"]["minimax_visits"]
    assert plain.visited == 1 + sum(known["tictactoe"]["perft"])


def assert_known(proof: Proof, counts: dict[str, Any]) -> None:
    """Compare a proved table with the published numbers."""
    found = proof._asdict() | {"outcome": str(proof.outcome)}
    names = [name for name in ("positions", "canonical", "outcome") if name in counts]
    assert {name: found[name] for name in names} == {name: counts[name] for name in names}
    assert proof.win + proof.draw + proof.loss == proof.positions


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [
        *("mnk:3,3,3,misere", *large("connect4:4x4")),
        *campaign("mnk:4,3,3", "connect4:5x4", "connect4:4x5", "mnk:4,4,3", "mnk:4,4,4"),
        *campaign("kingspawns:..k./.pp./.PP./.K.."),
    ],
)
def test_larger_boards(spec: str, known: dict[str, Any]) -> None:
    table = solve(load_game(spec))
    counts = known[spec]
    assert_known(verify(encode(table), table.game), counts)
    if "openings" in counts:
        scores = TableAgent(table).scores_at(table.game.initial())
        best = max(score.outcome for score in scores)
        assert [s.move for s in scores if s.outcome == best] == counts["openings"]


@pytest.mark.campaign
@pytest.mark.parametrize("spec", ["connect4:5x5", "kingspawns", "kingspawns:.k../pppp/PPPP/.K.."])
def test_large_boards(spec: str, known: dict[str, Any], tmp_path: Path) -> None:
    """Proved as they lie in a file."""
    game = load_game(spec)
    path = solve_file(game, str(tmp_path / "t.safetensors"), SolveOptions(workers=2))
    with open(path, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        assert_known(verify(data, game), known[spec])


@pytest.mark.campaign
def test_positions_of_connect_4_on_7x6_by_ply(known: dict[str, Any]) -> None:
    """tests/docs/test_published_values.py counts those of the first plies."""
    game = load_game("connect4:7x6")
    kernel, _ = find_kernel(game)
    assert isinstance(kernel, LayeredKernel)
    keys, sizes = kernel.start(start_key(game)), []
    counts = known[game.spec]["positions_by_ply"]
    for _ in counts:
        sizes.append(int(kernel.orbits(keys).sum()))
        keys = kernel.advance(keys)
    assert sizes == counts
