"""Measures the search of Connect 4 on 7x6, and compares its answers with BitBully's.

    python -m scripts.bench_search             measure and print; a part of `scripts.bench`
    python -m scripts.bench_search --write     also write the table into docs/measurements.md
    python -m scripts.bench_search --agree N   compare the scores of N random positions, plies 8-40
    python -m scripts.bench_search --books N   compare the whole book, and N positions of ply 12,
                                               with BitBully's book of twelve plies

BitBully, a solver in C++ by Markus Thill, is a peer in the extra `bench`. To compare times, both
have no book and empty tables before each position, and take turns. Times are CPU times.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from scripts.measure import run
from scripts.sections import MEASUREMENTS, table, write_section
from solver import TableAgent, load_game
from solver.tables.book import Book, open_book
from solver.tables.oracle import Oracle
from solver.tables.store import shipped_directory
from solver.value import Outcome, distance, outcome

GAME: Any = load_game("connect4")
SQUARES = GAME.columns * GAME.rows
COUNT = 60  # positions of a set
RANDOM = 500  # positions whose moves are all valued
EDGE_PLY, EDGE = 8, 200  # the last ply of the book, whose moves are searched, and positions there
Row = tuple[str, str, str]  # what was measured, the result, what it is compared with


def searched() -> str:
    """Return the table of all that is measured, which takes minutes."""
    sets = _sets() | {"the empty board": [[]]}
    rows = [*(_compared(name, games) for name, games in sets.items()), *_valued(), _fresh()]
    return table("measured|result|compared with", rows)


def _games(seed: int) -> Iterator[list[int]]:
    """Yield the moves of random games, played to their ends."""
    generator = random.Random(seed)
    while True:
        p, moves = GAME.initial(), []
        while GAME.primitive(p) is None:
            moves.append(generator.choice(GAME.moves(p)))
            p = GAME.play(p, moves[-1])
        yield moves


def _drawn(seed: int, plies: range) -> Iterator[list[int]]:
    """Yield beginnings of random games that are not over, of random lengths."""
    generator = random.Random(seed)
    for moves in _games(seed):
        length = generator.choice(plies)
        if length < len(moves):
            yield moves[:length]


def _sets() -> dict[str, list[list[int]]]:
    """Return games by the name of their set; the last two are like those of Pascal Pons."""
    sets: dict[str, list[list[int]]] = {
        "random, ply 12": _take(_drawn(1, range(12, 13))),
        "random, ply 16": _take(_drawn(2, range(16, 17))),
    }
    search = GAME.search()
    for name, plies in (("middle-medium", range(15, 29)), ("begin-medium", range(15))):
        medium = (
            moves
            for moves in _drawn(3, plies)
            if len(moves) > 7 or name == "middle-medium"
            if 14 <= _left(search.score(_position(moves)), moves) < 28
        )
        sets[f"{name}: 14 to 27 plies left"] = _take(medium)
    return sets


def _take(games: Iterator[list[int]]) -> list[list[int]]:
    return [next(games) for _ in range(COUNT)]


def _left(score: int, moves: list[int]) -> int:
    """Return the plies to the end of the game under perfect play."""
    found = distance(score)
    return SQUARES - len(moves) if found is None else found


def _position(moves: list[int]) -> int:
    p: int = GAME.initial()
    for m in moves:
        p = GAME.play(p, m)
    return p


def _peer(book: str | None = None) -> tuple[Any, Any] | None:
    """Return BitBully, with a book of its own or without, and its class of boards, if installed."""
    try:
        from bitbully import BitBully, Board
    except ImportError:
        return None
    return BitBully(opening_book=book), Board


def _book() -> Book:
    """Return the shipped book."""
    return open_book(f"{shipped_directory()}/connect4-7x6.book", GAME)


def _required_peer(book: str | None = None) -> tuple[Any, Any]:
    peer = _peer(book)
    if peer is None:
        raise SystemExit("install the extra bench, which has BitBully")
    return peer


def _timed(call: Callable[[], int]) -> tuple[float, int]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def _compared(name: str, games: list[list[int]]) -> Row:
    """Return the mean times of both programs for the positions after some games."""
    search, peer, ours, theirs = GAME.search(), _peer(), 0.0, 0.0
    search.score(_position([3] * 6 + [2] * 6))  # compiled before it is timed
    for moves in games:
        search = GAME.search()
        seconds, score = _timed(partial(search.score, _position(moves)))
        ours += seconds
        if peer is not None:
            peer[0].reset_transposition_table()
            seconds, found = _timed(_ask(peer, moves))
            theirs += seconds
            check(score, found, moves)
    mean = f"{1000 * ours / len(games):,.2f} ms"
    if peer is None:
        return f"search 7x6: {name}", mean, "BitBully: not installed"
    target = 0.5 if games[0] else 0.25
    ratio = f"{ours / theirs:.2f} of BitBully's {1000 * theirs / len(games):,.1f} ms"
    ratio += f"; target: {target}"
    return f"search 7x6: {name}", mean, ratio


def _ask(peer: tuple[Any, Any], moves: list[int]) -> Callable[[], int]:
    """Return a function that asks BitBully for the score after a game."""
    solver, board_class = peer
    board = board_class(moves)
    return lambda: int(solver.mtdf(board))


def check(score: int, peers: int, moves: list[int]) -> None:
    """Raise AssertionError unless a score is the one that a peer gives after a game.

    Peers count the stones that the winner has left: a win with the last stone is 1.
    """
    plies = distance(score)
    theirs = None
    if peers:
        theirs = SQUARES + 2 - len(moves) - 2 * abs(peers)
        theirs -= theirs % 2 != (peers > 0)
    same = (peers > 0) - (peers < 0) == outcome(score) and plies == theirs
    assert same, f"{''.join(str(m + 1) for m in moves)}: {score}, BitBully {peers}"


def _valued() -> list[Row]:
    """Measure the values of all moves, with traps, of random positions: of all plies, of one."""
    rows, book = [], _book()
    for name, target, plies, count in (
        ("all plies", 1, range(SQUARES), RANDOM),
        (f"ply {EDGE_PLY}, where the book ends", 2, range(EDGE_PLY, EDGE_PLY + 1), EDGE),
    ):
        times = []
        for seed in range(count):
            p = _position(next(_drawn(seed, plies)))
            agent = TableAgent(Oracle(GAME, book))  # with nothing remembered
            start = time.process_time()
            agent.scores_at(p)
            times.append(time.process_time() - start)
        times.sort()
        mean, p95 = sum(times) / count, times[count * 95 // 100]
        result = (
            f"mean {1000 * mean:.0f} ms, p95 {1000 * p95:.0f} ms, max {1000 * times[-1]:.0f} ms"
        )
        rows.append((f"every move of 7x6 with traps, {name}", result, f"p95 target: {target} s"))
    return rows


def _fresh() -> Row:
    """Measure a new process up to its first answer."""
    code = "from solver import open_agent; print(open_agent('connect4').best_move('4444443526'))"
    run([sys.executable, "-c", code], {})  # compiles
    fresh = run([sys.executable, "-c", code], {})
    peak = f"{fresh.megabytes:.0f} MB; target: 2 s, 250 MB"
    return "7x6: a new process and its first answer", f"{fresh.cpu:.1f} s", peak


def agree(count: int) -> Row:
    """Compare the scores of random positions of plies 8 to 40 with BitBully's."""
    peer, search, games = _required_peer(), GAME.search(), _drawn(5, range(8, 41))
    results = dict.fromkeys(Outcome, 0)
    for _ in range(count):
        moves = next(games)
        score = search.score(_position(moves))
        check(score, _ask(peer, moves)(), moves)
        results[outcome(score)] += 1
    found = ", ".join(f"{n:,} {o}" for o, n in results.items())
    return "scores compared with BitBully's", f"{count:,} positions, none differs", found


