"""The games that perfectplay knows by name, and games of one's own.

A name is that of a family, often with sizes after a colon: `mnk:4,3,3`, `connect4:5x4`. Each family
is a module here: `PATTERN` takes its names apart, `load` makes the game of a match, and `FORM` says
how such a name is written.
"""

from __future__ import annotations

import re
from importlib import import_module

from solver.errors import UnknownGameError
from solver.rules.game import Game

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from typing import Any

FAMILIES = {
    "tictactoe": "mnk",
    "mnk": "mnk",
    "wild": "wild",
    "notakto": "notakto",
    "connect4": "connect4",
    "hexapawn": "hexapawn",
    "nim": "nim",
    "morris": "morris",
    "achi": "morris",
    "ponghauki": "ponghauki",
    "kingspawns": "kingspawns",
}


def name_forms() -> list[str]:
    """Return how the names of each family are written."""
    modules = dict.fromkeys(FAMILIES.values())
    return [import_module(f".{module}", __name__).FORM for module in modules]


def load_game(spec: str) -> Game[Any, Any]:
    """Return the game of this name, or of one's own as `path/to/file.py:Class` or `module:Class`.

    A game of one's own is code, and runs. Raises UnknownGameError, which lists the names or says
    what is wrong with this one.
    """
    if ":" in spec and family_of(spec) not in FAMILIES:
        from solver.games.custom import load_custom

        return load_custom(spec)
    return load_built_in(spec)


def load_built_in(spec: str) -> Game[Any, Any]:
    """Return the game of this name; runs nobody else's code. Raises UnknownGameError."""
    name = family_of(spec)
    if name not in FAMILIES:
        raise UnknownGameError(
            f"there is no game {spec!r}; the games are {', '.join(FAMILIES)} (see perfectplay"
            " games), and your own as FILE.py:CLASS"
        )
    family: Any = import_module(f".{FAMILIES[name]}", __name__)
    match = re.fullmatch(family.PATTERN, spec, re.ASCII)
    if match is None:
        raise UnknownGameError(f"there is no game {spec!r}; {name} is written {family.FORM}")
    try:
        game: Game[Any, Any] = family.load(match)
    except ValueError as error:
        raise UnknownGameError(f"there is no game {spec!r}: {error}") from error
    return game


def family_of(spec: str) -> str:
    """Return the name up to the sizes and options."""
    return re.split("[:,]", spec, maxsplit=1)[0]
