"""Books: made by a script, proved, used, listed and deleted by the command line."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from examples.checkers import verify_book
from scripts import book as making
from solver import load_game
from solver.tables.store import user_path
from tests.conftest import Command

SIZE = "connect4:5x4"
OTHER = "x.3.work has unfinished work on connect4:4x4: name another file, or delete that folder"


def make(command: Command, *words: str, status: int = 0) -> None:
    """Run the script, and keep what it printed as that of the command."""
    found = 0
    try:
        making.main(list(words))
    except SystemExit as end:
        found = int(end.code or 0)
    command.out, command.err = command.capsys.readouterr()
    assert found == status


@pytest.mark.large
def test_a_book_is_made_proved_and_used(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    make(command, "--depth", "3", "--game", SIZE)
    path = user_path(SIZE, ".book")
    assert command.out == f"wrote {path}: {os.path.getsize(path)} bytes, 66 positions\n"
    assert "49 positions of ply 3 to search, out of 49\n" in command.err
    assert os.listdir("tables") == ["connect4-5x4.book"]
    assert command("verify", path) == 2
    assert "python -m examples.checkers.verify_book" in command.err
    for words, searched in ((), 49), (("--sample", "20", "--seed", "3"), 20):
        monkeypatch.setattr("sys.argv", ["verify_book", path, *words])
        verify_book.main()
        assert command.capsys.readouterr().out == (
            f"proved {path}, {SIZE}: {searched} of the 49 scores of the last ply, and that all"
            " earlier scores follow from the last ply\n"
        )
    about = command.json("info", path)
    assert (about["depth"], about["plies"]) == (3, [1, 3, 13, 49])
    assert command("info", path) == 0
    assert command.out.startswith(f"{SIZE}: a draw with perfect play\n66 positions up to ply 3")
    assert command.json("best", "1234", "--game", SIZE)["outcome"] == "draw"


def test_an_interrupted_book_goes_on(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    make(command, "--depth", "5", "--game", SIZE, "-o", "whole.book")
    monkeypatch.setattr(making, "BLOCK", 16)
    search = making.BookMaker._search
    blocks = []

    def interrupted(self: making.BookMaker, keys: list[int], stop: Any) -> bytes:
        blocks.append(keys)
        if len(blocks) == 7:
            raise KeyboardInterrupt
        return search(self, keys, stop)

    arguments = ("--depth", "5", "--game", SIZE, "-o", "x.book")
    monkeypatch.setattr(making.BookMaker, "_search", interrupted)
    make(command, *arguments, status=130)
    monkeypatch.setattr(making.BookMaker, "_search", search)
    work, kept = Path("x.book.5.work"), Path("kept.work")
    work.rename(kept)
    whole = (kept / "5.16.values").read_bytes()
    other = (kept / "5.32.values").read_bytes()
    cut, flipped, longer = whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1]), whole + b"\0" * 99
    for damaged in (whole, cut, flipped, longer, other, b""):
        shutil.copytree(kept, work)
        (work / "5.16.values").write_bytes(damaged)
        make(command, *arguments)
        left = int(re.findall(r"(\d+) positions of ply 5 to search", command.err)[0])
        assert left == 542 - 6 * 16 + 16 * (damaged != whole)
        assert Path("x.book").read_bytes() == Path("whole.book").read_bytes()
        assert not work.exists()


def test_unfinished_work_on_a_book_goes_on_for_that_book_only(command: Command) -> None:
    for depth, block in ((3, making.BLOCK), (3, 16), (2, making.BLOCK)):
        maker = making.BookMaker(load_game(SIZE), 3, user_path(SIZE, f".book.{depth}.work"))
        maker.work.about |= {"depth": depth, "block": block}
        with maker.work as work:
            work.note()
            work.put("3.0.values", [(0, 49, bytes(49))])  # 49 draws, which is wrong
        make(command, "--depth", "3", "--game", SIZE)
        left = "0" if (depth, block) == (3, making.BLOCK) else "49"
        assert os.path.exists(maker.work.directory) == (depth == 2)
        assert f"perfectplay: {left} positions of ply 3 to search, out of 49\n" in command.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--depth", "2", "--game", "tictactoe"), "perfectplay solve makes a whole table"),
        (("--depth", "2", "--game", "connect4:9x7"), "connect4:9x7 has no search"),
        (("--depth", "12", "--game", "connect4:4x3"), "at ply 12; the last ones are at ply 11"),
        (("--depth", "2", "-o", "no/x.book"), "no file can be written there"),
        (("--depth", "3", "--game", SIZE, "-o", "x"), OTHER),
        (("--depth", "3", "--game", SIZE, "-o", "file"), "file.3.work is not a folder"),
        (("--depth", "2", "--workers", "0"), "--workers at least 1"),
    ],
)
def test_books_that_cannot_be_made(
    arguments: tuple[str, ...], reason: str, command: Command
) -> None:
    Path("file.3.work").write_text("a file of somebody's\n")
    with making.BookMaker(load_game("connect4:4x4"), 3, "x.3.work").work as work:
        work.note()
    make(command, *arguments, status=2)
    assert reason in command.err
    assert command.err.count("\n") == 1
    left = work.find("x.3.work")
    assert left is not None
    assert left.about == work.about
    assert Path("file.3.work").read_text() == "a file of somebody's\n"


def test_a_wrong_score_is_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    real = making.encode_score
    monkeypatch.setattr(making, "encode_score", lambda score: real(-score or 2**14 - 5))
    make(command, "--depth", "3", "--game", SIZE, "-o", "x.book")
    monkeypatch.setattr("sys.argv", ["verify_book", "x.book", "--sample", "5"])
    with pytest.raises(SystemExit, match="1"):
        verify_book.main()
    command.err = command.capsys.readouterr().err
    assert command.err.startswith("verify_book: x.book: the book has ")
    assert ", but it is " in command.err


def test_a_stored_book_is_listed_and_a_damaged_one_is_refused_everywhere(command: Command) -> None:
    make(command, "--depth", "2", "--game", SIZE)
    path = Path(user_path(SIZE, ".book"))
    assert command("games") == 0
    assert f"\n  {SIZE}: {path}\n" in command.out
    path.write_bytes(path.read_bytes()[:-3])
    for arguments in (("best", "12"), ("play", "--x", "perfect", "--o", "random")):
        assert "altered or truncated" in command.refuses(*arguments, "--game", SIZE)
    assert "is a book: python -m examples.checkers" in command.refuses("verify", str(path))
