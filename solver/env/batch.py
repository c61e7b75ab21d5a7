"""Many games at once on arrays: n games of one kind, one ply each at every step.

A position is a number, its code: 0 is the start, and the others follow in breadth-first order. A
move is a number, its action: a cell in m,n,k, a column in Connect 4; `moves` lists the move of each
action. The results of every action in every position are computed once, so that a step is a few
look-ups of whole arrays; so are the labels, which come from the agent's table.

A game that ends starts again within the same step. An illegal action loses its game. Rewards are
for the side that has just moved, labels for the side to move.
"""

from __future__ import annotations

import math
from array import array
from functools import cached_property
from typing import Any, NamedTuple

from solver.errors import MemoryLimitError, needs_extra

with needs_extra("playing many games at once", "fast"):
    import numpy as np

from solver.agent.agent import TableAgent, agent_for
from solver.rules.game import Game
from solver.rules.planes import check_planes, planes
from solver.solving.memory import PLENTY, installed
from solver.units import format_size
from solver.value import LIMIT, regret

MOST_ACTIONS = 128
PER_POSITION = 300  # bytes: positions, their codes, and what is needed to fill the arrays
PER_MOVE = 24


class Step(NamedTuple):
    """The results of a step, an entry for each game."""

    codes: np.ndarray
    """Each game's position now; 0, the start, where a game has ended."""
    rewards: np.ndarray
    """1, 0 or -1, as int8, for the side that moved; 0 while the game goes on."""
    done: np.ndarray
    """Whether the game has ended."""
    reached: np.ndarray
    """The position after the action, before a new game; unchanged by an illegal action."""
    regret: np.ndarray
    """The drop in outcome by the action, 0 to 2, as int8."""


class Labels(NamedTuple):
    """Facts from the table about positions, for the side to move."""

    best: np.ndarray
    """Which actions keep outcome and distance: n by actions, bool; none if the game is over."""
    value: np.ndarray
    """1, 0 or -1, as int8."""
    distance: np.ndarray
    """Plies to the end of the game, as int16; -1 for a draw."""


class MoveTable:
    """Every position of a game and the results of each action there, as arrays.

    An array of actions has a row of `stride` entries for each code, padded after the last action:
    numpy copies whole rows faster if their length is a power of two.
    """

    def __init__(self, agent: TableAgent) -> None:
        self.game: Game[Any, Any] = agent.game
        game, size = agent.game, agent.table.counts.get("positions")
        if size is None:
            raise ValueError(f"{game.spec} has no table: take a smaller size, such as connect4:4x4")
        if game.primitive(game.initial()) is not None:
            raise ValueError(f"{game.spec} is over before the first move")
        _check_room(game, size, len(game.moves(game.initial())))
        self.positions: list[Any] = [game.initial()]
        codes = {game.initial(): 0}
        numbers: dict[int | str, int] = {}  # of the moves, in the order in which they are met
        counts, played, children = array("H"), array("B"), array("i")
        for p in self.positions:  # which grows
            legal = game.moves(p) if game.primitive(p) is None else ()
            counts.append(len(legal))
            for m in legal:
                q = game.play(p, m)
                code = codes.setdefault(q, len(codes))
                if code == len(self.positions):
                    self.positions.append(q)
                number = numbers.setdefault(game.code(m), len(numbers))
                if number >= MOST_ACTIONS:
                    raise ValueError(
                        f"batches are for games of up to {MOST_ACTIONS} moves; {game.spec} has more"
                    )
                played.append(number)
                children.append(code)
        del codes
        self.moves: list[int | str] = sorted(
            numbers, key=lambda move: (isinstance(move, str), move)
        )
        _check_room(game, size, len(self.moves))
        actions_of = {move: action for action, move in enumerate(self.moves)}
        actions = np.array([actions_of[move] for move in numbers], np.uint8)[np.array(played)]
        scores = np.fromiter(map(agent.table.probe, self.positions), np.int16, size)
        self._tabulate(scores, np.array(counts), actions, np.array(children))

    def _tabulate(
        self, scores: np.ndarray, counts: np.ndarray, actions: np.ndarray, children: np.ndarray
    ) -> None:
        """Fill the arrays from each position's score and number of moves, and all of these."""
        self.stride: int = 1 << (len(self.moves) - 1).bit_length()
        shape = len(scores), self.stride
        self.value: np.ndarray = np.sign(scores).astype(np.int8)
        self.distance: np.ndarray = np.where(scores, LIMIT - abs(scores), -1).astype(np.int16)
        self.count: np.ndarray = counts.astype(np.uint64)
        self.legal: np.ndarray = np.zeros(shape, bool)
        self.best: np.ndarray = np.zeros(shape, bool)
        codes = np.arange(len(scores), dtype=np.int32)
        self.reached: np.ndarray = np.repeat(codes[:, None], self.stride, 1)
        self.nth: np.ndarray = np.zeros(shape, np.int8)  # the legal actions, in ascending order
        rows = np.repeat(codes, counts)
        self.legal[rows, actions] = True
        self.reached[rows, actions] = children
        after = scores[children]
        self.best[rows, actions] = np.sign(after) - after == scores[rows]
        starts = np.cumsum(counts, dtype=np.int64) - counts
        self.nth[rows, np.arange(len(rows)) - np.repeat(starts, counts)] = np.nonzero(self.legal)[1]
        outcomes = np.where(self.legal, -self.value[self.reached], np.int8(-1))
        self.regret: np.ndarray = regret(self.value[:, None], outcomes).astype(np.int8)
        self.done: np.ndarray = (self.count == 0)[self.reached] | ~self.legal
        self.reward: np.ndarray = outcomes * self.done
        self.after: np.ndarray = np.where(self.done, np.int32(0), self.reached)


