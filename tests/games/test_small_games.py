"""Small games against independent oracles: on strings here, on sets of points in tests.support.

The oracles share no code with the package. Counts without another source come from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest

from solver import IllegalPositionError, load_game
from solver.games.catalogue import GAMES
from solver.games.hexapawn import Hexapawn
from solver.rules.positions import orbits
from solver.solving.retrograde import retrograde
from solver.value import Outcome, distance, outcome
from tests.support import cyclic_games, plain_games
from tests.support.brute import Rules, Value, brute
from tests.support.cases import campaign, large

WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


def replaced(board: str, cell: int, mark: str) -> str:
    return board[:cell] + mark + board[cell + 1 :]


def three(board: str, marks: str) -> bool:
    return any({board[int(cell)] for cell in line} in map(set, marks) for line in LINES)


def wild(board: str) -> int | list[str]:
    """Return the outcome for the side to move if the game is over, else the boards one move on."""
    if three(board, "XO"):
        return -1
    return [replaced(board, i, m) for i in range(9) if board[i] == "." for m in "XO"] or 0


def notakto(board: str) -> int | list[str]:
    if three(board, "X"):
        return 1
    return [replaced(board, i, "X") for i in range(9) if board[i] == "."]


def nim(heaps: str) -> int | list[str]:
    """The same for heaps that are not sorted, and that remain when they are empty."""
    sizes = heaps.split(",")
    return [
        ",".join([*sizes[:i], str(left), *sizes[i + 1 :]])
        for i, size in enumerate(sizes)
        for left in range(int(size))
    ] or -1


ON_STRINGS: dict[str, tuple[Rules, str]] = {
    "notakto": (notakto, "........."),
    "nim:3,4,5": (nim, "3,4,5"),
    "wild": (wild, "........."),
    "nim:2,2,4,3": (nim, "2,2,4,3"),
}
CYCLIC = tuple(cyclic_games.ORACLES)  # positions repeat
ORACLES: dict[str, tuple[Rules, Any]] = {
    **ON_STRINGS,
    **cyclic_games.ORACLES,
    **{
        spec: (plain_games.rules_of(spec), plain_games.read(spec, start))
        for spec, start in plain_games.STARTS.items()
    },
}
FIRST = (
    *("notakto", "hexapawn:3x3", "nim:3,4,5", "morris", "achi", "ponghauki"),
    *("clobber:3x2", "domineering:3x4", "breakthrough:2x4", "dodgem:3x3", "mutorere"),
)
SLOWEST = "hexapawn:4x4"
EACH = [
    *FIRST,
    *large(*(spec for spec in ORACLES if spec not in (*FIRST, SLOWEST))),
    *campaign(SLOWEST),
]


def read(spec: str) -> Callable[[Any], Any]:
    """Return a function that gives a game's position for one of its oracle."""
    game = load_game(spec)
    if spec in CYCLIC:
        return lambda position: cyclic_games.read(game, position)
    if spec in ON_STRINGS:
        return game.parse
    return lambda position: game.parse(plain_games.written(spec, position))


@cache
def values(spec: str) -> dict[Any, Value]:
    """Return the values of all positions by the oracle."""
    return brute(*ORACLES[spec])


@cache
def scored(spec: str) -> dict[Any, int]:
    return retrograde(load_game(spec))


def valued(score: int) -> Value:
    return int(outcome(score)), distance(score)


@pytest.mark.slow
@pytest.mark.parametrize("spec", EACH)
@pytest.mark.thinned(3, 3)
def test_moves_and_values_of_all_positions_match_the_oracle(spec: str) -> None:
    game, parse, (rules, start) = load_game(spec), read(spec), ORACLES[spec]
    scores, found = scored(spec), dict[Any, Value]()
    assert parse(start) == game.initial()
    for position, value in values(spec).items():
        p, after = parse(position), rules(position)
        assert valued(scores[game.canonical(p)]) == value
        assert found.setdefault(p, value) == value  # for either seat to move
        assert game.primitive(p) == (after if isinstance(after, int) else None)
        assert game.position(game.key(p)) == p
        if isinstance(after, list):
            children = [game.play(p, m) for m in game.moves(p)]
            assert set(children) == set(map(parse, after))
            assert len(set(children)) == len(children)
    assert set(map(game.canonical, found)) == set(scores)
    assert sum(orbits(game, scores).values()) == len(found)