def books(count: int) -> list[Row]:
    """Compare every score of the shipped book, and the search at ply 12, with BitBully's book."""
    peer = _required_peer("12-ply-dist")
    book = _book()
    games: list[list[int]] = [[]]  # one to each position of a ply, up to mirroring
    compared = 0
    while games and len(games[0]) <= book.depth:
        for moves in games:
            score = book.score(GAME.canonical(_position(moves)))
            assert score is not None, moves
            check(score, _ask(peer, moves)(), moves)
        compared += len(games)
        longer = [[*moves, m] for moves in games for m in GAME.moves(_position(moves))]
        after = {GAME.canonical(_position(moves)): moves for moves in longer}
        games = [moves for p, moves in after.items() if GAME.primitive(p) is None]
    search, later = GAME.search(), _drawn(6, range(12, 13))
    for _ in range(count):
        moves = next(later)
        check(search.score(_position(moves)), _ask(peer, moves)(), moves)
    return [
        ("scores of the book compared with BitBully's book", f"{compared:,}, none differs", "all"),
        ("scores of ply 12 compared with BitBully's book", f"{count:,}, none differs", "seed 6"),
    ]


if __name__ == "__main__":
    options = sys.argv[1:]
    if "--agree" in options:
        print(" | ".join(agree(int(options[options.index("--agree") + 1]))))
    elif "--books" in options:
        for row in books(int(options[options.index("--books") + 1])):
            print(" | ".join(row))
    else:
        found = searched()
        print(found)
        if "--write" in options:
            write_section(MEASUREMENTS, "search", found)
