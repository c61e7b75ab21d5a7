"""What rows of scripts/bench.toml run that is longer than a line: peers, and positions to ask."""

from __future__ import annotations

import contextlib
import os
import random
import time
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import islice
from typing import Any

import numpy as np

from solver import MappedTable, TableAgent, load_game
from solver.tables.book import Book, open_book
from solver.tables.oracle import Oracle
from solver.tables.store import shipped_directory
from solver.value import Outcome, distance
from solver.value import score as score_of

SEVEN: Any = load_game("connect4")
Moves = list[int]


def easy_ai() -> None:
    """Run easyAI's iterative deepening on its own tic-tac-toe, with a table."""
    from easyAI import TranspositionTable, solve_with_iterative_deepening
    from easyAI.games.TicTacToe import TicTacToe

    class Hashable(TicTacToe):  # type: ignore[misc]
        def ttentry(self) -> tuple[int, ...]:
            return tuple(self.board)

    with open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet):
        table = TranspositionTable()
        solve_with_iterative_deepening(Hashable([None, None]), range(2, 10), 100, tt=table)


def pettingzoo() -> Callable[[], int]:
    """Return a function that plays a game in PettingZoo's tictactoe_v3 and counts its moves."""
    from pettingzoo.classic import tictactoe_v3

    env, generator = tictactoe_v3.env(), random.Random(0)

    def play() -> int:
        env.reset()
        made = -2  # since each side then takes its leave
        for _ in env.agent_iter():
            observation, _, *ended, _ = env.last()
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            env.step(None if any(ended) else generator.choice(legal))
            made += 1
        return made

    return play


def positions_of(agent: TableAgent, count: int) -> tuple[list[Any], list[str]]:
    """Return positions of random games that are not over, and their texts."""
    game, games, positions = agent.game, drawn(0, range(25), agent.game), dict[str, Any]()
    while len(positions) < count:
        p = after(next(games), game)
        positions[game.text(p)] = p
    return [*positions.values()], [*positions]


def keys_at(table: MappedTable, places: np.ndarray) -> np.ndarray:
    """Return the keys of the entries at some places of a table whose keys are not mixed."""
    buckets = np.searchsorted(np.asarray(table.arrays["offsets"]), places, side="right") - 1
    low = np.asarray(table.arrays["remainders"])[places]
    keys: np.ndarray = buckets.astype(np.int64) << table.layout.width | low
    return keys


def after(moves: Moves, game: Any = SEVEN) -> Any:
    """Return the position of a game, by default Connect 4 on 7x6, after some moves."""
    return reduce(game.play, moves, game.initial())


def drawn(seed: int, plies: range, game: Any = SEVEN) -> Iterator[Moves]:
    """Yield beginnings of random games that are not over, of random lengths."""
    games, lengths = random.Random(seed), random.Random(seed)
    while True:
        p, moves = game.initial(), []
        while game.primitive(p) is None:
            moves.append(games.choice(game.moves(p)))
            p = game.play(p, moves[-1])
        length = lengths.choice(plies)
        if length < len(moves):
            yield moves[:length]


def taken(count: int, seed: int, plies: range, game: Any = SEVEN) -> list[Moves]:
    """Return so many beginnings of random games."""
    return list(islice(drawn(seed, plies, game), count))


def games_of(name: str) -> list[Moves]:
    """Return the games of a set; those with 14 to 27 plies left are like Pascal Pons's."""
    if name == "the empty board":
        return [[]]
    if name.startswith("random"):
        ply = int(name.rsplit(maxsplit=1)[-1])
        return taken(60, {12: 1, 16: 2}[ply], range(ply, ply + 1))
    search, middle = SEVEN.search(), name.startswith("middle")
    games = (g for g in drawn(3, range(15, 29) if middle else range(15)) if len(g) > 7 or middle)
    left = ((g, distance(search.score(after(g)))) for g in games)
    return list(islice((g for g, n in left if 14 <= (42 - len(g) if n is None else n) < 28), 60))


def ask_search(figures: dict[str, Any], search: Any, games: list[Moves]) -> None:
    """Time the search, compiled by `search`, with an empty table before each position."""
    latest = [search]

    def renew() -> None:
        latest[0] = SEVEN.search()

    _timed(figures, games, lambda moves: int(latest[0].score(after(moves))), renew)


def ask_book(figures: dict[str, Any], booked: list[Moves], searched: list[Moves]) -> None:
    """Time the shipped book where it has a position, and the search elsewhere."""
    book, search = _book(), SEVEN.search()

    def score(moves: Moves) -> int:
        stored = book.score(SEVEN.canonical(after(moves))) if len(moves) <= book.depth else None
        return int(search.score(after(moves)) if stored is None else stored)

    _timed(figures, booked + searched, score)


def ask_bitbully(figures: dict[str, Any], games: list[Moves], book: str | None = None) -> None:
    """Time BitBully, a solver in C++ by Markus Thill, with or without a book of its own."""
    from bitbully import BitBully, Board

    solver = BitBully(opening_book=book)

    def score(moves: Moves) -> int:
        """Return a score like ours; BitBully counts the stones that the winner has left, from 1."""
        stones = int(solver.mtdf(Board(moves)))
        plies = 44 - len(moves) - 2 * abs(stones)
        plies -= plies % 2 != (stones > 0)
        return score_of(Outcome((stones > 0) - (stones < 0)), plies)

    _timed(figures, games, score, None if book else solver.reset_transposition_table)


def _timed(
    figures: dict[str, Any],
    games: list[Moves],
    score: Callable[[Moves], int],
    forget: Callable[[], object] | None = None,
) -> None:
    spent, scores = 0.0, []
    for moves in games:
        if forget is not None:
            forget()
        start = time.process_time()
        scores.append(score(moves))
        spent += time.process_time() - start
    figures.update(each=spent, of=len(games), same=scores)


def booked() -> list[Moves]:
    """Return a game to each position of the shipped book, up to mirroring."""
    games: list[Moves] = [[]]
    every = []
    while len(games[0]) <= _book().depth:
        every += games
        longer = {
            SEVEN.canonical(after([*g, m])): [*g, m] for g in games for m in SEVEN.moves(after(g))
        }
        games = [moves for p, moves in longer.items() if SEVEN.primitive(p) is None]
    return every


def _book() -> Book:
    return open_book(f"{shipped_directory()}/connect4-7x6.book", SEVEN)


def value_moves(figures: dict[str, Any], plies: range, count: int, processors: int = 0) -> None:
    """Time the values of all moves, with traps, of random positions, by the clock.

    On so many processors, or all.
    """
    os.cpu_count = lambda: processors or len(os.sched_getaffinity(0))
    times, book = [], _book()
    for seed in range(-1, count):  # the first compiles
        p = after(next(drawn(seed, plies)))
        agent = TableAgent(Oracle(SEVEN, book))  # with nothing cached
        start = time.perf_counter()
        agent.scores_at(p)
        times.append(time.perf_counter() - start)
    times = sorted(times[1:])
    late = times[count * 95 // 100]
    figures.update({"s mean": sum(times) / count, "s p95": late, "s max": times[-1], "each": late})
