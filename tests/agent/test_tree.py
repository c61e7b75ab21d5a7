"""Trees: values follow from minimax, no legal move is missing, and pictures show everything."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver import TableAgent
from solver.agent.tree import MOST, Branch, make_tree
from solver.pictures.svg import svg
from solver.pictures.tree_picture import draw_tree
from tests.conftest import Command
from tests.support import oracle
from tests.support.solved import solved_agent

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("tictactoe", "notakto", "nim:1,2,2", "ponghauki", "morris", "hexapawn:3x3", "connect4:3x3")


def tree_of(agent: TableAgent, text: str | None = None, depth: int = 1) -> Branch:
    game = agent.game
    p = game.initial() if text is None else game.parse(text)
    return make_tree(agent, p, game.turn(p), depth)


def lines(branch: Branch, above: tuple[Branch, ...] = ()) -> Iterator[tuple[Branch, ...]]:
    """Yield every line of a tree from its root to a position."""
    yield (*above, branch)
    for part in branch.branches:
        yield from lines(part, (*above, branch))


def points(branch: Branch) -> float:
    """Return a number that grows with a position's value: a win now is above one later."""
    return 0 if branch.distance is None else int(branch.outcome) * (100 - branch.distance)


@pytest.mark.parametrize("name", NAMES)
def test_values_follow_from_minimax(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.agent.tree.MOST", 1000)
    tree = tree_of(solved_agent(name), depth=3)
    every = [line[-1] for line in lines(tree)]
    assert len(every) == len(tree.every)
    for branch in every:
        if branch.end is not None:
            assert branch.branches == ()
            continue
        assert len(branch.branches) == branch.moves > 0
        best = (max if branch.turn == tree.turn else min)(branch.branches, key=points)
        (chosen,) = (part for part in branch.branches if part.chosen)
        assert points(chosen) == points(best)
        assert chosen.outcome == branch.outcome
        if branch.distance is not None:
            assert chosen.distance == branch.distance - 1


def test_a_whole_tree_by_the_oracle(agent: TableAgent) -> None:
    """Every game from a position is in its tree, with the oracle's values for X."""
    tree = tree_of(agent, "XO.X..O..", depth=9)
    assert tree.depth == 5
    for line in lines(tree):
        branch = line[-1]
        outcome, plies = oracle.solve(branch.position)
        side = 1 if oracle.turn(branch.position) == "X" else -1
        assert (branch.outcome, branch.distance) == (outcome * side, plies)
        assert (branch.end == "over") == oracle.over(branch.position)
        children = [oracle.play(branch.position, cell) for cell in oracle.moves(branch.position)]
        assert [part.position for part in branch.branches] == children


def test_a_repeated_position_has_no_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.agent.tree.MOST", 20_000)
    agent = solved_agent("ponghauki")
    tree = tree_of(agent, depth=60)
    repeats = 0
    for line in lines(tree):
        above = [(b.position, b.turn) for b in line[:-1]]
        assert len(set(above)) == len(above)
        branch = line[-1]
        assert (branch.end == "repeats") == ((branch.position, branch.turn) in above)
        repeats += branch.end == "repeats"
    assert repeats > 10
    assert not any(line[-1].end == "cut" for line in lines(tree))
    drawn = svg(draw_tree(tree, agent.game))
    assert drawn.count(">repeats<") == repeats


def test_a_tree_that_is_too_large_is_refused(agent: TableAgent, command: Command) -> None:
    with pytest.raises(ValueError, match=f"more than {MOST} positions"):
        tree_of(agent, depth=4)
    error = command.refuses("render", "--tree", "3", "-o", "t.svg")
    assert "a tree of 3 plies has more than 400 positions here: draw fewer plies" in error


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_shows_every_position(name: str) -> None:
    agent = solved_agent(name)
    tree = tree_of(agent)
    root = ET.fromstring(svg(draw_tree(tree, agent.game)))
    every = [line[-1] for line in lines(tree)]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for branch in every:
        assert branch.value in texts
        assert branch.label is None or branch.label in texts
    if agent.game.board is not None:
        assert len(root.findall(f"{SVG}g")) == len(tree.every)
    bold = [path for path in root.findall(f"{SVG}path") if path.get("stroke-width") == "4"]
    assert len(bold) == sum(branch.chosen for branch in every[1:])
    width = float(root.attrib["width"])
    for text in root.findall(f"{SVG}text"):
        assert 0 <= float(text.attrib["x"]) <= width
    assert f"{len(tree.every)} positions" in (root.findtext(f"{SVG}desc") or "")


def test_the_tree_of_a_finished_game(agent: TableAgent) -> None:
    tree = tree_of(agent, "XXXOO....")
    assert (tree.depth, len(tree.every), tree.end, tree.value) == (0, 1, "over", "lost")
    assert svg(draw_tree(tree, agent.game)).count("<g ") == 1


def test_render_draws_a_tree(command: Command, tmp_path: Path) -> None:
    assert command("render", "XOXXO.O..", "--tree", "9", "-o", "t.svg") == 0
    assert command.out == "wrote t.svg: 14 positions to depth 3\n"
    tree = tree_of(TableAgent(), "XOXXO.O..", 9)
    assert (tmp_path / "t.svg").read_text() == svg(draw_tree(tree, TableAgent().game))
    assert command("render", "XO.......", "--turn", "o", "--tree", "0", "-o", "t.svg") == 0
    assert "O to move" in (tmp_path / "t.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["XXXXX", "--tree", "1"], "9 cells"),
        (["--tree", "-1"], "--tree"),
        (["--tree", "201"], "--tree"),
        (["--tree", "1", "--game-record", "5"], "--game-record and --tree exclude each other"),
        (["--tree", "1", "--table", "missing.json"], "missing.json"),
    ],
)
def test_bad_input(command: Command, arguments: list[str], said: str) -> None:
    assert said in command.refuses("render", *arguments, "-o", "t.svg")
