"""Kings and pawns against an independent implementation of 4x4 chess and published counts.

`tests.support.slow_chess` shares no code with the package. It is checked itself against numbers of
positions by Kirill Kryukov and numbers of move sequences by Fairy-Stockfish.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import IllegalPositionError, check_game, encode, load_game, solve, value, verify
from solver.games.kingspawns import KingsPawns
from tests.support import slow_chess as slow
from tests.support.brute import brute
from tests.support.cases import campaign, large
from tests.support.properties import examples

ROOMY = "pppk/pppp/PPPP/KPPP"  # allows positions with up to 7 pawns and queens a side

# Numbers of sequences of 1, 2, 3, ... moves by Fairy-Stockfish 230826 through pyffish 0.0.90, with
# this variant and one in which a pawn that arrives wins
INI = """
[promoting:chess]
maxRank = 4
maxFile = d
promotionRegionWhite = *4
promotionRegionBlack = *1
promotionPieceTypes = q
doubleStep = false
castling = false
"""
SEQUENCES = {
    "k.../.ppp/PPP./...K": [6, 22, 76, 241, 919, 3208, 13787, 51894],
    "k.../pp../..../PP.K": [4, 12, 50, 168, 692, 2999, 11028, 54330],  # pawns on the first rank
    "k.../..../P..p/...K": [3, 7, 28, 110, 434, 1618, 5894, 24634],  # promotions at once
    "pkpp/..../..../PPKP": [6, 26, 111, 468, 2034, 8772],
    "...k/P.../...p/K...": [4, 13, 61, 218, 1036, 3970],
}
ARRIVING = {  # if a pawn on the last rank wins
    "k.../.ppp/PPP./...K": [6, 22, 76, 229, 767, 2258],
    ".k../pppp/PPPP/.K..": [8, 38, 165, 588, 1939, 5821],
    "k.../..../P..p/...K": [3, 7, 25, 87, 360, 1144],
    "...k/P.../...p/K...": [4, 11, 34, 108, 318, 918],
}
STARTS = [*SEQUENCES, ROOMY]
seeds = st.integers(0, 2**32)


def marks(wins: bool) -> str:
    """Return what pawns on the last rank become, for the slow rules."""
    return "Pp" if wins else "Qq"


def walk(start: str, wins: bool, seed: int) -> Iterator[tuple[str, str]]:
    """Yield board and side to move in a random game of at most 40 plies by the slow rules."""
    generator = random.Random(seed)
    board, side = start.replace("/", ""), "w"
    for _ in range(40):
        yield board, side
        if slow.over(board, side, marks(wins)) is not None:
            return
        board = generator.choice([*slow.moves(board, side, marks(wins)).values()])
        side = slow.OTHER[side]


def scattered(seed: int, kinds: str) -> tuple[str, str]:
    """Return a random board with kings and pieces of these kinds, and a side to move."""
    generator = random.Random(seed)
    squares = generator.sample(range(16), 2 + generator.randrange(7))
    board = ["."] * 16
    for square, mark in zip(squares, "Kk", strict=False):
        board[square] = mark
    for square in squares[2:]:
        board[square] = generator.choice(kinds)
    for square in range(16):  # no pawns on their last ranks
        if board[square] == ("P" if square < 4 else "p" if square >= 12 else ""):
            board[square] = "."
    return "".join(board), generator.choice("wb")


def assert_agree(game: KingsPawns, board: str, side: str) -> None:
    """Compare the two implementations in one position."""
    promoted, text = marks(game.wins), slow.text(board, side)
    p = game.parse(text)
    assert game.text(p) == text
    assert game.turn(p) == {"w": "White", "b": "Black"}[side]
    over = slow.over(board, side, promoted)
    assert game.primitive(p) == over
    if over is not None:
        return
    moves = slow.moves(board, side, promoted)
    assert sorted(game.moves(p)) == sorted(moves)
    for m, after in moves.items():
        child = game.play(p, m)
        assert game.text(child) == slow.text(after, slow.OTHER[side])
        assert game.code(m) == m
        assert game.label(p, m) == slow.written(board, side, m, promoted)
        steps = board[slow.NAMES.index(m[:2])] in "Pp" or after.count(".") > board.count(".")
        assert (game.tier(child) > game.tier(p)) == steps
        assert game.tier(child) >= game.tier(p)
    won = threats(board, side, promoted)
    assert sorted(game.threats(p)) == sorted(won)
    for m in won:  # moves of the opponent have labels, too
        assert game.label(p, m) == slow.written(board, slow.OTHER[side], m, promoted)


def threats(board: str, side: str, promoted: str) -> list[str]:
    """Return the moves with which the opponent would win if it were its turn."""
    if slow.in_check(board, side):
        return []
    moves = slow.moves(board, slow.OTHER[side], promoted)
    return [m for m, after in moves.items() if slow.over(after, side, promoted) == -1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pieces", "positions"),
    [
        ("KPk", 744),  # Kryukov
        ("Kkp", 824),  # Kryukov
        ("KPPk", 3205),  # Kryukov
        ("KPkp", 7368),  # Kryukov
        ("KQkq", 1419),
    ],
)
@pytest.mark.thinned(3)
def test_parse_accepts_as_many_positions_as_kryukov_counts(pieces: str, positions: int) -> None:
    """Numbers without a source are from the slow rules."""
    assert sum(1 for _ in slow.legal(pieces)) == positions
    game, found = KingsPawns(ROOMY), 0
    for board in slow.placed(pieces):
        with suppress(IllegalPositionError):
            game.parse(slow.text(board, "w"))
            found += 1
    assert found == positions


@cache
def sequences(game: KingsPawns, p: int, plies: int) -> int:
    """Return the number of sequences of so many moves."""
    if plies == 0:
        return 1
    if game.primitive(p) is not None:
        return 0
    return sum(sequences(game, game.play(p, m), plies - 1) for m in game.moves(p))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "wins", "counts"),
    [
        *((start, False, counts) for start, counts in SEQUENCES.items()),
        *((start, True, counts) for start, counts in ARRIVING.items()),
    ],
)
@pytest.mark.thinned(4)
def test_numbers_of_move_sequences_match_fairy_stockfish(
    start: str, wins: bool, counts: list[int]
) -> None:
    game = KingsPawns(start, wins)
    board, plies = start.replace("/", ""), range(1, len(counts) + 1)
    assert [slow.sequences(board, "w", n, marks(wins)) for n in plies] == counts
    assert [sequences(game, game.initial(), n) for n in plies] == counts


def fen(text: str) -> str:
    """Return a position in Forsyth-Edwards notation."""
    return re.sub(r"\.+", lambda dots: str(len(dots[0])), text) + " - - 0 1"


@pytest.mark.slow
@examples(40)
@given(seeds)
def test_labels_match_fairy_stockfish(seed: int) -> None:
    fairy: Any = pytest.importorskip("pyffish")
    fairy.load_variant_config(INI)
    game = KingsPawns(ROOMY)
    board, side = scattered(seed, "PpQq")
    if slow.in_check(board, slow.OTHER[side]) or slow.over(board, side) is not None:
        return
    text = slow.text(board, side)
    p = game.parse(text)
    labels = {m: game.label(p, m) for m in game.moves(p)}
    found = fairy.legal_moves("promoting", fen(text), [])
    assert labels == {m: fairy.get_san("promoting", fen(text), m) for m in found}


@examples(100)
@given(st.sampled_from(STARTS), st.booleans(), seeds)
def test_random_games_match_the_slow_rules(start: str, wins: bool, seed: int) -> None:
    game = KingsPawns(start, wins)
    p = game.initial()
    assert game.tier(p) == 0
    for board, side in walk(start, wins, seed):
        assert_agree(game, board, side)


def turned(text: str) -> str:
    """Return a position with the colours exchanged, the board upside down."""
    board, side = slow.read(text)
    rows = [board[row : row + 4].swapcase() for row in (12, 8, 4, 0)]
    return slow.text("".join(rows), slow.OTHER[side])


def mirrored(text: str) -> str:
    """Return a position with left and right exchanged."""
    board, side = slow.read(text)
    return slow.text("".join(board[row : row + 4][::-1] for row in (0, 4, 8, 12)), side)


@examples(100)
@given(seeds, st.booleans())
def test_the_mirror_image_and_exchanged_colours_are_symmetries(seed: int, wins: bool) -> None:
    game = KingsPawns(ROOMY, wins)
    board, side = scattered(seed, "Pp" if wins else "PpQq")
    if slow.in_check(board, slow.OTHER[side]):
        return
    text = slow.text(board, side)
    p = game.parse(text)
    texts = [text, mirrored(text), turned(text), mirrored(turned(text))]
    images = [symmetry.position(p) for symmetry in game.symmetries]
    assert [game.text(image) for image in images] == texts
    for symmetry, image in zip(game.symmetries, images, strict=True):
        assert symmetry.position(image) == p  # each undoes itself
        assert game.orient(image)[0] == min(images)
    assert game.turn(game.canonical(p)) == "White"
    assert game.position(game.key(p)) == p


@pytest.mark.slow
def test_a_roomy_board_obeys_the_laws() -> None:
    """Of symmetries, too: they preserve the rules."""
    for wins in (False, True):
        assert check_game(KingsPawns(ROOMY, wins), walks=5) > 28


@pytest.mark.parametrize(
    ("text", "turn", "reason"),
    [
        ("k2q/1pp1/PPQQ/3K b", None, "White starts with 3 pawns"),
        ("P..k/4/4/3K b", None, "White has a pawn on the last rank"),
        ("3k/4/4/P2K w", None, "White has pawns further back than at the start"),
        ("4/1k2/P3/3K w", None, "Black is in check in .*, and it is White's turn"),
        ("4/k3/K3/4 b", None, "White is in check in .*, and it is Black's turn"),
        ("k3/1ppp/PPP1/3K", None, "does not end in w or b .*, as 'k.../.ppp/PPP./...K w' does"),
        ("k3/1ppp/PPP1/3K w", "Black", "White is to move in .*, not Black"),
        ("k3/1ppp/PPP1/4 w", None, "has 0 K; each side has one king"),
        ("k3/1ppp/PPN1/3K w", None, "is not a board"),
    ],
)
def test_parse_reports_why_it_rejects_a_text(text: str, turn: str | None, reason: str) -> None:
    with pytest.raises(IllegalPositionError, match=reason):
        KingsPawns().parse(text, turn)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "promoted"),
    [
        *large(("kingspawns:k.../..../P.../K...,promotion=wins", "Pp")),
        *large(("kingspawns:k.../..../P.../K...", "Qq")),
        *campaign(("kingspawns:..k./.pp./.PP./.K..,promotion=wins", "Pp")),
        *campaign(("kingspawns:..k./..../.PP./.K..", "Qq")),
        *campaign(("kingspawns:k.../.p../..P./...K", "Qq")),
        *campaign(("kingspawns:..k./p.../...P/.K..", "Qq")),
        *campaign(("kingspawns:..k./.p../.PP./.K..", "Qq"), ("kingspawns,promotion=wins", "Pp")),
    ],
)
def test_tables_match_solving_by_the_slow_rules(spec: str, promoted: str) -> None:
    game = load_game(spec)

    def rules(p: tuple[str, str]) -> int | list[tuple[str, str]]:
        over = slow.over(*p, promoted)
        return over if over is not None else [(b, slow.OTHER[p[1]]) for b in after(*p)]

    def after(board: str, side: str) -> set[str]:
        return {*slow.moves(board, side, promoted).values()}

    slowly = brute(rules, slow.read(game.text(game.initial())))
    table = solve(game)
    assert table.counts["positions"] == len(slowly)
    for (board, side), right in slowly.items():
        score = table.probe(game.parse(slow.text(board, side)))
        assert (value.outcome(score), value.distance(score)) == right
    assert verify(encode(table), game).positions == len(slowly)
