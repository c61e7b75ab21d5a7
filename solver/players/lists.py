"""Players in folders and lists: takes what people write; returns the names of players."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from glob import escape, glob

from solver.errors import UnknownPlayerError
from solver.players.player import COMMAND

LISTED = "@"  # before the name of a file that lists players


def expand_players(players: Sequence[str], reading: Sequence[str] = ()) -> list[str]:
    """Return the players that the words name, those in folders and lists included.

    `FOLDER` stands for every Python file in a folder, `FOLDER:NAME` for their functions NAME, and
    `@FILE` for what the lines of a file name, without comments, which start with #. `reading` are
    the lists that these words stand in. Raises OSError for a file that cannot be read, and
    UnknownPlayerError where nothing is named or a list names itself.
    """
    names: list[str] = []
    for before, word in zip(("", *players), players, strict=False):
        folder, _, name = word.rpartition(":")
        if word in reading:
            raise UnknownPlayerError(f"{word} lists itself: leave that line out")
        if word.startswith(LISTED):
            with open(word[1:], encoding="utf-8-sig") as file:
                lines = [re.split(r"(?:^|\s)#", line)[0].strip() for line in file]
            more = expand_players([line for line in lines if line], (*reading, word))
        elif os.path.isdir(folder) and not word.startswith(COMMAND):
            more = [f"{path}:{name}" for path in sorted(glob(f"{escape(folder)}/*.py"))]
        elif os.path.isdir(word):
            more = sorted(glob(f"{escape(word)}/*.py"))
        elif os.path.isfile(word) and before.startswith(COMMAND):
            raise UnknownPlayerError(f'quote a command and its arguments: "{before} {word}"')
        elif os.path.isfile(word) and not word.endswith(".py"):
            raise UnknownPlayerError(
                f'{word} is a file: write {LISTED}{word} if it lists players, or "command:PROGRAM'
                f' {word}" if PROGRAM runs it'
            )
        else:
            more = [word]
        if not more:
            raise UnknownPlayerError(f"{word} names no player")
        names += more
    return names
