"""Measures moves per second of our environments for tic-tac-toe and of others, in one run.

    python -m scripts.bench_env         measure and print

Each environment plays random legal moves on one core and starts a new game when one ends. Peers
that are not installed are listed as such.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import gymnasium
import numpy as np

from solver.env.batch import BatchEnv
from solver.env.chapter2 import ttt

SECONDS = 1.0  # of measurement for each environment, at least
GAMES = 1 << 14  # played at once: their arrays fit the cache
Row = tuple[str, str, str]  # what was measured, the result, what it is compared with


def rate(play: Callable[[], int]) -> float:
    """Return the moves per second of CPU time; `play` returns how many moves it made."""
    play()
    rates = []
    for _ in range(3):
        made, start = 0, time.process_time()
        while time.process_time() - start < SECONDS / 3:
            made += play()
        rates.append(made / (time.process_time() - start))
    return max(rates)


def batched(labels: bool) -> Callable[[], int]:
    """Return a function that plays many games at once, with or without looking up labels."""
    env = BatchEnv(GAMES, seed=0)

    def play() -> int:
        for _ in range(20):
            if labels:
                env.labels()
            env.step(env.sample())
        return 20 * GAMES

    return play


def replayed() -> Callable[[], int]:
    """Return a function that steps and looks up labels; the random moves are drawn before."""
    env = BatchEnv(GAMES, seed=0)
    moves = []
    for _ in range(20):
        moves.append(env.sample())
        env.step(moves[-1])

    def play() -> int:
        env.reset()
        for actions in moves:
            env.labels()
            env.step(actions)
        return 20 * GAMES

    return play


def vectored(mode: str, games: int) -> Callable[[], int]:
    """Return a function that makes a step in each of many games against random moves."""
    env = gymnasium.make_vec("PerfectPlay/TicTacToe-v0", num_envs=games, vectorization_mode=mode)
    generator = np.random.default_rng(0)
    info = env.reset(seed=0)[1]

    def play() -> int:
        nonlocal info
        info = env.step((generator.random((games, 9)) * info["action_mask"]).argmax(1))[-1]
        return games

    return play


def chapter2() -> Callable[[], int]:
    """Return a function that plays a game in our class for Chapter 2."""
    env, generator = ttt(), random.Random(0)

    def play() -> int:
        env.reset()
        while not env.step(generator.choice(env.validinputs))[2]:
            pass
        return env.rounds - 1

    return play


def pettingzoo() -> Callable[[], int]:
    """Return a function that plays a game in PettingZoo's tictactoe_v3, with its own loop."""
    from pettingzoo.classic import tictactoe_v3

    env, generator = tictactoe_v3.env(), random.Random(0)

    def play() -> int:
        env.reset()
        made = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(generator.choice(np.flatnonzero(observation["action_mask"]).tolist()))
                made += 1
        return made

    return play


def open_spiel() -> Callable[[], int]:
    """Return a function that plays a game in OpenSpiel."""
    import pyspiel

    game, generator = pyspiel.load_game("tic_tac_toe"), random.Random(0)

    def play() -> int:
        state, made = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(generator.choice(state.legal_actions()))
            made += 1
        return made

    return play


def environments() -> list[Row]:
    """Measure our environments, and how many times faster they are than the peers."""
    ours = rate(batched(labels=True))
    rows = [
        (
            "BatchEnv: random moves, steps, labels",
            f"{ours / 1e6:.0f} million moves/s",
            "target: 5 million/s",
        ),
        (
            "the same without labels",
            f"{rate(batched(labels=False)) / 1e6:.0f} million moves/s",
            "-",
        ),
        ("steps and labels, moves given", f"{rate(replayed()) / 1e6:.0f} million moves/s", "-"),
    ]
    many, single = rate(vectored("vector_entry_point", GAMES)), rate(vectored("sync", 64))
    rows.append(
        (
            "make_vec: random moves of both sides",
            f"{many / 1e6:.1f} million steps/s",
            f"SyncVectorEnv {many / single:,.0f}x",
        )
    )
    for name, peer in (
        ("PettingZoo's tictactoe_v3, random moves", pettingzoo),
        ("OpenSpiel's tic_tac_toe, random moves", open_spiel),
        ("solver.env.chapter2, random moves", chapter2),
    ):
        try:
            theirs = rate(peer())
        except ImportError as error:
            rows.append((name, f"not installed: {error}", "-"))
        else:
            faster = f"BatchEnv with labels {ours / theirs:,.0f}x"
            rows.append((name, f"{theirs:,.0f} moves/s", faster))
    return rows


def main() -> None:
    """Measure and print."""
    for what, result, compared in environments():
        print(f"{what:42} {result:22} {compared}")


if __name__ == "__main__":
    main()
