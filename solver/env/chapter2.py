"""The environment of "Chapter 2: Rule-Based AI: Tic Tac Toe", for loops written against it.

An action is a key 1 to 9 of the number pad, 7-8-9 on top, and `state` has the nine cells in the
order of the keys: 1 for X, -1 for O, 0 for empty. X moves first. `step` returns (state, reward,
done, info): the reward is 1 once X has won, -1 once O has, else 0, and `info` is an empty string.

    from solver.env.chapter2 import ttt       # in place of: from utils.ttt_env import ttt

Differences from the original: `render` prints the board and opens no window, `close` does nothing,
and a move onto an occupied cell or after the end raises ValueError and changes nothing.
"""

from __future__ import annotations

from operator import index
from types import SimpleNamespace
from typing import SupportsIndex

from solver.errors import needs_extra

with needs_extra("this environment", "fast"):
    import numpy as np

from solver import boards
from solver.games import load_game
from solver.rules import grid
from solver.rules.playing import Playing


class ttt:  # noqa: N801 -- the name in the text
    """One game of tic-tac-toe, at its start until the first `step`.

    `state` is the same array until the next `reset`. `validinputs` lists the free cells, none once
    the game is over; `occupied` lists the cells of each side in the order of its moves; `turn` is
    "X" or "O"; `rounds` is 1 at the start and grows with each step.
    """

    action_space: SimpleNamespace = SimpleNamespace(
        n=9, sample=lambda: int(np.random.randint(1, 10))
    )
    """The actions: `sample()` is one of them, legal or not; `numpy.random.seed` seeds it."""
    observation_space: SimpleNamespace = SimpleNamespace(shape=(9,))
    info = ""
    _game = load_game("tictactoe")  # of the class, so that copies share it

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> np.ndarray:
        """Start a new game; return its state."""
        self._playing = Playing(self._game)
        self.rounds: int = 1
        self.occupied: dict[str, list[int]] = {seat: [] for seat in self._game.seats}
        self.state: np.ndarray = np.zeros(9, int)
        self._update()
        return self.state

    def step(self, inp: SupportsIndex) -> tuple[np.ndarray, int, bool, str]:
        """Play an action for the side to move; return (state, reward, done, info).

        Raises ValueError, and changes nothing, if the game is over or the action is not free.
        """
        key = self._check(inp)
        self.occupied[self.turn].append(key)
        self.state[key - 1] = 1 if self.turn == "X" else -1
        self._playing.play(boards.numpad_cell(key))
        self.rounds += 1
        self._update()
        return self.state, self.reward, self.done, self.info

    def render(self) -> None:
        """Print the board; an empty cell shows its key."""
        print(grid.draw(self._playing.text, 3, boards.NUMPAD), end="\n\n")

    def close(self) -> None:
        """Do nothing: there is no window to close."""

    def _update(self) -> None:
        """Set the turn, the result and the free cells from the position."""
        playing = self._playing
        self.turn: str = playing.turn
        self.done: bool = playing.is_over
        self.reward: int = {None: 0, "X": 1, "O": -1}[playing.winner]
        self.validinputs: list[int] = sorted(map(boards.numpad_key, playing.legal_moves))

    def _check(self, inp: SupportsIndex) -> int:
        """Return an action as an integer; raises ValueError if it cannot be played now."""
        try:
            key = index(inp)
        except TypeError:
            raise ValueError(f"the action is {inp!r}; it must be an integer, 1 to 9") from None
        if self.done:
            raise ValueError("the game is over: call reset() to start a new one")
        if key not in boards.NUMPAD:
            raise ValueError(f"there is no cell {key}; the actions are 1 to 9")
        if key not in self.validinputs:
            free = ", ".join(map(str, self.validinputs))
            raise ValueError(f"cell {key} is occupied; the free cells are {free}")
        return key
