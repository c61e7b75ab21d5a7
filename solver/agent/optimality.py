"""How good moves are, for arrays of positions and moves.

The rates are those of Kaggle's Connect X community and of PARL's AlphaZero, except that these count
an illegal move in a lost position as good. Sources: https://github.com/PaddlePaddle/PARL; Peter
Cnudde, https://www.kaggle.com/petercnudde/scoring-connect-x-agents.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from solver.errors import needs_extra

with needs_extra("judging arrays of moves", "fast"):
    import numpy as np

from solver.agent.agent import TableAgent, agent_for
from solver.agent.board_arrays import OVER, Batch, read_boards, small_boards
from solver.rules.game import Game
from solver.rules.notation import is_like
from solver.value import INFINITY, regret


class Optimality(NamedTuple):
    """How good n moves are, an entry for each; the rates of no moves are nan."""

    value_kept: np.ndarray
    """Whether the move keeps the outcome, as bool; an illegal one does not."""
    distance_kept: np.ndarray
    """Whether it also keeps the distance, as bool."""
    regret: np.ndarray
    """The drop in outcome, 0 to 2, as int8; an illegal move counts as a losing one."""
    lost: np.ndarray
    """Whether the position was lost before the move, as bool."""

    @property
    def good_move_rate(self) -> float:
        """The share of moves that keep the outcome."""
        return float(self.value_kept.mean()) if len(self.lost) else math.nan

    @property
    def perfect_move_rate(self) -> float:
        """The share of moves that keep outcome and distance."""
        return float(self.distance_kept.mean()) if len(self.lost) else math.nan

    def without_lost(self) -> Optimality:
        """Return the entries of the positions that were not lost, where a move can be bad."""
        return Optimality(*(column[~self.lost] for column in self))


def optimality(
    agent: TableAgent[Any, Any] | Game[Any, Any] | str,
    positions: np.ndarray | Sequence[Any],
    moves: np.ndarray | Sequence[int | str],
) -> Optimality:
    """Return how good the moves are in n positions, one move in each.

    `agent` is an agent, or a game or its name, whose table is then opened. `positions` is an
    integer array of boards, (n, cells) or (n, rows, columns), as `TableAgent.best_moves` takes; or
    a sequence of boards as the agent's other methods take them, such as texts. `moves` are as
    tables write them: cells or columns from 0, and not labels.

    Raises IllegalPositionError for a board that cannot arise, ValueError if the lengths differ, a
    move is no code, or a game is over, so that no move can be judged; and FileNotFoundError without
    a table.
    """
    agent = agent_for(agent)
    if np.shape(moves) != (len(positions),):
        raise ValueError(f"{len(positions):,} positions have moves of shape {np.shape(moves)}")
    if (array := small_boards(agent.game, positions)) is not None:
        return _judge(*_look_up(agent.batch, array, np.asarray(moves)))
    return _judge(*_probe(agent, positions, moves))


def _no_move(row: int) -> ValueError:
    reason = "the game is over: leave out the rows where agent.best_moves(positions) has no move"
    return ValueError(f"row {row} (counted from 0): {reason}")


def _judge(best: np.ndarray, chosen: np.ndarray) -> Optimality:
    """Return the verdicts, given the scores of positions and of moves, -INFINITY if illegal."""
    legal, lost = chosen > -INFINITY, regret(best, chosen)
    return Optimality(legal & (lost == 0), chosen == best, lost.astype(np.int8), best < 0)


def _look_up(batch: Batch, array: np.ndarray, cells: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the scores of boards and of cells."""
    if cells.dtype.kind not in "iu" and cells.size:
        raise ValueError(f"moves must be cells as integers, not {cells.dtype}")
    codes = batch.encode(array)
    over = batch.look_up(codes) == OVER  # raises for a board that cannot arise
    if over.any():
        raise _no_move(int(np.argmax(over)))
    on_board = (cells >= 0) & (cells < batch.game.cells)
    chosen = batch.scores[codes, np.where(on_board, cells, 0).astype(np.int64)]
    return batch.scores[codes, -1], np.where(on_board, chosen, -INFINITY)


def _probe(agent: TableAgent, positions: Any, moves: Any) -> tuple[np.ndarray, ...]:
    """Return the scores of positions and of moves in any game, each looked up once."""
    table, code, scores = agent.table, agent.game.code, []
    look_up = cache(lambda p: (table.probe(p), {code(m): s for m, s in table.move_scores(p)}))
    chosen = moves.tolist() if isinstance(moves, np.ndarray) else moves
    example = next((code(m) for m in agent.game.moves(agent.game.initial())), 0)
    for row, (p, move) in enumerate(zip(read_boards(agent, positions), chosen, strict=True)):
        best, after = look_up(p)
        if not after:
            raise _no_move(row)
        if not is_like(move, example):
            raise ValueError(
                f"a move must be a code, as tables write it, such as {example!r}, not {move!r:.40}"
            )
        scores.append((best, after.get(move, -INFINITY)))
    pairs = np.array(scores, np.int16).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
