"""The report on a game in words, for somebody who knows no game theory.

Takes a Report; returns its sections: a title, what was found, what it means, and a table. The
terminal, the web page and the playground show the same ones.
"""

from __future__ import annotations

from textwrap import fill
from typing import Any, NamedTuple

from solver.agent.text import align
from solver.agent.words import RESULTS, moves_text
from solver.arena.report import LARGEST, SLACK, MatchUp, Report, Row, in_digits
from solver.json_bytes import plain_data
from solver.rules.notation import sort_labels
from solver.units import counted

LISTED = 12  # first moves named in a line
WIDTH = 79  # columns of a terminal

SHARES = ("first wins", "draws", "second wins")
ENDS = ("first", "second", *SHARES, "mean", "median", "95 %", "longest", "")
PLIES = ("after moves", "positions", "won", "drawn", "lost", "moves", "at most", "one good")
MEANING = {
    "Who wins": "This is the result if nobody ever makes a mistake.",
    "First moves": "A first move wins, draws or loses for the player who makes it, if nobody makes"
    " a mistake after it. In a picture of them, W4 is a win and L3 a loss in so many moves of that"
    " player, and D a draw.",
    "Fair first moves": "Under the swap rule, one player makes the first move and the other then"
    " chooses a side; a first move is fair if neither side is better off, as in a draw.",
    "How games end": "random makes any legal move, perfect never makes a mistake, and easy makes"
    " the perfect move with probability {:g} in this game and else any. Mean to longest are"
    " lengths, in moves of both sides: half of the games end within the median, 95 % within the"
    " number after it. The further perfect play is from random play, the more skill matters.",
    "Sampled": "A row with games behind it is an estimate from so many games, with 95 % intervals;"
    " a third repetition is a draw there. A larger --budget may be enough to follow all games.",
    "Cycles": "Positions can repeat. Lengths are without the rule that a third repetition is a"
    " draw; a game that never ends is a draw.",
    "Mistakes": "The higher this share, the harder it is to keep a lead.",
    "When games are decided": "Later moves might have changed it, and did not. A game that is"
    " decided long before it ends feels long, and one that its last moves decide stays open.",
    "One good move": "A high share makes a game sharp, since one mistake costs the result. Each"
    " position counts once, however often play leads there, and so do those where nothing can be"
    " lost, since all moves are worth the same. The table has the positions by the fewest moves"
    " that lead there: won, drawn and lost for the side to move, which is the other one in the next"
    " row; the legal moves on average and at most; and the share with one good move.",
    "What a player must know": "The more there is to know, the longer a game stays interesting."
    " Symmetric positions count once if the rules declare the symmetries. The command strategy may"
    " find a smaller number.",
    "Size": "Two games are different if any of their moves is.",
}


class Section(NamedTuple):
    """A part of the report; the first of its rows is a heading."""

    title: str
    found: list[str]
    meaning: str
    rows: list[tuple[str, ...]]


def sections(report: Report) -> list[Section]:
    """Return the parts of the report."""
    matches = [*report.matches.values()]
    columns = len(ENDS) if any(m.games for m in matches) else -1
    rows = {"How games end": [row[:columns] for row in (ENDS, *map(_match, matches))]}
    if report.plies:
        rows["One good move"] = [PLIES, *map(_ply, report.plies)]
    about = ["How games end"]
    if any(m.games for m in matches):
        about.append("Sampled")
    if any(m.longest is None for m in matches):
        about.append("Cycles")
    ends = " ".join(MEANING[title] for title in about).format(report.easy)
    meaning = MEANING | {"How games end": ends}
    if report.must_know is None:
        meaning["What a player must know"] = ""
    if report.games is None:
        meaning["Size"] = ""
    parts = [Section(t, lines, meaning[t], rows.get(t, [])) for t, lines in _found(report).items()]
    return [*parts, Section("Cost", [f"{report.seconds:.2f} seconds of CPU."], "", [])]


def _found(report: Report) -> dict[str, list[str]]:
    """Return the sentences about what was found, by the titles of the parts."""
    found = {
        "Who wins": [_value(report)],
        "First moves": [_first_moves(report)],
        "Fair first moves": [_fair(report)],
        "How games end": [],
    }
    if report.slips is not None:
        share = f"gives the win away with {percent(report.slips)} of its moves"
        found["Mistakes"] = [f"In random play, a side that could win {share}."]
    if report.decided is not None:
        after = f" after the first {report.decided:,}" if report.decided else ""
        decided = f"In half of all random games, no move{after} changed who wins."
        found["When games are decided"] = [decided]
    if report.one_good_move is not None:
        choices = f"In {percent(report.one_good_move)} of the positions with two moves or more"
        kept = "exactly one move keeps the win or the draw that the side to move has"
        found["One good move"] = [f"{choices}, {kept}."]
    if report.one_good_move_at_stake is not None:
        some = "Of the positions in which something can be lost, as some move is worse than another"
        have = f"{percent(report.one_good_move_at_stake)} have exactly one good move"
        found["One good move"].append(f"{some}, {have}.")
    found["What a player must know"] = [_must_know(report)]
    if report.plies:
        found["Size"] = _size(report)
    return found


