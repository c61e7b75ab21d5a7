"""Compares the results that the source documents print with exact ones.

    python -m scripts.printed_results           print the tables
    python -m scripts.printed_results --write   also write them into docs/explanation

A printed result is a sample of games. `chance` is the probability that a sample of as many games
gives counts that are at most as likely as the printed ones, computed from the exact probabilities:
a small chance says that the printed program was not the player measured here.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from scripts.sections import DOCS, write_section
from solver import Result, TableAgent, load_player, play_exact

BOOK = "Chapter 2: Rule-Based AI: Tic Tac Toe"
BLOG = "Bot plays Tic-Tac-Toe using One-step lookahead, Rishabh Goel"

SHORT = {BOOK: "Chapter 2", BLOG: "Goel"}


class Printed(NamedTuple):
    """A match that a document prints: wins, draws and losses of the first-named player."""

    source: str
    a: str
    b: str
    counts: tuple[int, int, int]
    both: bool
    """Whether a moved first in half of the games only, or in all."""


PRINTED = (
    Printed(BOOK, "think1", "random", (653, 75, 272), True),
    Printed(BOOK, "think2", "think1", (773, 137, 90), True),
    Printed(BOOK, "think3", "think2", (323, 375, 302), True),
    Printed(BLOG, "lookahead1:printed", "random", (98, 1, 1), False),
    Printed(BLOG, "lookahead1:printed", "lookahead1:printed", (30, 46, 24), False),
    Printed(BLOG, "lookahead1", "random", (98, 1, 1), False),
    Printed(BLOG, "lookahead1", "lookahead1", (30, 46, 24), False),
)
WEAKER = (
    "random",
    "win",
    "winblock",
    "think1",
    "think2",
    "think3",
    "lookahead1",
    "center-first",
    "corner-first",
)


def chance(counts: tuple[int, int, int], results: list[Result]) -> float:
    """Return the probability of a sample at most as likely as `counts`.

    `results` has one exact result for each game of the sample. The distribution of the number of
    wins and draws is built up game by game, by additions and products of positive numbers only, so
    nothing is lost by rounding.
    """
    size = len(results)
    likely = np.zeros((size + 1, size + 1))  # by wins and draws
    likely[0, 0] = 1.0
    for played, (win, draw, loss) in enumerate(results):
        part = likely[: played + 2, : played + 2]
        after = part * loss
        after[1:] += part[:-1] * win
        after[:, 1:] += part[:, :-1] * draw
        part[:] = after
    seen = likely[counts[0], counts[1]]
    return float(likely[likely <= seen * (1 + 1e-9)].sum())


def printed_table(agent: TableAgent) -> list[str]:
    """Return the table of printed results beside exact ones."""
    first = _exact(agent, "random", "random")[0]
    lines = [
        "| match | source | printed | exact: win, draw, loss | chance |",
        "|---|---|---|---|---|",
        f"| random v random, moving first | {SHORT[BLOG]} | 59% win | {_percent(first)} | - |",
    ]
    for row in PRINTED:
        first, second, both = _exact(agent, row.a, row.b)
        size = sum(row.counts)
        games = [first, second] * (size // 2) if row.both else [first] * size
        shown = both if row.both else first
        seats = "half first" if row.both else "moving first"
        lines.append(
            f"| {row.a} v {row.b}, {seats} | {SHORT[row.source]} | {_counts(row.counts)}"
            f" of {size:,} | {_percent(shown)} | {chance(row.counts, games):.2g} |"
        )
    return lines


def street_smart_table(agent: TableAgent) -> list[str]:
    """Return the table that shows whether the street-smart tie-break pays."""
    lines = [
        "| against | minimax | perfect |",
        "|---|---|---|",
    ]
    for name in WEAKER:
        results = (_exact(agent, a, name)[2] for a in ("minimax", "perfect"))
        lines.append(f"| {name} | {' | '.join(_percent(result) for result in results)} |")
    return lines


def _exact(agent: TableAgent, a: str, b: str) -> tuple[Result, Result, Result]:
    match = play_exact(agent.game, load_player(a, agent), load_player(b, agent))
    return match.a_first, match.a_second, match.both


def _percent(result: Result) -> str:
    return ", ".join(f"{share:.2%}" for share in result)


def _counts(counts: tuple[int, int, int]) -> str:
    return ", ".join(str(count) for count in counts)


def tables(agent: TableAgent) -> dict[tuple[str, str], list[str]]:
    """Return the lines of each table by page and section."""
    return {
        ("exact-matches.md", "printed"): printed_table(agent),
        ("street-smart.md", "street-smart"): street_smart_table(agent),
    }


def main() -> None:
    """Print the tables."""
    for (page, name), lines in tables(TableAgent()).items():
        print("\n".join(lines) + "\n")
        if "--write" in sys.argv[1:]:
            write_section(DOCS / "explanation" / page, name, "\n".join(lines))


if __name__ == "__main__":
    main()
