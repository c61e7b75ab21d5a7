"""Strategy maps never lose: every game they allow is played, in the plan and in the picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver import Outcome, TableAgent
from solver.pictures.strategy_map import MOST, Plan, draw_map, make_plan
from solver.pictures.svg import svg
from tests.conftest import Command
from tests.support import oracle
from tests.support.solved import solved_agent

MAPPED = ("tictactoe", "mnk:3,3,3,misere", "mnk:3,3,2", "notakto", "wild", "connect4:3x3")
BOTH = [(name, first) for name in MAPPED for first in (True, False)]
SVG = "{http://www.w3.org/2000/svg}"


@cache
def make_plan_of(name: str, first: bool) -> tuple[TableAgent, str, Plan]:
    agent = solved_agent(name)
    reader = agent.game.seats[not first]
    return agent, reader, make_plan(agent, reader)


def games(agent: TableAgent, plan: Plan, first: bool) -> Iterator[tuple[int, Outcome]]:
    """Play every game that a plan allows; yield its plies and its outcome for the reader."""
    game = agent.game
    pending: list[tuple[Plan, Any, int]] = [(plan, game.initial(), 0)]
    while pending:
        part, p, plies = pending.pop()
        if part.cell >= 0:
            scores = agent.scores_at(p)
            assert part.move == scores[0].label
            assert part.cell == game.cell(p, scores[0].move)
            assert part.after == game.play(p, scores[0].move)
            p, plies = part.after, plies + 1
        over = game.primitive(p)
        if over is not None:
            assert part.replies == ()
            own_turn = (plies % 2 == 0) == first  # whether the reader would be to move
            yield plies, over if own_turn else Outcome(-over)
            continue
        for m, (reply, cell, answer) in zip(game.moves(p), part.replies, strict=True):
            assert (reply, cell) == (game.label(p, m), game.cell(p, m))
            child = game.play(p, m)
            assert answer.cell >= 0 or game.primitive(child) is not None
            pending.append((answer, child, plies + 1))


@pytest.mark.parametrize(("name", "first"), BOTH)
@pytest.mark.thinned(3)
@pytest.mark.slow
def test_every_game_through_the_plan_is_optimal_and_the_picture_says_so(
    name: str, first: bool
) -> None:
    agent, reader, plan = make_plan_of(name, first)
    outcome = agent.outcome(agent.game.initial())
    value = outcome if first else Outcome(-outcome)
    found = list(games(agent, plan, first))
    assert min(result for _, result in found) == value
    distance = agent.distance(agent.game.initial())
    if value is Outcome.WIN:
        assert distance is not None
        assert max(plies for plies, _ in found) == distance
    if value is Outcome.LOSS:
        assert distance is not None
        lost = [plies for plies, result in found if result is Outcome.LOSS]
        assert min(lost) >= distance
    drawing, boards = draw_map(agent, reader)
    assert boards == plan.boards <= MOST
    claim = {1: "wins", 0: "never loses", -1: "can be beaten"}[value]
    assert f"A player who follows it {claim}." in svg(drawing)


class DrawnBoard:
    """A board read back from the picture."""

    def __init__(self, group: ET.Element) -> None:
        self.old: dict[int, str] = {}
        self.new: dict[int, str] = {}
        self.end: str | None = None
        for use in group.findall(f"{SVG}use"):
            symbol = use.attrib["href"].removeprefix("#")
            mark = re.fullmatch(r"(new)?([xo])(\d)", symbol)
            if mark is not None:
                (self.new if mark[1] else self.old)[int(mark[3])] = mark[2].upper()
            elif symbol != "grid":
                assert self.end is None
                self.end = symbol
        self.inside = [DrawnBoard(part) for part in group.findall(f"{SVG}g")]

    @property
    def before(self) -> str:
        return "".join(self.old.get(cell, ".") for cell in range(9))

    @property
    def after(self) -> str:
        marks = self.old | self.new
        return "".join(marks.get(cell, ".") for cell in range(9))


@pytest.mark.parametrize("reader", ["X", "O"])
def test_the_picture_is_perfect_by_the_oracle(agent: TableAgent, reader: str) -> None:
    """The picture is read back and judged by rules and minimax that share no code with it."""
    drawing, boards = draw_map(agent, reader)
    outer = ET.fromstring(svg(drawing)).find(f"{SVG}g")
    assert outer is not None
    root = DrawnBoard(outer)
    assert root.before == oracle.START
    assert len(root.new) == (reader == "X")
    pending, seen = [root], 0
    while pending:
        board = pending.pop()
        seen += 1
        if board.new:
            (cell,) = board.new
            assert oracle.turn(board.before) == reader
            assert oracle.move_value(board.before, cell) == oracle.solve(board.before)
        assert oracle.winner(board.after) in (None, reader)
        end = "won" if oracle.winner(board.after) else "draw"
        assert board.end == (end if oracle.over(board.after) else None)
        replies = {oracle.play(board.after, cell) for cell in oracle.moves(board.after)}
        assert {part.before for part in board.inside} == replies
        assert len(board.inside) == len(replies)
        pending += board.inside
    assert seen == boards


def test_map_writes_a_file(command: Command, tmp_path: Path) -> None:
    assert command("render", "--map", "x", "-o", "map.svg") == 0
    assert command.out == "wrote map.svg: 91 boards\n"
    assert "the perfect play of X" in (tmp_path / "map.svg").read_text()
    for arguments, message in (
        (["Z"], "it must be X or O"),
        (["X", "--values"], "--values and --map exclude each other"),
        (["X", "X........"], "leave out the position"),
    ):
        assert message in command.refuses("render", "-o", "map.svg", "--map", *arguments)


def test_too_many_boards_are_refused(agent: TableAgent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.pictures.strategy_map.MOST", 90)
    with pytest.raises(ValueError, match="91 boards; at most 90 are drawn"):
        draw_map(agent, "X")


def test_a_game_without_a_map() -> None:
    agent = solved_agent("hexapawn:3x3")
    with pytest.raises(ValueError, match=r"hexapawn:3x3 has no map.*does not fill one empty cell"):
        draw_map(agent, agent.game.seats[0])
