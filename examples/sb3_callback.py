"""A callback for Stable-Baselines3 that logs how good a learner's moves are, on fixed positions.

    pip install sb3-contrib
    python examples/sb3_callback.py [STEPS]

Every 2,000 steps the learner is asked for its move in every unfinished position of tic-tac-toe, and
`optimality` judges them all. The rates appear beside the learner's own in its logger, as
`optimality/good_move_rate` and so on; positions that are lost already are left out, since no move
in them can be bad.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import solver.env  # noqa: F401 -- registers the environments
from solver import Optimality, TableAgent, optimality
from solver.env.batch import BatchEnv

EVERY = 2000  # steps between two evaluations
Predict = Callable[[np.ndarray, np.ndarray], np.ndarray]  # observations and masks to actions


class Judge:
    """Judges a learner's moves in every unfinished position of tic-tac-toe."""

    def __init__(self) -> None:
        games = BatchEnv()
        codes = np.arange(len(games.tabled.positions))
        codes = codes[games.legal(codes).any(1)]
        self.agent = TableAgent()
        self.observations, self.masks = games.planes(codes), games.legal(codes)
        own_first = [self.agent.game.turn(games.tabled.positions[code]) == "X" for code in codes]
        own, other = self.observations[..., 0], self.observations[..., 1]
        self.boards = (own - other) * np.where(own_first, 1, -1)[:, None, None]

    def judge(self, predict: Predict) -> Optimality:
        """Return the verdicts on the moves that a learner predicts, without the lost positions."""
        moves = predict(self.observations, self.masks)
        return optimality(self.agent, self.boards, moves).without_lost()


def callback(base: type[Any]) -> Any:
    """Return the callback, made from the class BaseCallback of Stable-Baselines3."""

    class OptimalityCallback(base):  # type: ignore[misc]
        """Logs the rates of the model's moves; the first time, before it has learned."""

        def _on_training_start(self) -> None:
            self.judge = Judge()
            self.rates: list[tuple[int, float, float]] = []
            self._log()

        def _on_step(self) -> bool:
            if self.n_calls % EVERY == 0:
                self._log()
            return True

        def _log(self) -> None:
            def predict(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
                found = self.model.predict(observations, deterministic=True, action_masks=masks)
                return np.asarray(found[0])

            found = self.judge.judge(predict)
            self.rates.append((self.n_calls, found.good_move_rate, found.perfect_move_rate))
            self.logger.record("optimality/good_move_rate", found.good_move_rate)
            self.logger.record("optimality/perfect_move_rate", found.perfect_move_rate)
            self.logger.record("optimality/mean_regret", float(found.regret.mean()))

    return OptimalityCallback()


def main(learner: Callable[..., Any], base: type[Any], steps: int) -> None:
    """Train a learner and print its rates from time to time."""
    env = gymnasium.make("PerfectPlay/TicTacToe-v0", opponent="level:easy", first=None)
    watch = callback(base)
    learner("MlpPolicy", env, seed=0, n_steps=512, ent_coef=0.02).learn(steps, callback=watch)
    print(f"{'steps':>9}  good moves  perfect moves")
    for step, good, perfect in watch.rates:
        print(f"{step:9,}  {good:10.1%}  {perfect:13.1%}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description="Train MaskablePPO, and log how good its moves are."
    )
    parser.add_argument("steps", metavar="STEPS", nargs="?", type=int, default=20_000)
    chosen = parser.parse_args()
    try:
        from sb3_contrib import MaskablePPO
        from stable_baselines3.common.callbacks import BaseCallback
    except ImportError as error:
        sys.exit(f"this example needs sb3-contrib ({error}): pip install sb3-contrib")
    main(MaskablePPO, BaseCallback, chosen.steps)
