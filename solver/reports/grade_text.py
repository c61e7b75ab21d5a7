"""Grades as text for people."""

from __future__ import annotations

import re
import shlex
from textwrap import fill
from typing import NamedTuple

from solver.agent.text import align
from solver.arena.grade import Blunder, Grade, Rates
from solver.arena.match import Fault
from solver.players.conventions import CONVENTIONS
from solver.rules.notation import sort_labels
from solver.units import counted

SHOWN = 10  # how many blunders and faults a report lists
WIDTH = 79  # characters of a line of prose
ESTIMATE = (
    "it was asked several times about each position: rates and results are estimates, and rare"
    " moves may be missing."
)
TWICE = (
    "It was asked twice at each of {}, never differed: the results are right if it always gives the"
    " same answers, which --deterministic declares."
)
NOT_STATED = (
    f"The player does not state the probabilities of its moves, so {ESTIMATE} If it always gives"
    " the same answer, use --deterministic."
)
PARTIAL = (
    "It did not answer in all positions that it can reach, so the rates are those of the positions"
    " that it was asked about."
)
RATES = (
    "A good move keeps the outcome; a perfect move also wins as soon, or loses as late, as it can."
    " The regret is what a move gives away, where a win counts 1, a draw 0 and a loss -1."
)
SLOW = (
    "An answer that is too slow counts as a bad move and, in the results, as a lost game. --limit"
    " allows longer answers."
)
SEATS = {"first": "moving first", "second": "moving second", "both": "both sides"}

VALUES = re.compile(r".* is not (?=an? )|'[^']*'|\d+")  # by which equal mistakes may differ

Rows = list[tuple[str, ...]]


class Table(NamedTuple):
    """A table of a report."""

    title: str
    rows: Rows
    note: str = ""


def verdict(grade: Grade) -> str:
    """Return the grade in one sentence, or two."""
    player, seat = grade.player, "" if grade.seats == "both" else f" {SEATS[grade.seats]}"
    if not grade.is_graded:
        is_slow = grade.needs_time or (grade.faults and grade.faults[-1].kind == "too slow")
        reason = grade.ended if is_slow or not grade.faults else grade.faults[-1].detail
        return f"{player} cannot be graded: {reason}."
    assert grade.all is not None
    if grade.ended and grade.never_loses is False and len(grade.faults) == grade.all.positions:
        return f"{player} gives no legal answer{seat}: {grade.ended}."
    sampled = "As far as a sample of its moves shows, " if grade.method == "sampled" else ""
    claim = f"{player} can be beaten{seat}."
    if grade.optimal:
        claim = f"{sampled}{player} plays perfectly{seat}: every move it can make is a best move."
    elif grade.never_loses:
        claim = f"{sampled}{player} never loses{seat}, but does not always win as soon as it could."
    elif grade.sample:
        drawn = counted(grade.sample, "position")
        claim = f"A sample of {drawn} does not show whether {player} can be beaten{seat}."
    elif grade.never_loses is None:
        claim = f"It is not known whether {player} can be beaten{seat}."
    elif grade.losing_fault:
        claim = f"{player} can be beaten{seat}, because it does not always give a legal answer."
    if late := [fault for fault in grade.faults if fault.kind == "too slow"]:
        others = f" (and {counted(len(late) - 1, 'other')})" if late[1:] else ""
        where = f"{late[0].detail} at {late[0].position}{others}"
        claim += f" It hangs: {where}; --limit allows longer ones."
    if grade.not_asked:
        share = f"{grade.all.positions:,} of {grade.all.positions + grade.not_asked:,} positions"
        claim += f" It was asked about {share}: {grade.ended}."
    return claim


def text(grade: Grade, source: str = "") -> str:
    """Return the report on one player; `source` are the options that name the game."""
    parts = [f"{grade.player} at {grade.game}, {SEATS[grade.seats]}", verdict(grade)]
    if lines := losing_line(grade, source):
        parts.append("\n".join(lines))
    found = tables(grade)
    if grade.blunders:
        blunders: Rows = [(b.position, blunder_text(b)) for b in grade.blunders[:SHOWN]]
        found.append(Table(blunders_title(grade), [*blunders, *_more(grade.blunder_count)]))
    for table in found:
        parts.append("\n".join([f"{table.title}:", *(f"  {row}" for row in align(table.rows))]))
        parts += [fill(table.note, WIDTH)] if table.note else []
    parts += [fill(remark, WIDTH) for remark in remarks(grade)]
    return "\n\n".join(parts)


