"""MaskablePPO of sb3-contrib learns tic-tac-toe, and `grade` measures it.

    pip install sb3-contrib
    python examples/maskable_ppo.py [STEPS]

The environment needs no wrapper: MaskablePPO asks its `action_masks()` for the legal actions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np

import solver.env  # noqa: F401 -- registers the environments
from solver import grade

OPPONENT = "level:0.5"  # the table's choice in half of its moves
Board = Sequence[Sequence[str | None]]


def train(learner: Callable[..., Any], steps: int, seed: int = 0) -> Any:
    """Return a model of the class `learner` after so many steps of both seats."""
    env = gymnasium.make("PerfectPlay/TicTacToe-v0", opponent=OPPONENT, first=None)
    model = learner("MlpPolicy", env, seed=seed, n_steps=512, ent_coef=0.02)
    return model.learn(steps)


def player(model: Any) -> Callable[[Board, str], tuple[int, int]]:
    """Return the model's best legal move on a board, as `grade` asks for it."""

    def move(board: Board, side: str) -> tuple[int, int]:
        marks = [mark for row in board for mark in row]
        own = [[mark == side, mark not in (side, None)] for mark in marks]
        observation = np.array(own, np.int8).reshape(3, 3, 2)
        masks = np.array([mark is None for mark in marks])
        action, _ = model.predict(observation, deterministic=True, action_masks=masks)
        return divmod(int(action), 3)

    return move


def main(learner: Callable[..., Any], steps: int) -> None:
    """Train a learner and print its grade."""
    found = grade(player(train(learner, steps)), deterministic=True, name=learner.__name__)
    assert found.reachable is not None
    print(
        f"{learner.__name__} after {steps:,} steps: mean regret {found.reachable.mean_regret:.3f}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train MaskablePPO at tic-tac-toe, and grade it.")
    parser.add_argument("steps", metavar="STEPS", nargs="?", type=int, default=100_000)
    chosen = parser.parse_args()
    try:
        from sb3_contrib import MaskablePPO
    except ImportError as error:
        sys.exit(f"this example needs sb3-contrib ({error}): pip install sb3-contrib")
    main(MaskablePPO, chosen.steps)