@pytest.mark.parametrize(
    ("spec", "positions", "canonical", "value"),
    [
        ("wild", 18753, 1359, (WIN, 7)),  # positions and winner: recomputed, well known
        ("notakto", 450, 87, (WIN, 6)),  # winner: Plambeck and Whitehead, arXiv 1301.1672
        ("hexapawn:3x3", 135, 69, (LOSS, 6)),  # winner and plies: Gardner's game, well known
        pytest.param("hexapawn:4x4", 20286, 6948, (WIN, 11), marks=pytest.mark.large),
        ("nim:3,4,5", 48, 48, (WIN, 11)),  # winner: Bouton, by nim-sum
        ("morris", 3870, 540, (WIN, 9)),  # the opening: Wikipedia, Three men's morris
        ("morris:any", 3870, 540, (DRAW, None)),
        ("achi", 5400, 750, (WIN, 11)),  # the winner: Wikipedia, Achi (game)
        ("ponghauki", 28, 15, (DRAW, None)),  # Straffin, Mathematics Magazine 68, 1995
        ("domineering:4x4", 2443, 648, (WIN, 7)),  # the winner: Breuker and others, 2000
        ("dodgem:3x3", 1963, 1349, (WIN, 19)),  # the winner: Winning Ways
        ("mutorere", 1180, 596, (DRAW, None)),  # Straffin, 1995; the count: Wikipedia, Mū tōrere
    ],
)
@pytest.mark.slow
def test_the_catalogue_has_the_known_counts_and_values(
    spec: str, positions: int, canonical: int, value: Value
) -> None:
    game, scores = load_game(spec), scored(spec)
    assert valued(scores[game.canonical(game.initial())]) == value
    assert (sum(orbits(game, scores).values()), len(scores)) == (positions, canonical)
    listing = next(listing for listing in GAMES if listing.spec == spec)
    assert (listing.positions, listing.canonical) == (positions, canonical)
    winner = {1: "the first player wins", -1: "the second player wins", 0: "draw"}[value[0]]
    assert re.fullmatch(rf"{winner}( in {value[1]} plies)?(, by the centre only)?", listing.value)
    start = game.initial()
    after = {m: scores[game.canonical(game.play(start, m))] for m in game.moves(start)}
    winning = {game.cell(start, m) for m, score in after.items() if outcome(score) is LOSS}
    assert not listing.value.endswith("only") or winning == {4}


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ("notakto", map("".join, product("X.", repeat=9))),
        ("nim:3,4,5", (",".join(map(str, heaps)) for heaps in product(range(7), repeat=3))),
        ("ponghauki", map("".join, product("XO.", repeat=5))),
        ("morris", map("".join, product("XO.", repeat=9))),
        ("wild", map("".join, product("XO.", repeat=9))),
        ("achi", map("".join, product("XO.", repeat=9))),
    ],
)
@pytest.mark.thinned(3, 2)
@pytest.mark.slow
def test_parse_accepts_exactly_the_positions_that_can_arise(spec: str, texts: Any) -> None:
    game, parsed = load_game(spec), set()
    for text in texts:
        try:
            parsed.add(game.parse(text))
        except IllegalPositionError:
            continue
    assert parsed == set(map(read(spec), values(spec)))
    for p in parsed:
        for seat in (None, *game.seats):
            assert game.parse(game.text(p, seat), seat) == p


