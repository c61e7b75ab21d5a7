"""What a game is called and how it is played, for people.

Takes a game; returns texts. A game says them itself, in `title` and `about`; for one that does not,
they follow from the name and the docstring of its class.
"""

from __future__ import annotations

import re

from solver.rules.game import Game
from solver.startup import Any

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def title_of(game: Game[Any, Any]) -> str:
    """Return the name of a game; by default that of its class, in words.

    The class LastStone is called "Last stone".
    """
    words = re.sub(r"(?<=[a-z\d])(?=[A-Z])", " ", type(game).__name__).replace("_", " ").strip()
    return game.title or words.capitalize()


def about_of(game: Game[Any, Any]) -> str:
    """Return how a game is played and won; by default its class's docstring, to the empty line.

    It is empty if there is neither.
    """
    text = game.about or type(game).__doc__ or ""
    return " ".join(re.split(r"\n\s*\n", text.strip())[0].split())


def in_words(number: int) -> str:
    """Return a number as text: 'four', or '12'."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
