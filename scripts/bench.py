"""Measures speed, size and memory, with ratios taken within one run; prints a table.

    python -m scripts.bench           measure and print
    python -m scripts.bench --write   also write the table into docs/measurements.md and README.md

Absolute times depend on the machine; the targets are about ratios. The table says which peers are
not installed (`pip install '.[bench]'`).
"""

from __future__ import annotations

import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np

from scripts.bench_calls import calls
from scripts.bench_env import environments
from scripts.bench_large import large
from scripts.bench_optimality import judged
from scripts.bench_own_games import own_games
from scripts.bench_page import visited
from scripts.bench_search import searched
from scripts.bench_start import starts
from scripts.bench_web import served
from scripts.docs import summary
from scripts.sections import MEASUREMENTS, README, write_section
from solver import TableAgent, grade, load_game, load_player, play_exact, solve, verify
from solver.files import save
from solver.solving.search import Search
from solver.tables.json_table import encode

ROOT = Path(__file__).parent.parent
BOARD = "X...O...."
Row = tuple[str, str, str]  # what was measured, the result, what it is compared with


def seconds(call: Callable[[], object], runs: int = 5) -> float:
    """Return the median CPU time of a call."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times)


def per_call(call: Callable[[], object], count: int) -> float:
    """Return the least mean time of `count` calls over several rounds, in nanoseconds."""
    rounds = []
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(count):
            call()
        rounds.append((time.perf_counter() - start) / count * 1e9)
    return min(rounds)


def savings() -> list[Row]:
    """Measure what memo, symmetry and alpha-beta each save at the start of the game."""
    game = load_game("tictactoe")
    rows = []
    plain = 0.0
    for memo, symmetry, alpha_beta in product((False, True), repeat=3):
        searchers = [Search(game, memo, symmetry, alpha_beta) for _ in range(5 if memo else 1)]
        unused = iter(searchers)
        spent = seconds(lambda: next(unused).score(game.initial()), len(searchers))  # noqa: B023
        plain = plain or spent
        used = zip((memo, symmetry, alpha_beta), ("memo", "symmetry", "alpha-beta"), strict=True)
        names = " + ".join(name for on, name in used if on) or "plain minimax"
        rows.append(
            (
                f"score the start: {names}",
                f"{searchers[0].visited:,} positions",
                f"{plain / spent:.0f}x as fast as plain",
            )
        )
    return rows


def solving() -> list[Row]:
    """Measure a complete solve, start to file, and its proof, and peers."""
    game = load_game("tictactoe")
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "table.json")
        ours = seconds(lambda: save(path, encode(solve(game, "search"))))
        start = time.perf_counter()
        save(path, encode(solve(game, "search")))
        wall = time.perf_counter() - start
        data = Path(path).read_bytes()
    proof = seconds(lambda: verify(data))
    rows = [
        (
            "solve tic-tac-toe, start to file",
            f"{ours * 1000:.0f} ms ({wall * 1000:.0f} ms elapsed)",
            "target: 100 ms",
        ),
        ("prove the table", f"{proof * 1000:.0f} ms", f"{proof / ours:.1f}x the solve"),
        ("size of the table", f"{len(data):,} bytes", "target: 100,000 bytes"),
    ]
    for name, peer in (("OpenSpiel, alpha-beta, the root only", open_spiel), ("easyAI", easy_ai)):
        try:
            found = peer()
            theirs = seconds(peer, 3)
        except ImportError:
            rows.append((name, "not installed", "-"))
        else:
            missing = f", {5478 - found:,} positions missing" if found else ""
            row = (f"{theirs * 1000:.0f} ms", f"{theirs / ours:.1f}x our complete solve")
            rows.append((name + missing, *row))
    return rows


def open_spiel() -> int:
    """Run OpenSpiel's alpha-beta search from the start of tic-tac-toe."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    minimax.alpha_beta_search(pyspiel.load_game("tic_tac_toe"))
    return 0


def easy_ai() -> int:
    """Run easyAI's iterative deepening, and return how many positions its table holds."""
    from easyAI import TranspositionTable, TwoPlayerGame, solve_with_iterative_deepening

    class TicTacToe(TwoPlayerGame):  # type: ignore[misc]
        lines = (
            (1, 2, 3),
            (4, 5, 6),
            (7, 8, 9),
            (1, 4, 7),
            (2, 5, 8),
            (3, 6, 9),
            (1, 5, 9),
            (3, 5, 7),
        )

        def __init__(self) -> None:
            self.players = [None, None]
            self.board = [0] * 9
            self.current_player = 1

        def possible_moves(self) -> list[int]:
            return [i + 1 for i, mark in enumerate(self.board) if mark == 0]

        def make_move(self, move: int) -> None:
            self.board[int(move) - 1] = self.current_player

        def unmake_move(self, move: int) -> None:
            self.board[int(move) - 1] = 0

        def lose(self) -> bool:
            other = self.opponent_index
            return any(all(self.board[c - 1] == other for c in line) for line in self.lines)

        def is_over(self) -> bool:
            return not self.possible_moves() or self.lose()

        def show(self) -> None: ...

        def scoring(self) -> int:
            return -100 if self.lose() else 0

        def ttentry(self) -> str:
            return "".join(".OX"[i] for i in self.board)

    with open(os.devnull, "w") as quiet:
        stdout, sys.stdout = sys.stdout, quiet
        try:
            table = TranspositionTable()
            depths = range(2, 10)
            solve_with_iterative_deepening(TicTacToe(), depths, win_score=100, tt=table)
        finally:
            sys.stdout = stdout
    return len(table.d)


