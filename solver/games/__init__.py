"""The built-in games by name, and custom games by file or module.

Takes a name such as `connect4:5x4` or `rules.py:Class`; returns its rules as a Game. The part of a
built-in name before the sizes is its family. A family is a module here with `PATTERN`, which
matches its names, `load`, which turns the groups of a match into the game, and `FORM`, which
describes the names to people. Read `clobber.py` first, then `mnk.py`.
"""

from __future__ import annotations

import re
from importlib import import_module
from weakref import WeakKeyDictionary

from solver.errors import UnknownGameError
from solver.rules.game import Game, defines
from solver.rules.kinds import is_same
from solver.startup import Any

PACKAGE = __name__.partition(".")[0]

FAMILIES = {  # the module of each family
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
    "breakthrough": "breakthrough",
    "clobber": "clobber",
    "domineering": "domineering",
    "dodgem": "dodgem",
    "mutorere": "mutorere",
}


def name_forms() -> list[str]:
    """Return descriptions of how to write the names of games."""
    from solver.games.custom import FORMS

    built_in = [_family(module).FORM for module in dict.fromkeys(FAMILIES.values())]
    return [*built_in, *FORMS]


def load_game(spec: str) -> Game[Any, Any]:
    """Return the built-in game of this name, a game of OpenSpiel, or a custom game.

    OpenSpiel's are as `openspiel:hex(board_size=3)` and need the extra `openspiel`. A custom game
    is `path/to/file.py:Class`, `package.module:Class` or `python:module:Class`, whose code is then
    executed. Raises UnknownGameError, which states what is wrong with any other name.
    """
    if not isinstance(spec, str):
        raise TypeError(
            f"load_game takes the name of a game, such as 'tictactoe', not {spec!r:.80}; a class"
            " is called to make its game"
        )
    if not is_built_in(spec):
        from solver.games.custom import is_custom, is_openspiel, load_custom

        if is_custom(spec) or spec.endswith(".py"):
            game = load_custom(spec)
            kind = type(game)
            if not isinstance(game.spec, str):
                raise UnknownGameError(f"{spec}: its spec is {game.spec!r:.80}; it must be a text")
            named = _built_in_named(game.spec)
            is_taken = named is not None and not _is_like(named, game, "instance_name", "found_in")
            if is_taken or (is_openspiel(game.spec) and not is_openspiel(spec)):
                name = f"{kind.__module__}:{kind.__name__}"
                how = f'write spec = "{name}" in its class'
                if type(named) is kind:
                    how = "change the rules in a subclass"
                raise UnknownGameError(f"{spec} has the name of another game, {game.spec}: {how}")
            return game
    return load_built_in(spec)


def load_built_in(spec: str) -> Game[Any, Any]:
    """Return the built-in game of this name, without executing custom code.

    Raises UnknownGameError.
    """
    name = family_of(spec)
    if name not in FAMILIES:
        raise UnknownGameError(f"there is no game {spec!r}; {_suggestion(spec)}")
    family = _family(FAMILIES[name])
    match = re.fullmatch(family.PATTERN, spec, re.ASCII)
    if match is None:
        raise UnknownGameError(f"there is no game {spec!r}; {name} is written {family.FORM}")
    try:
        game: Game[Any, Any] = family.load(*match.groups())
    except ValueError as error:
        raise UnknownGameError(f"there is no game {spec!r}: {error}") from error
    _made[game] = spec
    return game


_made: WeakKeyDictionary[Game[Any, Any], str] = WeakKeyDictionary()
"""The name of each game that `load_built_in` has made."""


def built_in_name(game: Game[Any, Any]) -> str | None:
    """Return the name by which `load_built_in` has made this very object, if it is as it was.

    Return None for all other games, whose rules may be anything: copies, subclasses, and a game
    whose attributes have been changed. What its class caches in it does not matter, since whoever
    takes the package's code in place of its rules makes a new game of this name.
    """
    if type(game).__hash__ is not object.__hash__:  # no key, or equal to another game's
        return None
    name = _made.get(game)
    return name if name is not None and _is_like(load_built_in(name), game) else None


def _is_like(made: Game[Any, Any], game: Game[Any, Any], *but: str) -> bool:
    """Return whether a game has the class and the attributes, but for some, of one just made."""
    if type(made) is not type(game):
        return False
    right, state = Game.__getstate__(made), Game.__getstate__(game)
    return right.keys() == state.keys() - {*but} and all(
        _is_like(value, state[name]) if isinstance(value, Game) else is_same(value, state[name])
        for name, value in right.items()
    )


def copy_game(game: Game[Any, Any]) -> Game[Any, Any]:
    """Return a copy of a game, to which keys are given; a built-in game is made anew."""
    from copy import copy

    name = built_in_name(game)
    return copy(game) if name is None else load_built_in(name)


def by_hand(game: Game[Any, Any], method: str) -> Game[Any, Any] | None:
    """Return the game whose `kernel` or `search`, written by hand, stands for a game's rules.

    It is a new built-in game, or the game itself, if its class is a user's and defines the method.
    Return None if there is none.
    """
    if not defines(game, method):
        return None
    if type(game).__module__.partition(".")[0] != PACKAGE:
        return game
    name = built_in_name(game)
    return None if name is None else load_built_in(name)


def is_built_in(spec: str) -> bool:
    """Return whether a name is one of a built-in game, even if its sizes are wrong."""
    return family_of(spec) in FAMILIES


def _built_in_named(spec: str) -> Game[Any, Any] | None:
    """Return the built-in game of a name; None if there is none."""
    try:
        return load_built_in(spec) if is_built_in(spec) else None
    except UnknownGameError:
        return None


def family_of(spec: str) -> str:
    """Return the part of a name before its sizes and options."""
    return re.split("[:,]", spec, maxsplit=1)[0]


def _suggestion(spec: str) -> str:
    """Return what to write in place of a name that is not a game's."""
    from difflib import get_close_matches

    from solver.games.custom import FORMS, OPENSPIEL

    name = family_of(spec)
    close = get_close_matches(name.lower(), FAMILIES, 1, cutoff=0.7)
    if close:
        try:
            return f"did you mean {load_built_in(close[0] + spec[len(name) :]).spec}?"
        except UnknownGameError:
            return f"did you mean {_family(FAMILIES[close[0]]).FORM}?"
    games = f"{', '.join(FAMILIES)} (see perfectplay games), {OPENSPIEL}NAME"
    return f"the games are {games}, or {FORMS[-1]}"


def _family(module: str) -> Any:
    return import_module(f".{module}", __name__)
