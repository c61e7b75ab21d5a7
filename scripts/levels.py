"""Finds the levels easy, medium and hard of the listed games, and writes data/levels.json.

    python -m scripts.levels                      every listed game whose table is solved
    python -m scripts.levels tictactoe notakto    these games; the others keep their levels

For each word it finds the P, in hundredths, at which `random`, first in half of the games, wins the
share of games nearest to the target against `level:P`. Results are exact where `arena` is exact,
otherwise sampled. A game without a solved table has no levels: `perfectplay solve` makes one.
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_left
from contextlib import suppress
from functools import cache
from typing import Any

from solver import (
    MatchTooLargeError,
    TableAgent,
    load_game,
    load_player,
    open_agent,
    play_exact,
    play_sampled,
)
from solver.arena.match import Match, interval
from solver.files import save
from solver.games.catalogue import GAMES
from solver.players.from_table import all_levels
from solver.tables.store import find_table, shipped_directory

TARGETS = {"easy": (0.30, 0.03), "medium": (0.10, 0.02), "hard": (0.02, 0.01)}
"""The share of games that `random` should win, and how far it may be off."""
SEARCH, FINAL = 2_000, 10_000  # games sampled to find P, and to measure the share
SEED = 0
LARGEST = 200_000  # positions of a game to match exactly; beyond it the listed games take too long


def play(agent: TableAgent, hundredths: int, games: int) -> Match:
    """Return the match of `random` against the level with this P in hundredths."""
    random, level = (load_player(name, agent) for name in ("random", f"level:{hundredths / 100}"))
    if agent.table.counts["positions"] <= LARGEST:
        with suppress(MatchTooLargeError):
            return play_exact(agent.game, random, level)
    return play_sampled(agent.game, random, level, games, SEED)


def levels(agent: TableAgent) -> dict[str, dict[str, Any]]:
    """Return the levels of the agent's game as stored."""
    wins = cache(lambda hundredths: play(agent, hundredths, SEARCH).both.win)
    by_word = {}
    for word, (target, _) in TARGETS.items():
        place = bisect_left(range(100), -target, key=lambda p: -wins(p))  # wins fall as P rises
        nearest = min((max(0, place - 1), place), key=lambda p: abs(wins(p) - target))
        match = play(agent, nearest, FINAL)
        by_word[word] = {"p": nearest / 100, "random_wins": round(match.both.win, 4)}
        if match.games:
            by_word[word] |= {"games": match.games, "seed": SEED}
    return by_word


def write(changed: dict[str, Any]) -> None:
    """Write the levels of some games beside those of the others, in the order of the list."""
    stored = {**all_levels(), **changed}
    ordered = {game.spec: stored[game.spec] for game in GAMES if game.spec in stored}
    lines = ",\n".join(f"{json.dumps(spec)}: {json.dumps(of)}" for spec, of in ordered.items())
    save(f"{shipped_directory()}/levels.json", f"{{\n{lines}\n}}\n".encode())
    all_levels.cache_clear()


def rows() -> list[tuple[str, ...]]:
    """Return the rows of the table in the docs: each P, and how often `random` wins."""
    lines = []
    for spec, words in all_levels().items():
        cells = []
        for word, (target, tolerance) in TARGETS.items():
            p, share, games = (words[word].get(name, 0) for name in ("p", "random_wins", "games"))
            low, high = interval(share, games)
            sampled = f"; {low:.1%} to {high:.1%}" if games else ""
            missed = "; the nearest" if abs(share - target) > tolerance else ""
            cells.append(f"{p:.2f} ({share:.1%}{sampled}{missed})")
        lines.append((f"`{spec}`", *cells))
    return lines


def main() -> None:
    """Find the levels of the games named, or of every listed game."""
    for spec in sys.argv[1:] or [game.spec for game in GAMES]:
        try:
            agent = open_agent(load_game(spec), find_table(load_game(spec).spec, spec))
        except FileNotFoundError as error:
            print(f"{spec}: {error}")
            continue
        write({agent.game.spec: levels(agent)})
        print(f"{spec}: {all_levels()[agent.game.spec]}", flush=True)


if __name__ == "__main__":
    main()
