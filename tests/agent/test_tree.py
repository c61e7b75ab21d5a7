"""Trees: values follow from minimax, no legal move is missing, and pictures show everything."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver import TableAgent
from solver.agent.tree import FEW, MOST_DRAWN, Branch, Tree, as_text, deepest, make_tree
from solver.pictures.svg import svg
from solver.pictures.tree_picture import draw_tree
from tests.conftest import Command
from tests.support import oracle
from tests.support.solved import solved_agent

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("tictactoe", "notakto", "nim:1,2,2", "ponghauki", "morris", "hexapawn:3x3", "connect4:3x3")


def tree_of(agent: TableAgent, text: str | None = None, **wanted: Any) -> Tree:
    game = agent.game
    p = game.initial() if text is None else game.parse(text)
    seat = game.turn(p)
    return make_tree(
        agent, p, seat, wanted.get("view", seat), wanted.get("depth"), wanted.get("most", 400)
    )


def lines(branch: Branch, above: tuple[Branch, ...] = ()) -> Iterator[tuple[Branch, ...]]:
    """Yield every line of a tree from its root to a position."""
    yield (*above, branch)
    for part in branch.branches:
        yield from lines(part, (*above, branch))


def points(branch: Branch) -> float:
    """Return a number that grows with a position's value: a win now is above one later."""
    return 0 if branch.distance is None else int(branch.outcome) * (100 - branch.distance)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_values_follow_from_minimax(name: str, first: bool) -> None:
    agent = solved_agent(name)
    tree = tree_of(agent, view=agent.game.seats[not first], depth=3, most=1000)
    every = [line[-1] for line in lines(tree.root)]
    assert len(every) == tree.positions
    for branch in every:
        assert branch.layer == ("max" if branch.turn == tree.view else "min")
        if branch.end is not None:
            assert branch.branches == ()
            continue
        assert len(branch.branches) == branch.moves > 0
        best = (max if branch.layer == "max" else min)(branch.branches, key=points)
        (chosen,) = (part for part in branch.branches if part.chosen)
        assert points(chosen) == points(best)
        assert chosen.outcome == branch.outcome
        if branch.distance is not None:
            assert chosen.distance == branch.distance - 1


def test_a_whole_tree_by_the_oracle(agent: TableAgent) -> None:
    """Every game from a position is in its tree, with the oracle's values for X."""
    tree = tree_of(agent, "XO.X..O..", view="X", depth=9)
    assert tree.depth == 5
    for line in lines(tree.root):
        branch = line[-1]
        outcome, plies = oracle.solve(branch.position)
        side = 1 if oracle.turn(branch.position) == "X" else -1
        assert (branch.outcome, branch.distance) == (outcome * side, plies)
        assert (branch.end == "over") == oracle.over(branch.position)
        children = [oracle.play(branch.position, cell) for cell in oracle.moves(branch.position)]
        assert [part.position for part in branch.branches] == children


def test_a_repeated_position_has_no_branches() -> None:
    agent = solved_agent("ponghauki")
    tree = tree_of(agent, depth=60, most=20_000)
    repeats = 0
    for line in lines(tree.root):
        above = [(b.position, b.turn) for b in line[:-1]]
        assert len(set(above)) == len(above)
        branch = line[-1]
        assert (branch.end == "repeats") == ((branch.position, branch.turn) in above)
        repeats += branch.end == "repeats"
    assert repeats > 10
    assert not any(line[-1].end == "cut" for line in lines(tree.root))
    drawn = svg(draw_tree(tree, agent.game))
    assert drawn.count(">repeats<") == repeats
    assert as_text(tree).count("(repeats)") == repeats


@pytest.mark.parametrize("name", NAMES)
def test_the_default_depth_keeps_a_tree_small(name: str) -> None:
    agent = solved_agent(name)
    tree = tree_of(agent)
    assert tree.positions <= FEW
    deeper, positions = deepest(
        agent.game, agent.game.initial(), tree.root.turn, tree.depth + 1, 10_000
    )
    assert positions > FEW or positions == tree.positions
    assert deeper == tree.depth + 1


def test_the_default_depth_is_at_least_one() -> None:
    agent = solved_agent("nim:70,1")
    assert (tree_of(agent).depth, tree_of(agent).positions) == (1, 72)
    assert tree_of(agent, most=50).positions == 1


