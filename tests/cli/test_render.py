"""The command render."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.conftest import Command


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
