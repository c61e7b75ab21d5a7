"""Conditions that the report on a game must meet, such as `random: first <= 55%`.

Takes a text; returns Conditions, which say of a report what is not met, and why. What rests on a
sample meets no condition.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from solver.arena.report import PAIRS, SLACK, Report
from solver.value import Outcome

OF_MATCH = ("first", "second", "draws", "mean length", "median", "p95", "longest")
OF_GAME = (
    "length",
    "won first moves",
    "drawn first moves",
    "lost first moves",
    "fair first moves",
    "one good move",
    "branching",
    "slips",
    "decided",
    "longest game",
    "positions",
)
SHARES = ("first", "second", "draws", *OF_GAME[1:4], "one good move", "slips")
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
    strict: bool
    """Whether the limits are excluded."""

    def failure(self, report: Report) -> str:
        """Return why a report does not meet the condition; empty if it does."""
        match = report.matches.get(self.match)
        if match is not None and match.games:
            sample = f"a sample of {match.games:,} game{'s' * (match.games > 1)}"
            return f"it rests on {sample}; a larger --budget may be enough to follow all"
        value = measure(report, self.match, self.measure)
        if value is None:
            return "it has no bound, or is not known"
        room = -SLACK if self.strict else SLACK
        if self.low - room <= value <= self.high + room:
            return ""
        return f"it is {100 * value:.10g}%" if self.measure in SHARES else f"it is {value:.10g}"


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
    known = OF_MATCH if match else OF_GAME
    if name not in known:
        place = f"of the match {match}" if match else "without a match"
        raise ValueError(f"{text!r}: {place} there is no {name!r}; there are {', '.join(known)}")
    if (name in SHARES) != bool(form["percent"]):
        wanted = "a share: write it with %" if name in SHARES else "no share: write it without %"
        raise ValueError(f"{text!r}: {name} is {wanted}")
    scale = 100 if form["percent"] else 1
    try:
        low, high = (float(form[part] or form["limit"]) / scale for part in ("low", "high"))
    except ValueError:
        raise ValueError(f"{text!r}: its numbers are not written like 12 or 12.5") from None
    sign = form["sign"] or ""
    low = -1.0 if sign.startswith("<") else low
    high = float("inf") if sign.startswith(">") else high
    return Condition(text, match, name, low, high, sign in ("<", ">"))


def measure(report: Report, match: str, name: str) -> float | None:
    """Return what a report says of a measure; None if it has no bound or is not known."""
    if match:
        m = report.matches[match]
        lengths = m.mean, m.median, m.p95, m.longest
        of_match = (m.result.win, m.result.loss, m.result.draw, *lengths)
        return dict(zip(OF_MATCH, of_match, strict=True))[name]
    outcomes = [m.outcome for m in report.moves]
    shares = [outcomes.count(outcome) / len(outcomes) for outcome in reversed(Outcome)]
    total = report.total
    values = [report.distance, *shares, len(report.fair)]
    values += [None, None] if total is None else [total.share, total.branching]
    values += [report.slips, report.decided, report.longest, total and total.positions]
    return dict(zip(OF_GAME, values, strict=True))[name]