def test_a_tree_that_is_too_deep_is_refused(agent: TableAgent, command: Command) -> None:
    with pytest.raises(ValueError, match="--depth 2 is the deepest that fits, with 82"):
        tree_of(agent, depth=4)
    error = command.refuses("tree", "--depth", "3", "-o", "t.svg")
    assert f"more than {MOST_DRAWN} positions; --depth 2 " in error


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_shows_every_position(name: str) -> None:
    agent = solved_agent(name)
    tree = tree_of(agent)
    root = ET.fromstring(svg(draw_tree(tree, agent.game)))
    every = [line[-1] for line in lines(tree.root)]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for branch in every:
        assert branch.value in texts
        assert branch.label is None or branch.label in texts
    if agent.game.board is not None:
        assert len(root.findall(f"{SVG}g")) == tree.positions
    bold = [path for path in root.findall(f"{SVG}path") if path.get("stroke-width") == "4"]
    assert len(bold) == sum(branch.chosen for branch in every[1:])
    width = float(root.attrib["width"])
    for text in root.findall(f"{SVG}text"):
        assert 0 <= float(text.attrib["x"]) <= width
    assert f"{tree.positions} positions" in (root.findtext(f"{SVG}desc") or "")


def test_values_for_the_other_side(agent: TableAgent) -> None:
    mine, theirs = (tree_of(agent, "XO.X..O..", view=view) for view in "XO")
    assert (mine.root.value, theirs.root.value) == ("win in 3", "loss in 3")
    assert (mine.root.layer, theirs.root.layer) == ("max", "min")
    with pytest.raises(ValueError, match="it must be X or O"):
        tree_of(agent, view="Z")


def test_the_tree_of_a_finished_game(agent: TableAgent) -> None:
    tree = tree_of(agent, "XXXOO....")
    assert (tree.depth, tree.positions, tree.root.end, tree.root.value) == (0, 1, "over", "lost")
    assert svg(draw_tree(tree, agent.game)).count("<g ") == 1


def test_the_tree_command(command: Command, tmp_path: Path) -> None:
    assert command("tree", "XOXXO.O..", "--depth", "9") == 0
    printed = command.out
    assert printed.splitlines()[2:5] == [
        "XOXXO.O..  X max  draw",
        "  6  XOXXOXO..  O min  loss in 1",
        "    > 8  XOXXOXOO.  lost",
    ]
    assert command("tree", "XOXXO.O..", "--depth", "9", "-o", "t.txt") == 0
    assert command.out == "wrote t.txt: 14 positions to depth 3\n"
    assert (tmp_path / "t.txt").read_text() == printed
    assert command("tree", "XO.......", "--turn", "o", "--depth", "0") == 0
    assert command.out.splitlines()[-1] == "XO.......  O max  draw (7 moves not shown)"
    assert command("tree", "-o", "t.svg") == 0
    assert command.out == "wrote t.svg: 10 positions to depth 1\n"
    ET.fromstring((tmp_path / "t.svg").read_text())
    assert command("tree", "--------X") == 0
    assert "........X  O max  draw" in command.out


def test_json(command: Command) -> None:
    found = command.json("tree", "XOXXO.O..", "--for", "o", "--depth", "1")
    assert (found["for"], found["depth"], found["positions"]) == ("O", 1, 4)
    root = found["tree"]
    assert (root["position"], root["turn"], root["layer"]) == ("XOXXO.O..", "X", "min")
    assert (root["outcome"], root["distance"], root["end"]) == ("draw", None, None)
    assert [(b["move"], b["outcome"], b["chosen"]) for b in root["branches"]] == [
        (5, "win", False),
        (7, "draw", True),
        (8, "win", False),
    ]
    assert {b["end"] for b in root["branches"]} == {"cut"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["XXXXX"], "9 cells"),
        (["--for", "Z"], "it must be X or O"),
        (["--depth", "-1"], "--depth"),
        (["--depth", "201"], "--depth"),
        (["-o", "tree.png"], "must end in .svg or .txt"),
        (["-o", "missing/tree.svg"], "no file can be written there"),
        (["--table", "missing.json"], "missing.json"),
    ],
)
def test_bad_input(command: Command, arguments: list[str], said: str) -> None:
    assert said in command.refuses("tree", *arguments)