def tables(grade: Grade) -> list[Table]:
    """Return the tables of the report on one player; their first rows are headings."""
    parts = []
    rows: Rows
    if grade.all and grade.intervals:
        rows = [("", "estimate", "95 % interval")]
        *shares, regret = _texts(grade.all, ".2%", ".4f")
        for (name, (low, high)), share in zip(grade.intervals.items(), shares, strict=True):
            rows.append((name.replace("_", " "), share, f"{low:.2%} to {high:.2%}"))
        rows.append(("regret", regret, ""))
        title = f"How well it moves, by {counted(grade.all.choices, 'choice')} drawn at random"
        parts.append(Table(title, rows, RATES))
    elif grade.all:
        rows = [("positions", "number", "with a choice", "good moves", "perfect moves", "regret")]
        rows += [_rates("it can reach", grade.reachable)] if grade.reachable else []
        rows.append(_rates("asked about" if grade.not_asked else "all", grade.all))
        parts.append(Table("How well it moves", rows, RATES))
    if grade.against:
        titles = {"exact": "Exact results", "sampled": "Estimated results"}
        title = titles.get(grade.method, "Results if a slow answer loses")
        draws = ", where a game that never ends is a draw" if grade.repeats else ""
        results = grade.against.items()
        rows = [("against", "win", "draw", "loss")]
        rows += [(name, *(f"{share:.2%}" for share in result)) for name, result in results]
        parts.append(Table(f"{title}{draws}", rows))
    if grade.faults and not grade.is_unloaded:
        groups: dict[tuple[str, str], list[Fault]] = {}
        for fault in grade.faults:
            mistake = fault.kind, VALUES.sub("", fault.detail)
            groups.setdefault(mistake, []).append(fault)
        most = sorted(groups.values(), key=lambda group: -len(group))
        rows = [("fault", "positions", "such as", "detail")]
        rows += [(g[0].kind, f"{len(g):,}", g[0].position, g[0].detail) for g in most[:SHOWN]]
        rows += [(dots, "", "", rest) for dots, rest in _more(len(most))]
        title = f"Faults: {counted(len(grade.faults), 'position')} without a legal answer"
        parts.append(Table(title, rows))
    return parts


def remarks(grade: Grade) -> list[str]:
    """Return the sentences at the end of the report on one player."""
    sentences = []
    if grade.left_out:
        sentences.append(
            f"Exact results against {' and '.join(grade.left_out)} would take too long, because"
            " games cycle; arena samples them with --games 1000."
        )
    sentences += [*given(grade), *hints(grade)]
    if grade.hangs:
        sentences.append(SLOW)
    if grade.changed is not None:
        return [*sentences, f"{grade.changed}. So {ESTIMATE}"]
    if grade.times == 2 and grade.is_graded and grade.all:
        return [*sentences, TWICE.format(counted(grade.all.positions, "position"))]
    if grade.method == "sampled":
        return [*sentences, NOT_STATED]
    if grade.asked_again:
        again = f"It was asked again about {counted(grade.asked_again, 'position')}, in another"
        sentences.append(f"{again} order, and gave the same answers.")
    return sentences


def given(grade: Grade) -> list[str]:
    """Return the sentence about what the player was given when it first gave no legal answer."""
    first = next((fault for fault in grade.faults if fault.given), None)
    if first is None:
        return []
    return [f"At {first.position} it was {first.given}: {first.kind}, {first.detail}."]


def hints(grade: Grade) -> list[str]:
    """Return sentences about a convention that the player may have in mind."""
    illegal = [fault.hint for fault in grade.faults if fault.kind == "illegal move"]
    if illegal and all(illegal):
        return [
            f"Its illegal answers are legal in another convention: {illegal[-1]}."
            " See perfectplay players."
        ]
    odd = {fault.hint for fault in grade.faults if fault.kind == "wrong type"} - {""}
    if len(odd) == 1:
        return [f"Its answers are of a wrong type: {odd.pop()}. See perfectplay players."]
    errors = {f.detail.partition(":")[0] for f in grade.faults if f.kind == "exception"}
    if len(errors) == 1 and grade.all and len(grade.faults) == grade.all.positions:
        return [
            f"Every answer raised {errors.pop()}: a board is a list of rows, unless --convention"
            f" says otherwise, which is one of {', '.join(CONVENTIONS)}. See perfectplay players."
        ]
    return []


