"""The report on a game in words, for somebody who knows no game theory.

Takes a Report; returns its sections: a title, what was found, a table, and what it means. The
terminal and the web page show the same ones.
"""

from __future__ import annotations

from textwrap import fill
from typing import NamedTuple

from solver.agent.words import moves_text, value_text
from solver.arena.match import interval
from solver.arena.report import SLACK, MatchUp, Report, Row, in_digits
from solver.cli.output import align, counted
from solver.cli.tables import RESULTS
from solver.rules.notation import sort_labels
from solver.value import Outcome

WIDTH = 79  # columns of a terminal
LISTED = 12  # first moves named in a line

BEST = "This is the result if nobody ever makes a mistake."
FIRST = (
    "A first move wins, draws or loses for the player who makes it, if nobody makes a mistake after"
    " it. The more of them win, the greater the advantage of moving first."
)
SWAP = (
    "Under the swap rule, one player makes the first move, and then the other chooses a side. A"
    " first move is fair if neither side is better off: the game is a draw after it."
)
MATCHES = (
    "A random player makes any legal move, as a beginner does who sees nothing. A perfect player"
    " never makes a mistake. A player level:P makes the perfect player's move with probability P"
    " and otherwise any; the second row has the level easy. Mean to longest are lengths, in moves"
    " of both sides: half of the games end within the median, and 95 % within the number after it."
    " The greater the difference between the rows, the more skill matters."
)
SAMPLED = (
    "A row with games behind it is an estimate from so many games, with 95 % intervals, since all"
    " positions were too many for the time; a game in which a position occurs for the third time"
    " is a draw there. A larger --budget gives more time."
)
CYCLES = (
    "Positions can repeat. Lengths are without the rule that a third repetition is a draw; a game"
    " that never ends counts as a draw."
)
SLIPS = "The higher this share, the harder it is to keep a lead."
DECIDED = (
    "From then on no move changes who wins. A game that is decided long before it ends feels long,"
    " and one that is decided by its last moves stays open."
)
SINGLE = (
    "A high share makes a game sharp, since one mistake costs the result; a low share makes it"
    " forgiving. The table has the positions by the fewest moves that lead there: won, drawn and"
    " lost for the side to move, the moves that it can choose from on average and at most, and the"
    " share with exactly one good move."
)
KNOWN = (
    "The more there is to know, the longer a game stays interesting. Positions that are mirrored or"
    " turned count once, and fewer may do: `perfectplay strategy` looks for the fewest."
)
SIZE = "Two games are different if any of their moves is. The larger the game, the more to explore."


class Section(NamedTuple):
    """A part of the report; the first of its rows is a heading."""

    title: str
    found: list[str]
    meaning: str
    rows: list[tuple[str, ...]] = []  # noqa: RUF012 -- never changed


def sections(report: Report, known: tuple[str, int] | None) -> list[Section]:
    """Return the parts of the report; `known` is a side, and how many positions it must know."""
    total, plies = report.total, report.distance
    result = f"{RESULTS[str(report.outcome)]} with perfect play"
    if plies is not None:
        result += f", {moves_text(plies)}" + (f" ({plies} of both sides)" if plies > 1 else "")
    parts = [
        Section("Who wins", [f"{report.game}: {result}."], BEST),
        Section("First moves", [_first_moves(report)], FIRST),
        Section("Fair first moves", [_fair(report)], SWAP),
        _matches(report),
    ]
    if report.slips is not None:
        slips = (
            f"a side that could win gives the win away with {percent(report.slips)} of its moves"
        )
        parts.append(Section("Mistakes", [f"In random play, {slips}."], SLIPS))
    if report.decided is not None:
        after = f"after {counted(report.decided, 'move')} of both sides"
        found = f"Half of all random games are decided {after}, or sooner."
        parts.append(Section("When games are decided", [found], DECIDED))
    if total is not None and total.share is not None:
        found = (
            f"In {percent(total.share)} of the positions with a choice, exactly one move keeps the"
            " win or the draw that the side to move has."
        )
        parts.append(Section("One good move", [found], SINGLE, _by_ply(report)))
    if known is not None:
        side, number = known
        aim = "never loses" if report.outcome is Outcome.DRAW else "always wins"
        found = (
            f"It is enough to know the right move in {counted(number, 'position')}: then the {side}"
            f" player {aim}."
        )
        parts.append(Section("What a player must know", [found], KNOWN))
    return [*parts, Section("Size", _size(report), SIZE if report.games else "")]


