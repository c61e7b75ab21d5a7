"""A map never loses: every game that it allows is played, in the plan and in the picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver import Outcome, TableAgent, load_game
from solver.agent.agent import ties
from solver.pictures.strategy_map import MOST, Plan, count_boards, draw_map, make_plan
from tests.conftest import Command, solved
from tests.support import oracle

MAPPED = ("tictactoe", "mnk:3,3,3,misere", "mnk:3,3,2", "notakto", "wild", "connect4:3x3")
BOTH = [(name, first) for name in MAPPED for first in (True, False)]
SVG = "{http://www.w3.org/2000/svg}"


def plan_of(name: str, first: bool) -> tuple[TableAgent, str, Plan]:
    agent = TableAgent(solved(load_game(name)))
    reader = agent.game.seats[not first]
    return agent, reader, make_plan(agent, reader)


def games(agent: TableAgent, plan: Plan, first: bool) -> Iterator[tuple[int, Outcome]]:
    """Play every game that a plan allows; yield its length and its outcome for the reader."""
    game = agent.game
    waiting: list[tuple[Plan, int]] = [(plan, 0)]
    while waiting:
        part, plies = waiting.pop()
        p = part.position
        if part.move is not None:
            scores = agent.scores_at(p)
            assert part.move in {s.move for s in ties(scores)}
            assert part.move == scores[0].move
            assert part.after == game.play(p, part.move)
            p, plies = part.after, plies + 1
        over = game.primitive(p)
        if over is not None:
            assert part.replies == ()
            mine = (plies % 2 == 0) == first  # whether the reader would be to move
            yield plies, over if mine else Outcome(-over)
            continue
        assert [reply for reply, _ in part.replies] == list(game.moves(p))
        for reply, answer in part.replies:
            assert answer.position == game.play(p, reply)
            assert answer.move is not None or game.primitive(answer.position) is not None
            waiting.append((answer, plies + 1))


@pytest.mark.parametrize(("name", "first"), BOTH)
def test_every_game_through_the_plan_is_optimal(name: str, first: bool) -> None:
    agent, _, plan = plan_of(name, first)
    held = agent.outcome(agent.game.initial())
    value = held if first else Outcome(-held)
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


def test_perfect_play_wins_more_than_it_draws() -> None:
    """Of all games of tic-tac-toe that the map allows X loses none and draws the fewest."""
    agent, _, plan = plan_of("tictactoe", True)
    results = Counter(result for _, result in games(agent, plan, True))
    assert results[Outcome.LOSS] == 0
    assert results[Outcome.DRAW] > 0
    assert results[Outcome.WIN] > results[Outcome.DRAW]


class Drawn:
    """A board as the picture shows it."""

    def __init__(self, group: ET.Element) -> None:
        self.old: dict[int, str] = {}
        self.new: dict[int, str] = {}
        self.tints: list[str] = []
        for use in group.findall(f"{SVG}use"):
            shape = re.fullmatch(r"#(new)?([xo])(\d)", use.attrib["href"])
            if shape is None:
                self.tints += [use.attrib["href"]] if use.attrib["href"] != "#grid" else []
                continue
            (self.new if shape[1] else self.old)[int(shape[3])] = shape[2].upper()
        self.inside = [Drawn(part) for part in group.findall(f"{SVG}g")]

    @property
    def before(self) -> str:
        return "".join(self.old.get(cell, ".") for cell in range(9))

    @property
    def after(self) -> str:
        marks = self.old | self.new
        return "".join(marks.get(cell, ".") for cell in range(9))


@pytest.mark.parametrize("reader", ["X", "O"])
def test_the_picture_itself_is_perfect_by_the_oracle(agent: TableAgent, reader: str) -> None:
    """What is drawn is read back, and judged by rules and minimax that share nothing with it."""
    picture, boards = draw_map(agent, reader)
    outer = ET.fromstring(picture).find(f"{SVG}g")
    assert outer is not None
    root = Drawn(outer)
    assert root.before == oracle.START
    assert len(root.new) == (reader == "X")
    waiting, seen = [root], 0
    while waiting:
        board = waiting.pop()
        seen += 1
        if board.new:
            (cell,) = board.new
            assert oracle.turn(board.before) == reader
            assert oracle.worth(board.before, cell) == oracle.solve(board.before)
        assert oracle.winner(board.after) in (None, reader)
        assert board.tints == (["#won"] if oracle.winner(board.after) else [])
        replies = {oracle.play(board.after, cell) for cell in oracle.moves(board.after)}
        assert {part.before for part in board.inside} == replies
        assert len(board.inside) == len(replies)
        waiting += board.inside
    assert seen == boards


@pytest.mark.parametrize(("name", "first"), BOTH)
def test_every_picture_is_small_and_says_what_it_is(name: str, first: bool) -> None:
    agent, reader, plan = plan_of(name, first)
    picture, boards = draw_map(agent, reader)
    assert boards == count_boards(plan) <= MOST
    assert len(picture) < 1_000_000
    root = ET.fromstring(picture)
    assert reader in (root.findtext(f"{SVG}title") or "")
    assert f"{boards:,} boards" in (root.findtext(f"{SVG}desc") or "")
    held = agent.outcome(agent.game.initial()) * (1 if first else -1)
    said = {1: "wins", 0: "never loses", -1: "can be beaten"}[held]
    assert f"Who follows it {said}." in picture


def test_two_marks_for_one_cell_get_two_boards() -> None:
    """In wild tic-tac-toe the opponent sets an X or an O: a cell holds a board for each."""
    agent, reader, plan = plan_of("wild", True)
    picture, _ = draw_map(agent, reader)
    outer = ET.fromstring(picture).find(f"{SVG}g")
    assert outer is not None
    assert len(Drawn(outer).inside) == len(plan.replies) == 16


def test_the_command(command: Command, tmp_path: Path) -> None:
    assert command("map", "-o", "map.svg") == 0
    assert command.out == "wrote map.svg: 91 boards\n"
    assert command("map", "--for", "x", "-o", "same.svg") == 0
    assert (tmp_path / "map.svg").read_bytes() == (tmp_path / "same.svg").read_bytes()
    assert command("map", "--for", "O", "-o", "o.svg") == 0
    assert "the perfect play of O" in (tmp_path / "o.svg").read_text()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("morris", "does not fill one empty cell"),
        ("hexapawn:3x3", "does not fill one empty cell"),
        ("mnk:3,2,2", "not one of 3x3 cells"),
        ("nim:1,2", "not one of 3x3 cells"),
    ],
)
def test_games_that_have_no_map(command: Command, tmp_path: Path, name: str, said: str) -> None:
    command("solve", name, "-o", "t.json")
    error = command.refuses("map", "--game", name, "--table", "t.json", "-o", "map.svg")
    assert f"{name} has no map" in error
    assert said in error
    assert not (tmp_path / "map.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--for", "Z", "-o", "map.svg"], "it must be X or O"),
        (["-o", "map.png"], "must end in .svg"),
        (["-o", "missing/map.svg"], "no file can be written there"),
        ([], "--output"),
    ],
)
def test_bad_input(command: Command, arguments: list[str], said: str) -> None:
    assert said in command.refuses("map", *arguments)


def test_too_many_boards(agent: TableAgent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.pictures.strategy_map.MOST", 90)
    with pytest.raises(ValueError, match="91 boards; at most 90 are drawn"):
        draw_map(agent, "X")


def test_the_reader_must_be_a_side(agent: TableAgent) -> None:
    bad: Any = None
    with pytest.raises(ValueError, match="X or O"):
        make_plan(agent, bad)