def ranked(grades: list[Grade]) -> list[Grade]:
    """Return grades with the best first, then those of audits that ended early, then the others.

    Players that hang are the last that are graded.
    """

    def order(grade: Grade) -> tuple[int, bool, float]:
        rates = grade.reachable or grade.all
        rate = rates.perfect_move_rate if rates else -1
        last = 2 if grade.all is None or len(grade.faults) == grade.all.positions else 0
        level = 3 if grade.hangs else max(last, int(grade.is_partial))
        return level if grade.is_graded else 4, not grade.never_loses, -rate

    return sorted(grades, key=order)


def summary(grades: list[Grade]) -> Rows:
    """Return a row of headings, and a row for each of several players, best first."""
    heads = ("player", "method", "never loses", "perfect moves", "good moves", "regret", "faults")
    rows: Rows = [heads]
    for grade in ranked(grades):
        rates = grade.reachable or grade.all
        method, faults = grade.basis or "-", str(len(grade.faults))
        if not grade.is_graded:
            rates, faults = None, "-"
        safe = {None: "-", True: "yes", False: "no"}[grade.never_loses]
        good, perfect, regret = _texts(rates, ".1%", ".3f")
        rows.append((grade.player, method, safe, perfect, good, regret, faults))
    return rows


def summary_remarks(grades: list[Grade]) -> list[str]:
    """Return the sentences below a summary: audits that ended early, and faults."""
    lines = [verdict(grade) for grade in grades if grade.ended is not None]
    lines += [
        f"{grade.player}: no legal answer in {counted(len(grade.faults), 'position')}, the first"
        f" {grade.faults[0].position}: {grade.faults[0].kind}: {grade.faults[0].detail}"
        for grade in grades
        if grade.ended is None and grade.faults
    ]
    lines += [f"{grade.player}: {hint}" for grade in grades for hint in hints(grade)]
    lines += [f"{grade.changed}. So {ESTIMATE}" for grade in grades if grade.changed is not None]
    unstated = [one for one in grades if one.method == "sampled" and one.changed is None]
    if any(grade.basis == "partial" for grade in grades):
        lines.append(f"Where the method is partial: {PARTIAL}")
    if any(grade.basis == "sampled" for grade in unstated):
        lines.append(f"Where the method is sampled: {NOT_STATED}")
    if twice := [one.all.positions for one in unstated if one.basis == "twice" and one.all]:
        lines.append(f"Where the method is twice: {TWICE.format(counted(max(twice), 'position'))}")
    return lines


def losing_line(grade: Grade, source: str) -> list[str]:
    """Return the sentences about the shortest game that the player can lose, if there is one.

    `source` are the options that name the game, for the command that replays it.
    """
    if grade.losing_line is None:
        return []
    moves = [f"{step.turn} {step.label}" for step in grade.losing_line]
    if not moves:
        how = "at once: it gives no legal answer" if grade.losing_fault else "before its first move"
        return [f"As {grade.losing_seat} it loses {how}."]
    if grade.losing_fault:
        moves.append("and then it gives no legal answer")
    line = f"The shortest game it can lose, as {grade.losing_seat}: {', '.join(moves)}."
    labels = " ".join(shlex.quote(step.label) for step in grade.losing_line)
    replay = f"To replay it: printf '%s\\n' {labels} | perfectplay play --o human{source}"
    return [line, replay]


def blunders_title(grade: Grade) -> str:
    """Return the title of the list of blunders."""
    return f"Blunders: {grade.blunder_count:,}, worst first"


def blunder_text(blunder: Blunder) -> str:
    """Return what a blunder gave away, and the better moves."""
    best = " or ".join(sort_labels(blunder.best_labels))
    return f"{blunder.turn} {blunder.missed}: played {blunder.label}, best {best}"


def game_options(game: str, table: str | None) -> str:
    """Return the options that name a game and its table, as a shell takes them after a command."""
    named = {"--game": game if game != "tictactoe" else None, "--table": table}
    return "".join(f" {name} {shlex.quote(value)}" for name, value in named.items() if value)


def _more(number: int) -> list[tuple[str, str]]:
    """Return the last row of a list of `number` rows of which only SHOWN are listed, if any."""
    return [("...", f"and {number - SHOWN:,} more")] if number > SHOWN else []


def _rates(which: str, rates: Rates) -> tuple[str, ...]:
    return which, f"{rates.positions:,}", f"{rates.choices:,}", *_texts(rates, ".2%", ".4f")


def _texts(rates: Rates | None, share: str, regret: str) -> list[str]:
    """Return the two rates and the regret in these formats, "-" if there was no choice."""
    if rates is None or not rates.choices:
        return ["-"] * 3
    shares = rates.good_move_rate, rates.perfect_move_rate
    return [*(format(rate, share) for rate in shares), format(rates.mean_regret, regret)]