def text(parts: list[Section], board: str) -> str:
    """Return the report as text, with a picture of the first moves."""
    shown = []
    for part in parts:
        lines = [f"{part.title}:", *(fill(line, WIDTH) for line in part.found)]
        if part.title == "First moves" and board:
            lines += ["", board, ""]
        lines += [*(f"  {row}" for row in align(part.rows))] if part.rows else []
        shown.append("\n".join([*lines, fill(part.meaning, WIDTH)]).rstrip())
    return "\n\n".join(shown)


def percent(share: float) -> str:
    """Return a share as a percentage; one that is not all or nothing never looks like that."""
    shown = f"{share:.2%}"
    if shown == "0.00%" and share > SLACK:
        return "<0.01%"
    return ">99.99%" if shown == "100.00%" and share < 1 - SLACK else shown


def _first_moves(report: Report) -> str:
    outcomes = [m.outcome for m in report.moves]
    numbers = zip(("win", "draw", "lose"), reversed(Outcome), strict=True)
    shares = (
        f"{outcomes.count(outcome)} {word} ({percent(outcomes.count(outcome) / len(outcomes))})"
        for word, outcome in numbers
    )
    listed = ", ".join(
        f"{m.label} {value_text(m.outcome, m.distance)}" for m in report.moves[:LISTED]
    )
    rest = "" if len(outcomes) <= LISTED else f", and {len(outcomes) - LISTED} more"
    return f"Of {counted(len(outcomes), 'first move')}, {', '.join(shares)}: {listed}{rest}."


def _fair(report: Report) -> str:
    fair = sort_labels(report.fair)
    if not fair:
        return "None: after each of them, one of the sides wins, so whoever chooses a side wins."
    rest = "" if len(fair) <= LISTED else f" and {len(fair) - LISTED} more"
    return f"{len(fair)} of {len(report.moves)}: {', '.join(fair[:LISTED])}{rest}."


def _matches(report: Report) -> Section:
    heading = ("first", "second", "first wins", "draws", "second wins")
    rows: list[tuple[str, ...]] = [(*heading, "mean", "median", "95 %", "longest", "")]
    matches = [*report.matches.values()]
    rows += [_match(m) for m in matches]
    notes = [MATCHES]
    if any(m.games for m in matches):
        notes.append(SAMPLED)
    if any(m.longest is None for m in matches):
        notes.append(CYCLES)
    return Section("How games end", [], " ".join(notes), rows)


def _match(m: MatchUp) -> tuple[str, ...]:
    """Return the row of a match, with intervals if it is sampled."""
    shares, lengths = (m.result.win, m.result.draw, m.result.loss), (m.median, m.p95, m.longest)
    shown = [percent(share) for share in shares]
    mean = "no bound" if m.mean is None else f"{m.mean:.2f}"
    ends = ["no bound" if length is None else str(length) for length in lengths]
    if m.games:
        bounds = [interval(share, m.games) for share in shares]
        shown = [f"{low:.1%} to {high:.1%}" for low, high in bounds]
        mean = f"{m.mean:.2f} ± {m.error:.2f}"
        ends = [f"about {m.median}", f"about {m.p95}", f"at least {m.longest}"]
    return m.first, m.second, *shown, mean, *ends, counted(m.games, "game") if m.games else ""


def _by_ply(report: Report) -> list[tuple[str, ...]]:
    heading = ("after moves", "positions", "won", "drawn", "lost", "choices", "at most", "one good")
    return [heading, *map(_ply, report.rows)]


def _ply(row: Row) -> tuple[str, ...]:
    outcomes = (f"{number:,}" for number in (row.positions, row.win, row.draw, row.loss))
    branching = "-" if row.branching is None else f"{row.branching:.2f}"
    share = "-" if row.share is None else percent(row.share)
    return str(row.ply), *outcomes, branching, str(row.most), share


def _size(report: Report) -> list[str]:
    """Return the counts, and what the report took."""
    total, found = report.total, []
    if total is not None:
        positions = f"{counted(total.positions, 'position')}; the game is over in {total.over:,}"
        found.append(f"{positions}. The longest game: {_longest(report)}.")
    if report.games is not None:
        numbers = [sum(column) for column in zip(*report.games, strict=True)]
        wins, draws, losses, games = map(in_digits, (*numbers, sum(numbers)))
        ends = f"{wins} won by the first player, {draws} drawn and {losses} won by the second"
        found.append(f"{games} different games: {ends}.")
    return [*found, f"This took {report.cost['cpu_seconds']:.2f} seconds of CPU."]


def _longest(report: Report) -> str:
    return "no bound" if report.longest is None else counted(report.longest, "move")
