"""The games that perfectplay knows by name."""

from __future__ import annotations

from ..errors import UnknownGameError
from ..game import Game
from ..record import NamedTuple, record
from .mnk import Mnk

TYPE_CHECKING = False  # see solver.record
if TYPE_CHECKING:
    from typing import Any


@record
class Listing(NamedTuple):
    """What `perfectplay games` tells about a game."""

    spec: str
    title: str
    positions: int
    canonical: int
    value: str
    source: str


GAMES = (
    Listing(
        "tictactoe",
        "tic-tac-toe, three in a row on 3x3",
        5_478,
        765,
        "draw",
        "OpenSpiel get_all_states_test; OEIS A008907",
    ),
)


def load_game(spec: str) -> Game[Any, Any]:
    """Return the game of this name; raises UnknownGameError, which lists the names."""
    if spec == "tictactoe":
        return Mnk(3, 3, 3)
    known = ", ".join(listing.spec for listing in GAMES)
    raise UnknownGameError(f"there is no game {spec!r}; the games are: {known}")
