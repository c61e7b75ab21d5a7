"""Many games at once on arrays: n games of one game, a ply each at every step.

A position is a number, its code: 0 is the start, the others count in the order in which moves reach
them. A move is a number, its action: a cell in m,n,k, a column in Connect 4; `moves` tells which
move each action is. What an action leads to and brings is tabled once for every code, so that a
step is a few look-ups of whole arrays, and so are the labels, which are those of the agent's table.

A game that ends begins anew within the step. An action that is illegal where it is played loses
the game there. Rewards are for the side that has just moved, labels for the side to move.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

try:
    import numpy as np
except ImportError as error:
    raise ImportError(
        "many games at once need numpy: install perfectplay's extra 'fast'"
    ) from error

from solver.agent.agent import TableAgent
from solver.rules.planes import check_planes, planes
from solver.value import back, distance, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MOST_POSITIONS = 200_000  # that are tabled: Connect 4 on 4x4 takes a few seconds
MOST_ACTIONS = 128


class Step(NamedTuple):
    """What a step brought, an entry for each game."""

    codes: np.ndarray
    """Where each game stands now; 0, the start, where one has ended."""
    rewards: np.ndarray
    """1, 0 or -1, as int8, for the side that has moved; 0 while the game goes on."""
    done: np.ndarray
    """Whether the game has ended."""
    reached: np.ndarray
    """Where the action led, before a new game began; the same position after an illegal one."""
    regret: np.ndarray
    """What the action gave away, as int8: the outcome before minus the one after it, 0 to 2."""


class Labels(NamedTuple):
    """What the table says of positions, for the side to move."""

    best: np.ndarray
    """Which actions keep outcome and distance: n by actions, bool; none where a game is over."""
    value: np.ndarray
    """1, 0 or -1, as int8."""
    distance: np.ndarray
    """Plies to the end of the game, as int16; -1 for a draw."""


class Tabled:
    """Every position of a game, and what each action does there, as arrays.

    An array of actions has a row of `stride` entries for each code, those beyond the last action
    empty: numpy copies whole rows faster if their length is a power of two.
    """

    def __init__(self, agent: TableAgent) -> None:
        self.game, size = agent.game, agent.table.counts["positions"]
        if size > MOST_POSITIONS:
            raise ValueError(
                f"many games at once are for games of up to {MOST_POSITIONS:,} positions;"
                f" {self.game.spec} has {size:,}"
            )
        if self.game.primitive(self.game.initial()) is not None:
            raise ValueError(f"{self.game.spec} is over before the first move")
        self.positions: list[Any] = []
        children = list(self._explore())
        codes = {move for row in children for move in row}
        self.moves = sorted(codes, key=lambda move: (isinstance(move, str), move))
        if len(self.moves) > MOST_ACTIONS:
            raise ValueError(
                f"many games at once are for games of up to {MOST_ACTIONS} moves;"
                f" {self.game.spec} has {len(self.moves)}"
            )
        self._tabulate([agent.table.probe(p) for p in self.positions], children)

    def _explore(self) -> Iterator[dict[int | str, int]]:
        """Number all positions; yield the moves of each, with the codes that they lead to."""
        game = self.game
        number = {game.initial(): 0}
        self.positions.append(game.initial())
        for p in self.positions:
            row = {}
            for m in game.moves(p) if game.primitive(p) is None else ():
                child = game.play(p, m)
                if child not in number:
                    number[child] = len(number)
                    self.positions.append(child)
                row[game.code(m)] = number[child]
            yield row

    def _tabulate(self, scores: list[int], children: list[dict[int | str, int]]) -> None:
        """Make the arrays, from the score of each position and where its moves lead."""
        size, actions = len(scores), {move: action for action, move in enumerate(self.moves)}
        self.stride = 1 << (len(actions) - 1).bit_length()
        shape = size, self.stride
        plies = [distance(score) for score in scores]
        self.value = np.array([outcome(score) for score in scores], np.int8)
        self.distance = np.array([-1 if n is None else n for n in plies], np.int16)
        self.count = np.array([len(row) for row in children], np.uint64)
        over = self.count == 0
        self.legal, self.best = np.zeros(shape, bool), np.zeros(shape, bool)
        self.reached = np.repeat(np.arange(size, dtype=np.int32)[:, None], self.stride, 1)
        self.nth = np.zeros(shape, np.int8)  # the legal actions in order, from the left
        for code, row in enumerate(children):
            here = sorted(actions[move] for move in row)
            self.nth[code, : len(here)] = here
            for move, child in row.items():
                action = actions[move]
                self.legal[code, action] = True
                self.best[code, action] = back(scores[child]) == scores[code]
                self.reached[code, action] = child
        brings = np.where(self.legal, -self.value[self.reached], np.int8(-1))
        self.regret = self.value[:, None] - brings
        self.done = over[self.reached] | ~self.legal
        self.reward = brings * self.done
        self.after = np.where(self.done, np.int32(0), self.reached)


class BatchEnv:
    """n games at once; by default of tic-tac-toe, else of the agent's game.

    `codes` tells where each game stands, `plies` how many moves it has seen; where that is even,
    the side that began is to move. Games of up to MOST_POSITIONS positions are taken.
    """

    def __init__(self, n: int, agent: TableAgent | None = None, seed: int | None = None) -> None:
        if n < 1:
            raise ValueError(f"there cannot be {n} games; there must be 1 or more")
        self.n, self.tabled = n, Tabled(agent or TableAgent())
        self.game, self.moves = self.tabled.game, self.tabled.moves
        self.generator = np.random.default_rng(seed)
        self.reset()

    def reset(self, seed: int | None = None) -> np.ndarray:
        """Begin all games anew; return their codes. A seed also begins `sample` anew."""
        if seed is not None:
            self.generator = np.random.default_rng(seed)
        self.codes = np.zeros(self.n, np.int64)
        self.plies = np.zeros(self.n, np.int16)
        return self.codes

    def step(self, actions: np.ndarray) -> Step:
        """Play an action in each game; one that has ended begins anew at once.

        An action that is no legal move there loses the game. Raises ValueError unless `actions` are
        n whole numbers from 0 to below the number of moves.
        """
        tabled = self.tabled
        places = self.codes * tabled.stride
        places += self._checked(actions)
        done = np.take(tabled.done, places)
        self.codes = np.take(tabled.after, places).astype(np.int64)
        self.plies = (self.plies + 1) * ~done
        return Step(
            self.codes,
            np.take(tabled.reward, places),
            done,
            np.take(tabled.reached, places),
            np.take(tabled.regret, places),
        )

    def sample(self) -> np.ndarray:
        """Return a legal action for each game, each as likely as the others."""
        tabled = self.tabled
        chance = self.generator.integers(0, 1 << 32, self.n, np.uint64)
        chance *= np.take(tabled.count, self.codes)
        chance >>= np.uint64(32)
        places = chance.astype(np.int64)
        places += self.codes * tabled.stride
        return np.take(tabled.nth, places)

    def labels(self, codes: np.ndarray | None = None) -> Labels:
        """Return what the table says of the games' positions, or of those with the codes."""
        codes = self._codes(codes)
        tabled = self.tabled
        best = np.take(tabled.best, codes, 0)[..., : len(self.moves)]
        return Labels(best, np.take(tabled.value, codes), np.take(tabled.distance, codes))

    def legal(self, codes: np.ndarray | None = None) -> np.ndarray:
        """Return which actions are legal, n by actions, bool; none where a game is over."""
        return np.take(self.tabled.legal, self._codes(codes), 0)[..., : len(self.moves)]

    def planes(self, codes: np.ndarray | None = None) -> np.ndarray:
        """Return the boards, (n, rows, columns, 2) int8, own stones first; see `solver.features`.

        Raises ValueError where the game has none.
        """
        return np.take(self._planes, self._codes(codes), 0)

    @cached_property
    def _planes(self) -> np.ndarray:
        shape = check_planes(self.game)
        every = [planes(self.game, p) for p in self.tabled.positions]
        return np.array(every, np.int8).reshape(-1, *shape, 2)

    def _codes(self, codes: np.ndarray | None) -> np.ndarray:
        """Return the codes, those of the games if none are given; raises ValueError."""
        if codes is None:
            return self.codes
        codes, most = np.asarray(codes), len(self.tabled.positions) - 1
        if not codes.size:
            codes = codes.astype(np.int32)
        if codes.dtype.kind not in "iu" or (
            codes.size and not 0 <= codes.min() <= codes.max() <= most
        ):
            raise ValueError(f"codes of positions are whole numbers from 0 to {most}")
        return codes

    def _checked(self, actions: np.ndarray) -> np.ndarray:
        """Return the actions if there is one for each game, and each is a number of a move."""
        actions, most = np.asarray(actions), len(self.moves) - 1
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"the actions must be {self.n} whole numbers, not {actions.dtype} of shape"
                f" {actions.shape}"
            )
        if actions.min() < 0 or actions.max() > most:
            wrong = int(np.argmax((actions < 0) | (actions > most)))
            raise ValueError(
                f"game {wrong} (counted from 0) has action {actions[wrong]}; the actions are 0 to"
                f" {most}"
            )
        return actions.astype(np.int64, copy=False)
