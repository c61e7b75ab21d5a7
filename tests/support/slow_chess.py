"""Chess on 4x4, slow and simple: an oracle that shares no code with the package.

A board is a string of 16 marks, a4 to d4 first and a1 to d1 last: a letter as in FEN for a piece, a
dot for an empty square. It has all pieces of chess, but no castling, no double steps and so no en
passant. A pawn that reaches the last rank becomes a queen.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

NAMES = [file + rank for rank in "4321" for file in "abcd"]
STRAIGHT = [(-1, 0), (1, 0), (0, -1), (0, 1)]
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
STEPS = {  # down and right
    "K": STRAIGHT + DIAGONAL,
    "Q": STRAIGHT + DIAGONAL,
    "R": STRAIGHT,
    "B": DIAGONAL,
    "N": JUMPS,
}
OTHER = {"w": "b", "b": "w"}


def owner(mark: str) -> str:
    """Return the owner of a piece, or an empty string for an empty square."""
    return "" if mark == "." else "w" if mark.isupper() else "b"


def aims(board: str, square: int) -> list[int]:
    """Return the squares that the piece on a square attacks."""
    kind, (row, column) = board[square].upper(), divmod(square, 4)
    forward = -1 if owner(board[square]) == "w" else 1
    found = []
    for down, right in STEPS.get(kind, [(forward, -1), (forward, 1)]):
        i, j = row + down, column + right
        while 0 <= i < 4 and 0 <= j < 4:
            found.append(4 * i + j)
            if kind not in "QRB" or board[4 * i + j] != ".":
                break
            i, j = i + down, j + right
    return found


def in_check(board: str, side: str) -> bool:
    """Return whether the king of a side is attacked."""
    king = board.index("K" if side == "w" else "k")
    return any(owner(board[a]) == OTHER[side] and king in aims(board, a) for a in range(16))


def targets(board: str, square: int) -> list[int]:
    """Return the pseudo-legal targets of the piece on a square, even if they expose the king."""
    side, pawn = owner(board[square]), board[square] in "Pp"
    aimed = aims(board, square)
    if not pawn:
        return [b for b in aimed if owner(board[b]) != side]
    ahead = square + (-4 if side == "w" else 4)
    pushed = [ahead] if 0 <= ahead < 16 and board[ahead] == "." else []
    return pushed + [b for b in aimed if owner(board[b]) == OTHER[side]]


@cache
def moves(board: str, side: str, promoted: str = "Qq") -> dict[str, str]:
    """Return the legal moves and the boards that they lead to.

    `promoted` has what the pawns of White and of Black become on their last rank.
    """
    found = {}
    for a in range(16):
        if owner(board[a]) != side:
            continue
        for b in targets(board, a):
            mark, name = board[a], NAMES[a] + NAMES[b]
            if mark in "Pp" and b // 4 == (0 if side == "w" else 3):
                mark = promoted["wb".index(side)]
                name += "q" if mark in "Qq" else ""
            after = [*board]
            after[a], after[b] = ".", mark
            if not in_check("".join(after), side):
                found[name] = "".join(after)
    return found


def over(board: str, side: str, promoted: str = "Qq") -> int | None:
    """Return the outcome for the side to move if the game is over: -1 if lost, 0 if drawn."""
    if "P" in board[:4] or "p" in board[12:]:
        return -1  # the opponent's pawn has arrived, which wins
    if moves(board, side, promoted):
        return None
    return -1 if in_check(board, side) else 0


def written(board: str, side: str, name: str, promoted: str = "Qq") -> str:
    """Return a legal move in algebraic notation."""
    found = moves(board, side, promoted)
    start, target = name[:2], name[2:4]
    mark = board[NAMES.index(start)]
    takes = "x" if board[NAMES.index(target)] != "." else ""
    if mark in "Pp":
        move = (start[0] + takes if takes else "") + target + ("=Q" if name[4:] else "")
    else:
        rivals = [n[:2] for n in found if n[2:] == target and board[NAMES.index(n[:2])] == mark]
        shortest = ["", start[0], start[1], start]
        which = next(w for w in shortest if [r for r in rivals if w in r] == [start])
        move = mark.upper() + which + takes + target
    after = found[name]
    if not in_check(after, OTHER[side]):
        return move
    return move + ("+" if moves(after, OTHER[side], promoted) else "#")


def text(board: str, side: str) -> str:
    return "/".join(board[row : row + 4] for row in (0, 4, 8, 12)) + f" {side}"


def read(position: str) -> tuple[str, str]:
    """Return the board and the side to move of a text."""
    ranks, side = position.split()
    return ranks.replace("/", ""), side


@cache
def sequences(board: str, side: str, plies: int, promoted: str = "Qq") -> int:
    """Return the number of sequences of so many moves."""
    if plies == 0:
        return 1
    if over(board, side, promoted) is not None:
        return 0
    after = moves(board, side, promoted).values()
    return sum(sequences(b, OTHER[side], plies - 1, promoted) for b in after)


def placed(pieces: str) -> Iterator[str]:
    """Yield one board of each set of symmetric ones with these pieces, of which K is the first.

    Left and right can be exchanged; without pawns, also up and down, and ranks and files. So the
    white king is on file a or b or, without pawns, on a4, b4 or b3. Exchanging ranks and files
    leaves a4 and b3 fixed, so one of the two boards is skipped there.
    """
    pawns = "P" in pieces or "p" in pieces
    for king in (0, 1, 4, 5, 8, 9, 12, 13) if pawns else (0, 1, 5):
        for board in filled("." * king + "K" + "." * (15 - king), pieces[1:], 0):
            if pawns or king == 1 or board <= exchanged(board):
                yield board


def filled(board: str, pieces: str, first: int) -> Iterator[str]:
    """Yield the boards with the pieces placed in all ways, the first from square `first` on."""
    if not pieces:
        yield board
        return
    for square in range(first, 16):
        last_rank = {"P": 0, "p": 3}.get(pieces[0])
        if board[square] == "." and square // 4 != last_rank:
            more = board[:square] + pieces[0] + board[square + 1 :]
            alike = pieces[1:2] == pieces[0]
            yield from filled(more, pieces[1:], square + 1 if alike else 0)


def exchanged(board: str) -> str:
    """Return the board with ranks and files exchanged."""
    return "".join(board[column::4] for column in range(4))


def legal(pieces: str) -> Iterator[str]:
    """Yield the boards with White to move on which Black is not in check."""
    return (board for board in placed(pieces) if not in_check(board, "b"))
