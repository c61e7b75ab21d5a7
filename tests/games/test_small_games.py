"""Wild tic-tac-toe, notakto, hexapawn and nim against independent oracles on strings.

The oracles share no code with the package. Counts without another source come from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest

from solver import IllegalPositionError, load_game
from solver.games.hexapawn import Hexapawn
from solver.games.notakto import Notakto
from solver.games.wild import Wild
from solver.rules.game import move_image
from solver.rules.positions import orbits
from solver.solving.retrograde import retrograde
from solver.value import Outcome, distance, outcome

WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS
Value = tuple[int, int | None]  # outcome for the side to move, and distance
Rules = Callable[[str], int | list[str]]
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


def hexapawn(position: str) -> int | list[str]:
    """The same for rows from the top and the side to move; pawns are pairs of row and column."""
    board, side = position.split()
    rows = board.split("/")
    pawns = {
        mark: {(r, c) for r, row in enumerate(rows) for c in range(len(row)) if row[c] == mark}
        for mark in "Pp"
    }
    mark, rival, down = ("P", "p", -1) if side == "w" else ("p", "P", 1)
    if any(r == (len(rows) - 1 if rival == "p" else 0) for r, _ in pawns[rival]):
        return -1
    found = []
    for r, c in pawns[mark]:
        for to in ((r + down, c - 1), (r + down, c), (r + down, c + 1)):
            if (to in pawns[rival]) if to[1] != c else (to not in pawns[rival] | pawns[mark]):
                after = {mark: pawns[mark] - {(r, c)} | {to}, rival: pawns[rival] - {to}}
                drawn = "/".join(
                    "".join(
                        "P" if (i, j) in after["P"] else "p" if (i, j) in after["p"] else "."
                        for j in range(len(rows[0]))
                    )
                    for i in range(len(rows))
                )
                found.append(f"{drawn} {'b' if side == 'w' else 'w'}")
    return found or -1


def nim(heaps: str) -> int | list[str]:
    """The same for heaps that are not sorted, and that remain when they are empty."""
    sizes = heaps.split(",")
    return [
        ",".join([*sizes[:i], str(left), *sizes[i + 1 :]])
        for i, size in enumerate(sizes)
        for left in range(int(size))
    ] or -1


def brute(rules: Rules, start: str) -> dict[str, Value]:
    """Return outcome and distance, for the side to move, of all positions that a game reaches."""
    values: dict[str, Value] = {}

    def solve(board: str) -> Value:
        if board not in values:
            after = rules(board)
            values[board] = ended(after) if isinstance(after, int) else best(map(solve, after))
        return values[board]

    def ended(result: int) -> Value:
        return (result, 0) if result else (0, None)

    def best(replies: Iterator[Value]) -> Value:
        known = list(replies)
        plies = {
            result: [n for r, n in known if r == result and n is not None] for result in (-1, 1)
        }
        if plies[-1]:
            return 1, min(plies[-1]) + 1
        return (0, None) if len(plies[1]) < len(known) else (-1, max(plies[1]) + 1)

    solve(start)
    return values


ORACLES: dict[str, tuple[Rules, str]] = {
    "wild": (wild, "........."),
    "notakto": (notakto, "........."),
    "hexapawn:2x3": (hexapawn, "pp/../PP w"),
    "hexapawn:3x3": (hexapawn, "ppp/.../PPP w"),
    "hexapawn:3x4": (hexapawn, "ppp/.../.../PPP w"),
    "hexapawn:4x3": (hexapawn, "pppp/..../PPPP w"),
    "hexapawn:4x4": (hexapawn, "pppp/..../..../PPPP w"),
    "nim:3,4,5": (nim, "3,4,5"),
    "nim:2,2,4,3": (nim, "2,2,4,3"),
}
FAST = [spec for spec in ORACLES if spec not in ("wild", "hexapawn:4x4")]


@cache
def values(spec: str) -> dict[str, Value]:
    """Return the values of all positions by the oracle."""
    return brute(*ORACLES[spec])


@cache
def scored(spec: str) -> dict[Any, int]:
    return retrograde(load_game(spec))


@pytest.mark.parametrize(
    "spec", [*FAST, "wild", pytest.param("hexapawn:4x4", marks=pytest.mark.large)]
)
@pytest.mark.thinned(2)
def test_values_of_all_positions_match_the_oracle(spec: str) -> None:
    game, scores = load_game(spec), scored(spec)
    assert game.parse(ORACLES[spec][1]) == game.initial()
    found = set()
    for board, value in values(spec).items():
        p = game.parse(board)
        score = scores[game.canonical(p)]
        assert (outcome(score), distance(score)) == value
        assert game.position(game.key(p)) == p
        found.add(p)
    assert {game.canonical(p) for p in found} == set(scores)
    assert sum(orbits(game, scores).values()) == len(found)


@pytest.mark.parametrize(
    "spec",
    [
        *FAST,
        pytest.param("wild", marks=pytest.mark.slow),
        pytest.param("hexapawn:4x4", marks=pytest.mark.large),
    ],
)
@pytest.mark.thinned(2)
def test_moves_parents_and_outcomes_match_the_oracle(spec: str) -> None:
    game, (rules, _) = load_game(spec), ORACLES[spec]
    for board in values(spec):
        p, after = game.parse(board), rules(board)
        if isinstance(after, int):
            assert game.primitive(p) == after
            continue
        assert game.primitive(p) is None
        children = [game.play(p, m) for m in game.moves(p)]
        assert set(children) == {game.parse(child) for child in after}
        assert len(set(children)) == len(children)
        assert all(p in (game.parents(q) or ()) for q in children)
        for q in game.parents(p) or ():
            assert game.primitive(q) is None
            assert p in [game.play(q, m) for m in game.moves(q)]


@pytest.mark.parametrize(
    ("spec", "positions", "canonical", "value"),
    [
        ("wild", 18753, 1359, (WIN, 7)),  # positions and winner: recomputed, well known
        ("notakto", 450, 87, (WIN, 6)),  # winner: Plambeck and Whitehead, arXiv 1301.1672
        ("hexapawn:3x3", 135, 69, (LOSS, 6)),  # winner and plies: Gardner's game, well known
        ("hexapawn:4x4", 20286, 6948, (WIN, 11)),
        ("nim:3,4,5", 48, 48, (WIN, 11)),  # winner: Bouton, by nim-sum
    ],
)
def test_known_counts_and_values(spec: str, positions: int, canonical: int, value: Value) -> None:
    game, scores = load_game(spec), scored(spec)
    score = scores[game.canonical(game.initial())]
    assert (outcome(score), distance(score)) == value
    assert len(scores) == canonical
    assert sum(orbits(game, scores).values()) == positions


@pytest.mark.parametrize(
    ("spec", "accepted"), [("wild", 18753), ("notakto", 450), ("nim:3,4,5", 48)]
)
def test_parse_accepts_exactly_the_positions_that_can_arise(spec: str, accepted: int) -> None:
    game = load_game(spec)
    marks = {"wild": product("XO.", repeat=9), "notakto": product("X.", repeat=9)}
    texts = ["".join(board) for board in marks.get(spec, ())] or [
        ",".join(map(str, heaps)) for heaps in product(range(7), repeat=3)
    ]
    known, parsed = {game.parse(board) for board in values(spec)}, set()
    for text in texts:
        try:
            parsed.add(game.parse(text))
        except IllegalPositionError:
            continue
    assert parsed == known
    assert len(parsed) == accepted


@pytest.mark.parametrize(
    ("spec", "text", "turn", "reason"),
    [
        ("wild", "XXX...XXX", None, "lines of 3 that no single last move completes"),
        ("wild", "XXXOOO...", None, "lines of 3 that no single last move completes"),
        ("wild", "XX", None, "a board has 9 cells"),
        ("wild", "XQ.......", None, "is 'Q'"),
        ("wild", ".........", "X", "the turn is 'X'; it must be First or Second"),
        ("notakto", "XXX...XXX", None, "lines of 3 that no single last move completes"),
        ("notakto", "XO.......", None, "there is an O, but in notakto both sides place X"),
        ("notakto", ".........", "O", "the turn is 'O'; it must be First or Second"),
        ("hexapawn:3x3", "ppp/.../PPP", None, "the side to move, as in 'ppp/.../PPP w'"),
        ("hexapawn:3x3", "ppp/.../PPP W", None, "is not a position"),
        ("hexapawn:3x3", "ppp/.../PPX w", None, "each P, p or ."),
        ("hexapawn:3x3", "ppp/.../.../PPP w", None, "write 3 rows of 3 cells"),
        ("hexapawn:3x3", "pppp/..../PPPP w", None, "write 3 rows of 3 cells"),
        ("hexapawn:3x3", "ppp/p../PPP w", None, "there are 4 p, but a game starts with 3"),
        ("hexapawn:3x3", "ppp/.../PPP b", None, "no last move of White leads to"),
        ("hexapawn:3x3", "ppp/P../.PP w", None, "no last move of Black leads to"),
        ("hexapawn:3x3", "P../.p./p.P w", None, "no last move of Black leads to"),
        (
            "hexapawn:3x3",
            "ppp/.../PPP w",
            "Black",
            "White is to move in 'ppp/.../PPP w', not Black",
        ),
        ("nim:3,4,5", "", None, "'' is not a list of heaps: write their sizes as 3,4,5, or 0"),
        ("nim:3,4,5", "3;4", None, "is not a list of heaps"),
        ("nim:3,4,5", "-1", None, "is not a list of heaps"),
        ("nim:3,4,5", "4,4,4", None, "the heaps 3,4,5 cannot become 4,4,4"),
        ("nim:3,4,5", "1,1,1,1", None, "the heaps 3,4,5 cannot become 1,1,1,1"),
        ("nim:3,4,5", "3", "White", "the turn is 'White'; it must be First or Second"),
    ],
)
def test_parse_reports_why_it_rejects_a_text(
    spec: str, text: str, turn: str | None, reason: str
) -> None:
    with pytest.raises(IllegalPositionError, match=re.escape(reason)):
        load_game(spec).parse(text, turn)


def test_labels_and_cells() -> None:
    p = Wild().parse("X........")
    labels = [Wild().label(p, m) for m in Wild().moves(p)]
    assert labels == [f"{mark}{cell}" for mark in "XO" for cell in range(2, 10)]
    assert [Wild().cell(p, m) for m in Wild().moves(p)] == 2 * [*range(1, 9)]
    assert [Notakto().cell(1, m) for m in Notakto().moves(1)] == [*range(1, 9)]
    assert [Notakto().label(1, m) for m in Notakto().moves(1)] == [*"23456789"]
    game = Hexapawn(3, 3)
    for text, moves in (
        ("ppp/.../PPP w", {"a1a2", "b1b2", "c1c2"}),
        ("ppp/.P./P.P b", {"a3xb2", "c3xb2", "a3a2", "c3c2"}),
        ("p.p/Pp./.PP w", {"c1xb2", "c1c2"}),
    ):
        p = game.parse(text)
        assert {game.label(p, m) for m in game.moves(p)} == moves
    assert game.render(game.initial()) == " 3 p p p\n 2 . . .\n 1 P P P\n   a b c"
    tall = Hexapawn(2, 10)
    assert tall.label(tall.play(tall.initial(), 18 * 20 + 16), 1 * 20 + 3) == "b10b9"


def test_symmetries_of_wild_include_exchanged_marks() -> None:
    game = Wild()
    assert len(game.symmetries) == 16
    p = game.parse("XO..X....")
    for symmetry in game.symmetries:
        text = game.text(symmetry.position(p))
        assert sorted(text) == sorted("XXO......" if symmetry.cells else "OOX......")
        x_on_9 = move_image(game, symmetry, p, 8)
        assert game.label(symmetry.position(p), x_on_9)[0] == ("X" if symmetry.cells else "O")
    assert len({game.text(s.position(p)) for s in game.symmetries}) == 16
