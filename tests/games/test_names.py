"""Names that are not quite those of games and players, and what they import: nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from solver import TableAgent, UnknownGameError, UnknownPlayerError, load_game, load_player
from tests.conftest import Command


@pytest.mark.parametrize(
    ("spec", "right"),
    [
        ("conect4:4x4", "did you mean connect4:4x4?"),
        ("Connect4:5x4", "did you mean connect4:5x4?"),
        ("conect4", "did you mean connect4:7x6?"),
        ("hexapwan:9", "did you mean hexapawn:WxH"),
        ("tic-tac-toe", "did you mean tictactoe?"),
        ("NIM:3,4,5", "did you mean nim:3,4,5?"),
        ("go", "the games are tictactoe, mnk, "),
        ("go", "openspiel:NAME, or FILE.py:CLASS or python:MODULE:CLASS for a custom game"),
    ],
)
def test_a_misspelled_game_gets_a_suggestion(command: Command, spec: str, right: str) -> None:
    assert f"there is no game {spec!r}; " in command.refuses("best", "--game", spec)
    assert right in command.err
    with pytest.raises(UnknownGameError):
        load_game(spec)


@pytest.mark.parametrize("name", ["trap:Take", "trap:", "python:", "conect4:4x4", "a/trap:Take"])
def test_a_name_without_a_dot_imports_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`conect4:4x4` looked for a module conect4 in the working directory and ran it."""
    for module in ("trap", "conect4"):
        (tmp_path / f"{module}.py").write_text("raise AssertionError('imported')")
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    with pytest.raises(UnknownGameError, match="there is no game"):
        load_game(name)
    with pytest.raises(UnknownPlayerError, match="there is no player"):
        load_player(name, TableAgent())
    assert not {"trap", "conect4"} & (set(sys.modules) - before)


def test_a_misspelled_player_gets_a_suggestion(command: Command) -> None:
    message = command.refuses("grade", "minmax")
    assert "there is no player 'minmax'; did you mean minimax? the players are: human, " in message
    assert "did you mean nstep?" in command.refuses("grade", "nsteps:3")
    assert "did you mean" not in command.refuses("grade", "zzz:3")


@pytest.mark.slow
def test_a_player_in_a_module_needs_a_dot_or_the_prefix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text("def move(board, side):\n    return 0\n")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "one.py").write_text((tmp_path / "bot.py").read_text())
    monkeypatch.chdir(tmp_path)
    for name in ("bot.py:move", "python:bot:move", "bots.one:move"):
        load_player(name, TableAgent()).close()