@pytest.mark.parametrize(
    ("spec", "text", "turn", "reason"),
    [
        ("wild", "XXXOOO...", None, "lines of 3 that no single last move completes"),
        ("notakto", "XO.......", None, "there is an O, but in notakto both sides place X"),
        ("hexapawn:3x3", "ppp/.../PPP", None, "the side to move, as in 'ppp/.../PPP w'"),
        ("hexapawn:3x3", "ppp/p../PPP w", None, "there are 4 p, but a game starts with 3"),
        ("hexapawn:3x3", "ppp/.../PPP b", None, "no last move of White leads to"),
        ("hexapawn:3x3", "ppp/.../PPP w", "Black", "White is to move in 'ppp/.../PPP w', not"),
        ("hexapawn:3x3", "ppp/.../PPP w", "b", "the turn is 'b'; it must be White or Black"),
        ("domineering:2x3", "../../.. h", None, "Vertical moves first; with Horizontal first"),
        (
            "clobber:3x2",
            "WbW/bWb w",
            "Black",
            "with Black first it is the same game with the colours",
        ),
        ("clobber:3x1", "WbW b", None, "with Black first it is another game"),
        ("nim:3,4,5", "", None, "'' is not a list of heaps: write their sizes as 3,4,5, or 0"),
        (
            "nim:3,4,5",
            "3-4-5",
            None,
            "'3-4-5' is not a list of heaps: write their sizes as 3,4,5, or 0",
        ),
        ("nim:3,4,5", "4,4,4", None, "the heaps 3,4,5 cannot become 4,4,4"),
        ("morris", "XXXO.....", None, "too many X: 3 X and 1 O"),
        ("morris", "XXOOXXO..", None, "a side has 4 men, but it starts with 3"),
        ("morris", "OOOXX.X..", "O", "O has 3 in a row, so the game was over before X's last move"),
        ("ponghauki", "X..OO", None, "there are 1 X and 2 O, but each side has 2"),
        ("ponghauki", ".XOOX", "O", "no last move of X leads to '.XOOX'"),
        ("clobber:3x3", "WbW/bWb/WbW", None, "W, b or ., and w or b for the side to move, as in"),
        ("mutorere", "XXXX.OOOO", None, "is not a position: write 3 rows of 3 cells"),
    ],
)
def test_parse_reports_why_it_rejects_a_text(
    spec: str, text: str, turn: str | None, reason: str
) -> None:
    with pytest.raises(IllegalPositionError, match=re.escape(reason)):
        load_game(spec).parse(text, turn)


EMPTY = {str(cell + 1): cell for cell in range(9)}


@pytest.mark.parametrize(
    ("spec", "text", "cells"),
    [
        ("wild", "X........", {f"{m}{n}": n - 1 for m in "XO" for n in range(2, 10)}),
        ("notakto", "X........", {n: cell for n, cell in EMPTY.items() if cell}),
        ("hexapawn:3x3", "ppp/.../PPP w", {"a1a2": 3, "b1b2": 4, "c1c2": 5}),
        ("hexapawn:3x3", "ppp/.P./P.P b", {"a3a2": 3, "a3xb2": 4, "c3c2": 5, "c3xb2": 4}),
        ("hexapawn:3x3", "p.p/Pp./.PP w", {"c1c2": 5, "c1xb2": 4}),
        ("morris", ".........", EMPTY),
        ("morris", "XO.XO.OX.", {"8-9": 8}),  # X on 1, 4 and 8; 3, 6 and 9 are empty
        ("morris:any", "XO.XO.OX.", {"8-9": 8, "8-6": 5}),
        ("ponghauki", "XX.OO", {"1-3": 2, "2-3": 2}),
    ],
)
def test_labels_and_cells(spec: str, text: str, cells: dict[str, int]) -> None:
    game = load_game(spec)
    p = game.parse(text)
    assert {game.label(p, m): game.cell(p, m) for m in game.moves(p)} == cells


def test_a_board_has_names_of_files_and_ranks() -> None:
    game = Hexapawn(3, 3)
    assert game.render(game.initial()) == " 3 p p p\n 2 . . .\n 1 P P P\n   a b c"
    tall = Hexapawn(2, 10)
    assert tall.label(tall.play(tall.initial(), 18 * 20 + 16), 1 * 20 + 3) == "b10b9"
