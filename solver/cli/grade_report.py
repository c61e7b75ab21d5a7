"""Grades as a text and as a web page, for people who see one for the first time."""

from __future__ import annotations

import shlex
from html import escape
from typing import TYPE_CHECKING, Any

from solver.games import FAMILIES, family_of
from solver.pictures.marks import CELL, board
from solver.pictures.shapes import Drawing
from solver.pictures.svg import svg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from solver.arena.grade import Blunder, Grade, Rates
    from solver.arena.match import Result
    from solver.rules.game import Game

SHOWN = 10  # how many blunders and faults a report lists
ESTIMATE = (
    "It does not tell its chances, so it was asked repeatedly about each position: rates and"
    " results are estimates, and moves that it makes seldom may be missing. If it always answers"
    " alike, declare it deterministic."
)
STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
div:has(> table) { overflow-x: auto }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { border-bottom: 1px solid #8886; padding: .3rem .8rem; text-align: right }
td:first-child, th:first-child { text-align: left }
.boards { display: flex; flex-wrap: wrap; gap: 1.5rem }
figure { margin: 0; width: 8.5rem } figcaption { font-size: .85rem }
code { overflow-wrap: anywhere }
"""


def verdict(grade: Grade) -> str:
    """Return the grade in one sentence."""
    seat = {"first": " moving first", "second": " moving second", "both": ""}[grade.seats]
    if grade.reachable is None:
        return f"The audit ended early: {grade.faults[-1].kind} ({grade.faults[-1].detail})."
    gone = "" if grade.all else f" The audit ended early: {grade.faults[-1].kind}."
    known = _known(grade, seat) + gone
    return f"As far as repeated asking shows: {known}" if grade.method == "sampled" else known


def _known(grade: Grade, seat: str) -> str:
    if grade.optimal:
        return f"{grade.player} plays perfectly{seat}: every move it can make is a best one."
    if grade.never_loses:
        return f"{grade.player} never loses{seat}, but it does not always win as soon as it could."
    return f"{grade.player} can be beaten{seat}."


def text(grade: Grade) -> str:
    """Return the report as lines of text."""
    lines = [f"{grade.player} at {grade.game}, {_seats(grade)}", "", verdict(grade)]
    if grade.losing_line is not None:
        lines += ["", *_losing_line(grade)]
    if grade.reachable:
        lines += ["", *_rates("over the positions that it can reach", grade.reachable)]
    if grade.all:
        lines += _rates("over all positions", grade.all)
    if grade.against:
        lines += ["", f"{_exact(grade)}, from its own view:"]
        width = max(len(name) for name in grade.against)
        lines += [f"  against {n:<{width}}  {_result(r)}" for n, r in grade.against.items()]
    if grade.left_out:
        lines += ["", _left_out(grade)]
    if grade.blunders:
        lines += ["", f"Blunders: {grade.blunder_count:,}, the most embarrassing first:"]
        lines += [f"  {_blunder(blunder)}" for blunder in grade.blunders[:SHOWN]]
    if grade.faults:
        lines += ["", f"Faults: {len(grade.faults):,}. In these positions it gave no legal answer:"]
        lines += [f"  {f.position}  {f.kind}: {f.detail}" for f in grade.faults[:SHOWN]]
    if grade.method == "sampled":
        lines += ["", ESTIMATE]
    return "\n".join(lines)


def summary(grades: list[Grade]) -> list[tuple[str, ...]]:
    """Return a row for each of many players, the best first, under a row of headings."""
    heads = ("player", "method", "never loses", "perfect moves", "good moves", "regret", "faults")

    def key(grade: Grade) -> tuple[bool, float]:
        return not grade.never_loses, -(
            grade.reachable.perfect_move_rate if grade.reachable else -1
        )

    order = sorted(grades, key=key)
    rows: list[tuple[str, ...]] = [heads]
    for grade in order:
        rates = grade.reachable
        numbers = (
            (
                f"{rates.perfect_move_rate:.1%}",
                f"{rates.good_move_rate:.1%}",
                f"{rates.mean_regret:.3f}",
            )
            if rates
            else ("-", "-", "-")
        )
        known = {None: "-", True: "yes", False: "no"}[grade.never_loses]
        rows.append((grade.player, grade.method, known, *numbers, str(len(grade.faults))))
    return rows


def remarks(grades: list[Grade]) -> list[str]:
    """Return what is to be said about several players beside their numbers."""
    lines = [f"{grade.player}: {verdict(grade)}" for grade in grades if grade.all is None]
    lines += [
        f"{grade.player}: no legal answer in {len(grade.faults):,} positions, the first"
        f" {grade.faults[0].position}: {grade.faults[0].kind}: {grade.faults[0].detail}"
        for grade in grades
        if grade.all is not None and grade.faults
    ]
    if any(grade.method == "sampled" for grade in grades):
        lines.append(f"Where the method is sampled: {ESTIMATE}")
    return lines


def page(grades: list[Grade], game: Game[Any, Any]) -> str:
    """Return the report about players of a game as one web page that needs nothing else."""
    title = grades[0].player if len(grades) == 1 else f"{len(grades)} players"
    parts = [f"<h1>{escape(title)} at {escape(grades[0].game)}</h1>"]
    if len(grades) > 1:
        parts.append(_table(summary(grades)))
    for grade in grades:
        heading = f"<h2>{escape(grade.player)}</h2>" if len(grades) > 1 else ""
        parts.append(heading + _section(grade, game))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}: grade</title><style>{STYLE}</style></head>\n"
        f"<body>{''.join(parts)}</body></html>\n"
    )


def _section(grade: Grade, game: Game[Any, Any]) -> str:
    parts = [f"<p><strong>{escape(verdict(grade))}</strong></p>"]
    if grade.losing_line is not None:
        parts += [f"<p>{escape(line)}</p>" for line in _losing_line(grade)]
        steps = [(step.position, f"{step.turn} plays {step.label}") for step in grade.losing_line]
        parts.append(_boards(_figure(game, text, caption) for text, caption in steps))
    if grade.reachable:
        heads = ("", "positions", "with a choice", "good moves", "perfect moves", "mean regret")
        rows = [heads, _rate_row("that it can reach", grade.reachable)]
        rows += [_rate_row("all", grade.all)] if grade.all else []
        parts.append("<h3>How well it moves</h3>" + _table(rows))
        parts.append(
            "<p>A good move keeps the outcome, a perfect one wins as soon and loses as late as can"
            " be. The regret is what a move loses, with a win 1, a draw 0 and a loss -1.</p>"
        )
    if grade.against:
        rows = [("against", "win", "draw", "loss")]
        rows += [(n, *(f"{share:.2%}" for share in r)) for n, r in grade.against.items()]
        parts.append(f"<h3>{_exact(grade)}</h3>" + _table(rows))
    if grade.left_out:
        parts.append(f"<p>{_left_out(grade)}</p>")
    if grade.blunders:
        parts.append(f"<h3>The worst of {grade.blunder_count:,} blunders</h3>")
        figures = (
            _figure(game, b.position, _blunder(b), b.turn, b.move, b.best)
            for b in grade.blunders[:SHOWN]
        )
        parts.append(_boards(figures))
    if grade.faults:
        rows = [("position", "fault", "detail")]
        rows += [(f.position, f.kind, f.detail) for f in grade.faults[:SHOWN]]
        parts.append(f"<h3>Faults: {len(grade.faults):,}</h3>" + _table(rows))
    if grade.method == "sampled":
        parts.append(f"<p>{ESTIMATE}</p>")
    return "".join(parts)


def _exact(grade: Grade) -> str:
    """Return the heading of the results against others."""
    heading = "Estimated results" if grade.method == "sampled" else "Exact results"
    return heading + ", where a game is a draw if it never ends" * bool(grade.repeats)


def _left_out(grade: Grade) -> str:
    names = " and ".join(grade.left_out)
    return (
        f"Exact results against {names} would take too long, for these games go round; arena"
        " samples them with --games 1000."
    )


def _seats(grade: Grade) -> str:
    return {"first": "moving first", "second": "moving second", "both": "both seats"}[grade.seats]


def _losing_line(grade: Grade) -> list[str]:
    line = grade.losing_line or []
    moves = [f"{step.turn} {step.label}" for step in line]
    if grade.losing_fault:
        moves.append("and then it gives no legal answer")
    labels = " ".join(shlex.quote(step.label) for step in line)
    known = family_of(grade.game) in FAMILIES
    game = f" --game {grade.game if known else 'FILE.py:CLASS'}" * (grade.game != "tictactoe")
    if not moves:
        return [f"As {grade.losing_seat} it has lost before its first move."]
    lines = [f"The shortest game that it can lose, as {grade.losing_seat}: {', '.join(moves)}."]
    if line:
        lines.append(f"To replay it: printf '%s\\n' {labels} | perfectplay play --o human{game}")
    return lines


def _rates(where: str, rates: Rates) -> list[str]:
    return [
        f"Of {rates.choices:,} choices {where} ({rates.positions:,}):",
        f"  good moves, which keep the outcome      {rates.good_move_rate:8.2%}",
        f"  perfect moves, which keep the distance  {rates.perfect_move_rate:8.2%}",
        f"  mean regret, of 2 at most               {rates.mean_regret:8.4f}",
    ]


def _rate_row(name: str, rates: Rates) -> tuple[str, ...]:
    return (
        name,
        f"{rates.positions:,}",
        f"{rates.choices:,}",
        f"{rates.good_move_rate:.2%}",
        f"{rates.perfect_move_rate:.2%}",
        f"{rates.mean_regret:.4f}",
    )


def _result(result: Result) -> str:
    return f"win {result.win:7.2%}   draw {result.draw:7.2%}   loss {result.loss:7.2%}"


def _blunder(blunder: Blunder) -> str:
    best = " or ".join(blunder.best_labels)
    who = f"{blunder.turn} {blunder.missed}"
    return f"{blunder.position}  {who}: played {blunder.label}, best {best}"


def _figure(
    game: Game[Any, Any],
    text: str,
    caption: str,
    turn: str | None = None,
    bad: Any = None,
    good: Iterable[Any] = (),
) -> str:
    """Return a position with a caption: a picture of its board, or else its text.

    Moves in it, the one that was bad and the good ones, are those of the side whose turn it is.
    """
    if game.board is None:
        shown = f"<code>{escape(text)}</code>"
        return f"<figure>{shown}<figcaption>{escape(caption)}</figcaption></figure>"
    columns, rows = game.board
    cells = {}
    if turn is not None:
        p = game.parse(text, turn)
        cells = {game.code(m): game.cell(p, m) for m in game.moves(p)}
    best = [cell for cell in (cells.get(move) for move in good) if cell is not None]
    shapes = board(game.marks(text), columns, cells.get(bad), best)
    drawn = svg(Drawing(columns * CELL, rows * CELL, shapes, caption))
    return f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>"


def _boards(figures: Iterable[str]) -> str:
    return f'<div class="boards">{"".join(figures)}</div>'


def _table(rows: list[tuple[str, ...]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[1:]
    )
    return f"<div><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