def look_ups() -> list[Row]:
    """Measure look-ups of one board at a time, and of arrays of boards."""
    agent = TableAgent()
    bare = {BOARD: agent.best_move(BOARD)}
    get, ask = bare.get, agent.best_move
    theirs = per_call(lambda: get(BOARD), 300_000)
    ours = per_call(lambda: ask(BOARD), 300_000)
    idle = per_call(lambda: None, 300_000)
    rows = [
        (
            "best_move of a string, repeated",
            f"{ours - idle:.0f} ns",
            f"{(ours - idle) / (theirs - idle):.1f}x a bare dict get; target: 3x",
        )
    ]

    texts = [agent.game.text(p) for p, _ in agent.table.positions()]
    fresh = TableAgent()
    start = time.perf_counter()
    for text in texts:
        fresh.best_move(text)
    first = (time.perf_counter() - start) / len(texts)
    rows.append(("the same, first time", f"{first * 1e6:.0f} µs", "-"))

    size = 1_000_000
    batch = agent.batch
    legal = np.flatnonzero(batch.moves > -2)
    codes = np.random.default_rng(0).choice(legal, size)
    boards = np.stack([codes // 3**cell % 3 - 1 for cell in range(9)], 1).astype(np.int8)
    whole = per_call(lambda: agent.best_moves(boards), 1) / size
    encoded = per_call(lambda: batch.look_up(codes), 1) / size
    take = per_call(lambda: np.take(batch.moves, codes), 1) / size
    rows.append(
        ("best_moves of an array", f"{1000 / whole:,.0f} million boards/s", "target: 10 million/s")
    )
    rows.append(
        (
            "the same, once encoded",
            f"{encoded:.2f} ns a board",
            f"{encoded / take:.1f}x a bare np.take; target: 2x",
        )
    )
    return rows


def contests() -> list[Row]:
    """Measure an exact match and a grade, called as users call them."""
    agent = TableAgent()

    def play() -> None:
        play_exact(agent.game, load_player("think3", agent), load_player("random", agent))

    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "bot.py")
        path.write_text(
            "def move(board, side):\n"
            "    return next((r, c) for r in range(3) for c in range(3) if not board[r][c])\n"
        )
        spec = f"{path}:move"
        times = []
        for _ in range(5):
            start = time.perf_counter()
            grade(spec, agent, deterministic=True)
            times.append(time.perf_counter() - start)
    return [
        ("exact match, think3 v random", f"{seconds(play) * 1000:.0f} ms", "target: 200 ms"),
        (
            "grade of a player in a process of its own",
            f"{statistics.median(times) * 1000:.0f} ms",
            "target: 1000 ms",
        ),
    ]


def start_up() -> list[Row]:
    """Measure a new process up to its first answer, and one that does nothing."""
    answer = "from solver import TableAgent; TableAgent().best_move('.........')"
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    times: dict[str, list[float]] = {"pass": [], answer: []}
    for _ in range(31):  # in turn, so that both see the same machine
        for code, taken in times.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, env=environment, cwd=ROOT)
            taken.append(time.perf_counter() - start)
    bare, ours = (statistics.median(taken[1:]) for taken in times.values())
    return [
        (
            "a new process and its first answer",
            f"{ours * 1000:.0f} ms",
            f"{ours / bare:.2f}x python -c pass; target: 2.5x",
        )
    ]


def others() -> list[Row]:
    """Measure Connect 4 on four columns and three rows, and a peer's value iteration."""
    game = load_game("connect4:4x3")
    ours = seconds(lambda: solve(game), 3)
    rows = [
        (
            "solve Connect 4 4x3 in plain Python",
            f"{ours * 1000:.0f} ms",
            "every position, with distances",
        )
    ]
    name = "OpenSpiel, value iteration of the same"
    try:
        import pyspiel
        from open_spiel.python.algorithms import value_iteration
    except ImportError:
        return [*rows, (name, "not installed", "-")]
    peer = pyspiel.load_game("connect_four(rows=3,columns=4)")
    theirs = seconds(lambda: value_iteration.value_iteration(peer, -1, 0.01), 1)
    return [*rows, (name, f"{theirs:.1f} s", f"{theirs / ours:.0f}x ours; no distances")]


def apart(module: str) -> list[Row]:
    """Run a module in a small process of its own; return the rows that it prints.

    On Linux the peak memory of a process is at least that of the process that started it.
    """
    done = subprocess.run(
        [sys.executable, "-m", module], check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    cells = [line.strip("| ").split(" | ") for line in done.stdout.splitlines()]
    return [(what, result, compared) for what, result, compared in cells]


def main() -> None:
    """Measure everything and print the table."""
    rows = [
        *savings(),
        *solving(),
        *look_ups(),
        *judged(),
        *calls(),
        *contests(),
        *start_up(),
        *starts(),
        *others(),
        *environments(),
        *large(),
        *apart("scripts.bench_cluster"),
        *served(),
        *visited(),
    ]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = ["| measured | result | compared with |", "|---|---|---|"]
    lines += [f"| {what} | {result} | {compared} |" for what, result, compared in rows]
    lines.append(
        f"\nCPU times (medians) with Python {platform.python_version()};"
        f" peak memory of the whole run {peak:.0f} MB."
    )
    sections: tuple[tuple[Path, str, Callable[[], str]], ...] = (
        (MEASUREMENTS, "bench", lambda: "\n".join(lines)),
        (README, "summary", summary),
        (MEASUREMENTS, "search", searched),
        (MEASUREMENTS, "own games", own_games),
        (README, "summary", summary),
    )
    for page, name, measure in sections:
        section = measure()
        if page == MEASUREMENTS:
            print(section, flush=True)
        if "--write" in sys.argv[1:]:
            write_section(page, name, section)


if __name__ == "__main__":
    main()
