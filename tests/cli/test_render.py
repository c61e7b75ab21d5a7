"""The command render."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from solver.pictures.svg import svg
from tests.conftest import ROOT, Command
from tests.support.boards import PICTURES


def test_render_writes_svg(command: Command) -> None:
    arguments = ("render", "--game-record", "1 2 4 7", "--values")
    assert command(*arguments, "-o", "b.svg") == 0
    assert command.out == "wrote b.svg: tictactoe XO.X..O..: X to move\n"
    text = Path("b.svg").read_text()
    golden = svg(PICTURES["tictactoe-values"](), width=400)
    assert text == golden


def test_render_draws_every_game_with_a_board(command: Command) -> None:
    """Their pictures are tested in tests/pictures."""
    for spec in ("notakto", "connect4:7x6", "hexapawn:4x4", "morris", "kingspawns"):
        assert command("render", "--game", spec, "-o", "b.png") == 0
        with Image.open("b.png") as image:
            assert image.width == 400


def test_the_last_move_of_chess_is_marked_from_cell_to_cell(command: Command) -> None:
    chess = ("render", "--game", "kingspawns", "--game-record", "a2a3")
    assert command(*chess, "-o", "b.svg") == 0
    assert Path("b.svg").read_text().count('class="pp-fill-tint"') == 2


def test_a_picture_of_a_record_is_its_last_position(command: Command) -> None:
    assert command("render", "X...O....", "--game-record", "2, 3", "-o", "b.svg") == 0
    assert "XXO.O....: X to move" in command.out
    assert Path("b.svg").read_text().count('class="pp-fill-tint"') == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "b.jpg"], "'b.jpg': the name of the picture must end in .svg or .png"),
        ([], "Missing option '-o'"),
        (["-o", "no/b.svg"], "no file can be written there"),
        (["-o", "b.svg", "--game", "nim:3,21"], "nim:3,21 cannot be drawn: it has no board"),
        (["-o", "b.svg", "--values", "--game", "morris"], "run perfectplay solve morris"),
        (["-o", "b.svg", "--table", "nosuch.json"], "nosuch.json"),
        (["-o", "b.svg", "XX"], "'XX' is not a board"),
        (["-o", "b.svg", "--game-record", "5 1 5"], "move 3 of the record: '5' is not a legal"),
        (["-o", "b.svg", "--game-record", ""], "1 to 1,000 moves separated by spaces, not 0"),
    ],
)
def test_render_refuses(command: Command, arguments: list[str], message: str) -> None:
    assert message in command.refuses("render", *arguments)
    assert not [*ROOT.glob("b.*")]
