"""What the playground asks of Python, which runs there in the reader's browser.

Takes rules as text, which anyone may have written; answers in JSON, errors included: the sentence
that the command line would print, and the line of the text that it is about. The browser, not this
module, keeps rules from reaching anything: see docs/site/playground.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from solver.advice.doubts import ends_in_words, random_games
from solver.agent import facts, words
from solver.agent.agent import TableAgent
from solver.errors import SolveTooLargeError, UnknownGameError, described, frames_of, printable
from solver.files import save
from solver.games import load_game
from solver.proof.expansions import expansions
from solver.proof.repeat import EXPANSIONS, compare
from solver.proof.verify import verify
from solver.rules.descriptions import title_of
from solver.rules.game import Game
from solver.solving.options import SolveOptions
from solver.solving.solve import solve_file
from solver.tables.open import open_table
from solver.units import counted
from solver.value import Outcome
from solver.web.messages import to_json
from solver.web.single import all_answers, packed

MOST = 50_000  # positions up to symmetry
LONGEST = 1000  # characters of an error
BUDGET = 40.0  # seconds of a report, less than the page gives
KINDS = re.compile(r"^class (\w+)\b(.*)", re.MULTILINE)
MEANT = {
    **{"symmetry": "symmetries", "labels": "label"},
    **{"over": "primitive", "position": "play", "move": "moves"},
}
"""Words of messages, and the methods that they are about."""
AT_START = re.compile(r" at (.+): a position is .+, not the \w+ \1:")

Report = Callable[[int], None]
"""Called with the number of positions that are done."""


class Playground:
    """The rules of one game, in a file named after its class in the working directory."""

    _agent: TableAgent  # once it is solved, as _table

    def __init__(self, rules: str) -> None:
        kinds: list[tuple[str, str]] = KINDS.findall(rules)
        games = [name for name, bases in kinds if "Game" in bases]
        self.kind = [kinds[-1][0] if kinds else "", *games][-1]
        stem = self.kind.lower() or "rules"
        self.stem = f"{stem}_game" if stem in {*sys.modules, *sys.stdlib_module_names} else stem
        self.rules, self.path = rules, os.path.abspath(f"{self.stem}.py")
        save(self.path, rules.encode())
        self.name = f"{self.stem}.py:{self.kind}".rstrip(":")

    def solve(self, report: Report) -> str:
        """Solve the game; answer with its value, its counts and the path of its table."""
        return self._answered(lambda: self._solved(report))

    def page(self) -> str:
        """Answer with all that the page needs to play the game that is solved."""
        return self._answered(self._whole)

    def report(self) -> str:
        """Answer with the sections of the report on the game: titles, findings, meanings, rows."""
        return self._answered(self._reported)

    def expand(self, step: int) -> str:
        """Answer with what the rules say in this process, for `prove` in another one."""
        return self._answered(lambda: expansions(self._load(), EXPANSIONS, step))

    def prove(self, report: Report, others: Sequence[Sequence[str]]) -> str:
        """Prove the table, and compare the rules with what they say in other processes."""
        return self._answered(lambda: self._proved(report, others))

    def _load(self) -> Any:
        for line, name in _imported(self.rules):
            if name not in {*sys.stdlib_module_names, "solver"}:
                raise UnknownGameError(
                    f"the rules in {self.path}, line {line}, import {name}: on this page, rules"
                    " import the standard library and solver alone"
                )
        return load_game(self.name)

    def _solved(self, report: Report) -> dict[str, Any]:
        game = self._load()

        def progress(_: str, done: int, __: int | None) -> None:
            if done > MOST:
                raise SolveTooLargeError(
                    f"{game.spec} has {done:,} positions and more, and this page stops at {MOST:,}:"
                    f" make the board smaller, or save the rules as {self.stem}.py, and run"
                    f" perfectplay solve {self.name}"
                )
            report(done)

        self._table = solve_file(game, None, SolveOptions(progress=progress, force=True))
        agent, start = TableAgent(open_table(self._table, game)), game.initial()
        seat = game.turn(start)
        self._agent = agent
        steps = facts.line(agent, start, seat)["line"]
        file = self.stem + os.path.splitext(self._table)[1]
        return {
            "title": title_of(game),
            "verdict": words.verdict(agent, start, seat),
            "counts": counts_text(agent.table.counts),
            "ends": how_it_ends(game, agent.table.counts["terminal"]),
            "best": ", ".join(f"{step['turn']} {step['label']}" for step in steps),
            "home": f"perfectplay verify {file} --game {self.name}",
            "files": [f"{self.stem}.py", file],
            "path": self._table,
        }

    def _whole(self) -> list[str]:
        data, drawings, whole = all_answers(self._agent)
        return [data, drawings, packed(whole)]

    def _reported(self) -> list[Any]:
        from solver.arena.report import make_report
        from solver.reports.game_words import sections

        return [list(part) for part in sections(make_report(self._agent, BUDGET))]

    def _proved(self, report: Report, others: Sequence[Sequence[str]]) -> dict[str, Any]:
        game = self._load()
        found = [expansions(game, EXPANSIONS), *others]
        compared = compare(game, found)
        with open(self._table, "rb") as file:
            proof = verify(file.read(), game, lambda done, _: report(done))
        number = counted(proof.positions, "position")
        order = f"In {len(found)} Pythons, whose sets have other orders, they said the same at all"
        order = f"{order} {counted(compared, 'position')} that were compared."
        order = order if others else "No other Python started, so orders of sets are not compared."
        return {"proved": f"Proved from your rules, asked again at all {number}. {order}"}

    def _answered(self, call: Callable[[], Any]) -> str:
        """Return an answer as JSON, or the error that it ends with."""
        try:
            return to_json(call()).decode()
        except (Exception, SystemExit) as error:
            message, line = self._slip(error)
            message = message.replace(os.path.join(os.path.dirname(self.path), ""), "")
            text = printable(" ".join(message.split()), LONGEST)
            return to_json({"error": text, "line": line}).decode()

    def _slip(self, error: BaseException) -> tuple[str, int | None]:
        """Return what is wrong, as the command line says it, and the line where it is."""
        lines = [f.lineno for f in frames_of(error) if f.filename == self.path]
        line = lines[-1] if lines else None
        if isinstance(error, SystemExit):
            return f"the rules in {self.path}, line {line}, end the program", line
        if line and not type(error).__module__.startswith("solver."):
            return f"the rules in {self.path}, line {line}, raised {described(error)}", line
        message = str(error) or type(error).__name__
        stated = re.search(r", line (\d+)\b", message)
        return message, line or (int(stated[1]) if stated else self._line_named(message))

    def _line_named(self, message: str) -> int | None:
        """Return the line of the method that a message is about, or of the class."""
        named = "initial" if AT_START.search(message) else message.partition(": ")[2]
        names = [MEANT.get(word, word) for word in re.findall(r"\w+", named)]
        names.sort(key=lambda name: name not in ("symmetries", "label"))  # named after others
        starts = [rf"    (?:def {name}\(|{name} = )" for name in names]
        for start in (*starts, rf"class {self.kind}\b"):
            if match := re.search(rf"^{start}", self.rules, re.MULTILINE):
                return self.rules.count("\n", 0, match.start()) + 1
        return None


def how_it_ends(game: Game[Any, Any], over: int) -> str:
    """Return how random games ended, and what whoever wrote the rules should look at twice.

    `over` is the number of positions in which the game is over.
    """
    if not over:
        return "No position ends this game: does primitive return an outcome where it should?"
    games = random_games(game)
    ends = {game.primitive(one[-1]) for one in games} - {None}
    text = f"{ends_in_words(game, games) or 'No random game is over'}.".capitalize()
    if ends == {Outcome.WIN}:
        return f"{text} So whoever moved last lost each of them: is that what you mean?"
    return f"{text} So whoever moved last won each." if ends == {Outcome.LOSS} else text


def counts_text(counts: dict[str, int]) -> str:
    """Return the counts of a table in sentences."""
    number, once = counts["positions"], counts["canonical"]
    same = "" if number == once else f" ({once:,} when mirrored, turned or swapped ones count once)"
    return (
        f"{counted(number, 'position')}{same}; the game is over in {counts['terminal']:,} of them."
        f" Whoever is to move wins {counts['win']:,}, draws {counts['draw']:,}, loses"
        f" {counts['loss']:,}."
    )


def _imported(rules: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of imports and the names of the packages; none if the text is not Python."""
    try:
        nodes = ast.walk(ast.parse(rules))
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, (node.module or ".").split(".")[0]