def _must_know(report: Report) -> str:
    if report.must_know is None:
        return "This was not found in ten seconds, or in the budget."
    side, number = report.must_know
    enough = f"It is enough to know the right move in {counted(number, 'position')}"
    aim = "never loses" if report.outcome == "draw" else "always wins"
    return f"{enough}: then the {side} player {aim}."


def text(parts: list[Section], board: str) -> str:
    """Return a report as text, with a picture of the first moves."""
    shown = []
    for part in parts:
        lines = [f"{part.title}:", *(fill(line, WIDTH) for line in part.found)]
        lines += ["", board, ""] if part.title == "First moves" and board else []
        lines += [f"  {row}" for row in align(part.rows)] if part.rows else []
        shown.append("\n".join([*lines, fill(part.meaning, WIDTH)]).rstrip())
    return "\n\n".join(shown)


def data_of(report: Report) -> dict[str, Any]:
    """Return a report as JSON data, in which integers that are too large for JSON are texts."""
    found: dict[str, Any] = plain_data(report, _as_json)
    return found | {"fair": report.fair}


def _as_json(value: Any) -> Any:
    is_large = isinstance(value, int) and value >= LARGEST
    return in_digits(value).replace(",", "") if is_large else value


def percent(share: float) -> str:
    """Return a share as a percentage; one that is not all or nothing never looks like that."""
    shown = f"{share:.2%}"
    if shown == "0.00%" and share > SLACK:
        return "<0.01%"
    return ">99.99%" if shown == "100.00%" and share < 1 - SLACK else shown


def _value(report: Report) -> str:
    result, plies = f"{report.game}: {RESULTS[report.outcome]} with perfect play", report.distance
    if plies is not None:
        result += f", {moves_text(plies)} ({counted(plies, 'move')} of both sides)"
    return f"{result}."


def _first_moves(report: Report) -> str:
    moves, parts = report.first_moves, []
    for outcome, word in (("win", "win"), ("draw", "draw"), ("loss", "lose")):
        labels = [label for label in moves if moves[label] == outcome]
        share = percent(len(labels) / len(moves))
        which = f": {_listed(labels)}" if labels else ""
        parts.append(f"{len(labels)} {word} ({share}){which}")
    return f"Of {counted(len(moves), 'first move')}, {'; '.join(parts)}."


def _fair(report: Report) -> str:
    if not report.fair:
        return "None: after each of them, one of the sides wins, so whoever chooses a side wins."
    return f"{len(report.fair)} of {len(report.first_moves)}: {_listed(report.fair)}."


def _listed(labels: list[str]) -> str:
    rest = f" and {len(labels) - LISTED} more" if len(labels) > LISTED else ""
    return ", ".join(sort_labels(labels)[:LISTED]) + rest


def _match(m: MatchUp) -> tuple[str, ...]:
    """Return the row of a match, with intervals if it is sampled."""
    if m.games:
        shares = [f"{low:.1%} to {high:.1%}" for low, high in m.intervals]
        mean = f"about {m.mean:.2f}" if m.error is None else f"{m.mean:.2f} ± {m.error:.2f}"
        ends = [mean, f"about {m.median}", f"about {m.p95}"]
        longest = f"at least {m.longest}"
        return m.first, m.second, *shares, *ends, longest, counted(m.games, "game")
    ends = ["no bound" if length is None else str(length) for length in m[4:7]]
    mean = "no bound" if m.mean is None else f"{m.mean:.2f}"
    return m.first, m.second, *map(percent, m.result), mean, *ends, ""


def _ply(row: Row) -> tuple[str, ...]:
    outcomes = (f"{number:,}" for number in (row.positions, row.win, row.draw, row.loss))
    branching = "-" if row.branching is None else f"{row.branching:.2f}"
    share = "-" if row.share is None else percent(row.share)
    return str(row.ply), *outcomes, branching, str(row.most), share


def _size(report: Report) -> list[str]:
    longest = "no bound" if report.longest is None else counted(report.longest, "move")
    assert report.total is not None
    positions = f"{counted(report.total.positions, 'position')}, {report.total.over:,} at the end"
    found = [f"{positions} of games. The longest game: {longest}."]
    if report.games is not None:
        wins, draws, losses, games = map(in_digits, (*report.games, sum(report.games)))
        ends = f"{wins} won by the first player, {draws} drawn and {losses} won by the second"
        found.append(f"{games} different games: {ends}.")
    return found