def _check_room(game: Game[Any, Any], positions: int, moves: int) -> None:
    """Raise MemoryLimitError if the arrays of a game would take over half of the memory."""
    room = (installed() or PLENTY) // 2
    needed = positions * (PER_POSITION + PER_MOVE * moves)
    if needed > room:
        raise MemoryLimitError(
            f"a batch of {game.spec}, with {positions:,} positions and {moves} or more moves, takes"
            f" about {format_size(needed)} of memory, more than half of this machine's,"
            f" {format_size(room)}"
        )


class BatchEnv:
    """n games at once of a game with a table, given its name, its rules or an agent.

    `codes` has each game's position, `plies` the number of its moves so far: where that is even,
    the side that started is to move. Raises MemoryLimitError for a game whose arrays would take
    over half of this machine's memory, and ValueError for one of over MOST_ACTIONS moves.
    BatchEnv("connect4:4x4", 1000) has a thousand games of Connect 4.
    """

    def __init__(
        self,
        game: TableAgent[Any, Any] | Game[Any, Any] | str = "tictactoe",
        n: int = 1,
        seed: int | None = None,
    ) -> None:
        if isinstance(game, int):
            raise TypeError(f'the game comes first, as in BatchEnv("tictactoe", {game})')
        if n < 1:
            raise ValueError(f"a batch must have 1 or more games, not {n}")
        self.n = n
        self.tabled: MoveTable = MoveTable(agent_for(game))
        self.game: Game[Any, Any] = self.tabled.game
        self.moves: list[int | str] = self.tabled.moves
        self.generator: np.random.Generator = np.random.default_rng(seed)
        self.reset()

    def reset(self, seed: int | None = None) -> np.ndarray:
        """Restart all games; return their codes. A seed also restarts the random moves."""
        if seed is not None:
            self.generator = np.random.default_rng(seed)
        self.codes: np.ndarray = np.zeros(self.n, np.int64)
        self.plies: np.ndarray = np.zeros(self.n, np.int16)
        return self.codes

    def step(self, actions: np.ndarray) -> Step:
        """Play an action in each game; a game that ends starts again at once.

        An action that is illegal in its position loses the game. Raises ValueError unless `actions`
        are n integers from 0 to the number of moves minus 1.
        """
        tabled = self.tabled
        entries = self.codes * tabled.stride
        entries += self._check_actions(actions)
        done = np.take(tabled.done, entries)
        self.codes = np.take(tabled.after, entries).astype(np.int64)
        self.plies = (self.plies + 1) * ~done
        return Step(
            self.codes,
            np.take(tabled.reward, entries),
            done,
            np.take(tabled.reached, entries),
            np.take(tabled.regret, entries),
        )

    def sample(self) -> np.ndarray:
        """Return a random legal action for each game, all equally likely."""
        tabled = self.tabled
        chosen = self.generator.integers(0, 1 << 32, self.n, np.uint64)
        chosen *= np.take(tabled.count, self.codes)
        chosen >>= np.uint64(32)
        entries = chosen.astype(np.int64)
        entries += self.codes * tabled.stride
        return np.take(tabled.nth, entries)

    def labels(self, codes: np.ndarray | None = None) -> Labels:
        """Return the labels of the games' positions, or of the positions with these codes."""
        codes = self._check_codes(codes)
        tabled = self.tabled
        best = np.take(tabled.best, codes, 0)[..., : len(self.moves)]
        return Labels(best, np.take(tabled.value, codes), np.take(tabled.distance, codes))

    def legal(self, codes: np.ndarray | None = None) -> np.ndarray:
        """Return which actions are legal: n by actions, bool; none if the game is over."""
        return np.take(self.tabled.legal, self._check_codes(codes), 0)[..., : len(self.moves)]

    def planes(self, codes: np.ndarray | None = None) -> np.ndarray:
        """Return the boards: (n, rows, columns, 2) int8, the stones of the side to move first.

        See `solver.rules.planes`. Raises ValueError for a game without planes.
        """
        return np.take(self._planes, self._check_codes(codes), 0)

    @cached_property
    def _planes(self) -> np.ndarray:
        shape = check_planes(self.game)
        boards = np.empty((len(self.tabled.positions), 2 * math.prod(shape)), np.int8)
        for code, p in enumerate(self.tabled.positions):
            boards[code] = planes(self.game, p)
        return boards.reshape(-1, *shape, 2)

    def _check_codes(self, codes: np.ndarray | None) -> np.ndarray:
        """Return the codes, or those of the games if None; raises ValueError."""
        if codes is None:
            return self.codes
        codes, most = np.asarray(codes), len(self.tabled.positions) - 1
        if not codes.size:
            codes = codes.astype(np.int32)
        if codes.dtype.kind not in "iu" or (
            codes.size and not 0 <= codes.min() <= codes.max() <= most
        ):
            raise ValueError(f"codes of positions must be integers from 0 to {most}")
        return codes

    def _check_actions(self, actions: np.ndarray) -> np.ndarray:
        """Return the actions as int64; raises ValueError."""
        actions, most = np.asarray(actions), len(self.moves) - 1
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"the actions must be {self.n} integers, not {actions.dtype} of shape"
                f" {actions.shape}"
            )
        if actions.min() < 0 or actions.max() > most:
            wrong = int(np.argmax((actions < 0) | (actions > most)))
            raise ValueError(
                f"game {wrong} (counted from 0) has action {actions[wrong]}; the actions are"
                f" 0 to {most}"
            )
        return actions.astype(np.int64, copy=False)
