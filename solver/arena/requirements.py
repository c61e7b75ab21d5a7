"""Conditions that the report on a game must meet, such as `random: first <= 55%`.

Takes a text; returns Conditions, which say of a report what is not met, and why. What rests on a
sample meets no condition.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from solver.arena.report import PAIRS, SLACK, Report
from solver.units import counted

OF_MATCH = ("first", "draws", "second", "mean length", "median", "p95", "longest")
FIRST_MOVES = {"won first moves": "win", "drawn first moves": "draw", "lost first moves": "loss"}
OF_GAME = (
    *("length", *FIRST_MOVES, "fair first moves", "one good move", "one good move at stake"),
    *("branching", "slips", "decided", "longest game", "positions", "must know"),
)
LENGTHS = (*OF_MATCH[3:], "length", "decided", "longest game")
SHARES = (*OF_MATCH[:3], *FIRST_MOVES, "one good move", "one good move at stake", "slips")
FORM = re.compile(
    r"(?:(?P<match>[^:]*):)?(?P<measure>[^<>=]*?)\s*"
    r"(?:(?P<sign><=|>=|<|>|=)\s*(?P<limit>[\d.]+)|(?<!\d)(?P<low>[\d.]*\d)%?\.\.(?P<high>[\d.]+))"
    r"\s*(?P<percent>%?)"
)
EXAMPLE = "random: first <= 55%; random: mean length 10..30; one good move >= 20%"


class Condition(NamedTuple):
    """A condition: what is measured, in which match if any, and between which limits it is."""

    text: str
    match: str
    measure: str
    low: float
    high: float
    room: float
    """How far beyond the limits is allowed; negative if they are excluded."""

    def failure(self, report: Report) -> str:
        """Return why a report does not meet the condition; empty if it does."""
        games = report.matches[self.match].games if self.match else 0
        if games:
            sample = f"a sample of {counted(games, 'game')}"
            return f"it rests on {sample}; a larger --budget may be enough to follow all"
        value = measures(report, self.match)[self.measure]
        if value is None:
            return "it has no bound, or is not known"
        if self.low - self.room <= value <= self.high + self.room:
            return ""
        if self.measure in SHARES:
            return f"it is {100 * value:.14g}%"
        unit = " moves of both sides" if self.measure in LENGTHS else ""
        return f"it is {value:.14g}{unit}"


def measures(report: Report, match: str) -> dict[str, float | None]:
    """Return what a report says of each measure of a match, or of the game if `match` is empty."""
    if match:
        m = report.matches[match]
        return dict(zip(OF_MATCH, (*m.result, *m[3:7]), strict=True))
    outcomes = [*report.first_moves.values()]
    shares = [outcomes.count(outcome) / len(outcomes) for outcome in FIRST_MOVES.values()]
    positions = None if report.total is None else report.total.positions
    values = report.distance, *shares, len(report.fair), report.one_good_move
    more = report.one_good_move_at_stake, report.branching, report.slips, report.decided
    known = report.must_know[1] if report.must_know else None
    return dict(zip(OF_GAME, (*values, *more, report.longest, positions, known), strict=True))


def parse(text: str) -> list[Condition]:
    """Return the conditions of a text, which semicolons separate; raises ValueError."""
    return [_condition(part.strip()) for part in text.strip(" \n;").split(";")]


def _condition(text: str) -> Condition:
    form = FORM.fullmatch(text)
    if form is None:
        raise ValueError(f"{text!r} is no condition; conditions look like this: {EXAMPLE}")
    match, name = (" ".join((form[part] or "").lower().split()) for part in ("match", "measure"))
    if form["match"] is not None and match not in PAIRS:
        raise ValueError(f"{text!r}: there is no match {match!r}; they are {', '.join(PAIRS)}")
    known, place = (OF_MATCH, "of a match") if match else (OF_GAME, "without a match")
    if name not in known:
        forms = {
            f"{pair} {measure}".strip(): measure for pair in ("", *PAIRS) for measure in OF_MATCH
        }
        if not match and name in forms:
            raise ValueError(
                f"{text!r}: write the match and a colon before {forms[name]}, such as random:"
                f" {forms[name]}; matches are {', '.join(PAIRS)}"
            )
        raise ValueError(f"{text!r}: {place} there is no {name!r}; there are {', '.join(known)}")
    if (name in SHARES) != bool(form["percent"]):
        wanted = "a share: write it with %" if name in SHARES else "no share: write it without %"
        raise ValueError(f"{text!r}: {name} is {wanted}")
    sign, scale = form["sign"] or "", 100 if form["percent"] else 1
    try:
        low, high = (float(form[part] or form["limit"]) / scale for part in ("low", "high"))
    except ValueError:
        raise ValueError(f"{text!r}: its numbers are not written like 12 or 12.5") from None
    if low > high:
        raise ValueError(f"{text!r}: no number is from {form['low']} to {form['high']}")
    low = -1.0 if sign.startswith("<") else low
    high = float("inf") if sign.startswith(">") else high
    return Condition(text, match, name, low, high, -SLACK if sign in ("<", ">") else SLACK)
