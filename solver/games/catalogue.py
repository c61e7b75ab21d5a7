"""The list that `perfectplay games` prints: games with their sizes, values and sources."""

from __future__ import annotations

from typing import NamedTuple

LIST = """\
tictactoe | tic-tac-toe, three in a row on 3x3 | 5_478 | 765
  draw | OpenSpiel get_all_states_test; OEIS A008907
mnk:3,3,3,misere | three in a row on 3x3 loses | 5_478 | 765
  draw, by the centre only | solved here
mnk:4,3,3 | three in a row on 4 columns and 3 rows | 111_973 | 28_275
  the first player wins | solved here
mnk:4,4,3 | three in a row on 4x4 | 6_036_001 | 756_387
  the first player wins | solved here
mnk:4,4,4 | four in a row on 4x4 | 9_722_011 | 1_217_977
  draw | arXiv 1703.10678
mnk:5,4,4 | four in a row on 5 columns and 4 rows | 674_794_169 | 168_720_724
  draw | solved here
wild | tic-tac-toe, each move an X or an O | 18_753 | 1_359
  the first player wins, by the centre only | solved here
notakto | both place X; three in a row loses | 450 | 87
  the first player wins, by the centre only | Plambeck and Whitehead, arXiv 1301.1672
connect4:4x4 | Connect 4 on 4 columns and 4 rows | 161_029 | 80_541
  draw | John Tromp's playground; Böck, arXiv 2507.05267
connect4:5x4 | Connect 4 on 5 columns and 4 rows | 3_945_711 | 1_974_174
  draw | Tromp; Böck
connect4:4x5 | Connect 4 on 4 columns and 5 rows | 1_706_255 | 853_185
  draw | Tromp; Böck
connect4:5x5 | Connect 4 on 5x5 | 69_763_700 | 34_888_367
  draw | Tromp; Böck
connect4:6x4 | Connect 4 on 6 columns and 4 rows | 94_910_577 | 47_455_869
  the second player wins | Tromp; Böck
connect4:5x6 | Connect 4 on 5 columns and 6 rows | 1_044_334_437 | -
  draw | Tromp; Böck
connect4:6x5 | Connect 4 on 6 columns and 5 rows | 2_818_972_642 | -
  draw | Tromp; Böck
connect4:7x6 | Connect 4, too large for one machine | 4_531_985_219_092 | -
  the first player wins in 41 plies | Tromp; OEIS A212693
hexapawn:3x3 | hexapawn, three pawns a side on 3x3 | 135 | 71
  the second player wins in 6 plies | Gardner, Scientific American, March 1962
hexapawn:4x4 | hexapawn on 4x4 | 20_286 | 10_173
  the first player wins | solved here
nim:3,4,5 | nim with heaps of 3, 4 and 5 | 48 | 48
  the first player wins | Bouton, Annals of Mathematics, 1901
morris | three men's morris, slides along the lines | 3_870 | 540
  the first player wins in 9 plies, by the centre only | solved here; the opening: Wikipedia
morris:any | three men's morris, slides to any adjacent point | 3_870 | 540
  draw | solved here
achi | achi, four men a side | 5_400 | 750
  the first player wins in 11 plies, by the centre only | solved here; the winner: Wikipedia
ponghauki | pong hau k'i, two stones a side on five points | 28 | 15
  draw | Straffin, Mathematics Magazine 68, 1995
kingspawns | chess on 4x4, a king and three pawns a side | 13_410_705 | 4_701_216
  White wins in 15 plies | solved here; proposed by Robert Heaton, Tic-Tac-Toe AI
kingspawns,promotion=wins | the same, but a pawn that arrives wins | 78_182 | 31_151
  White wins in 5 plies | solved here
kingspawns:..k./.pp./.PP./.K.. | chess on 4x4, a king and two pawns a side | 501_518 | 125_394
  draw | solved here
kingspawns:.k../pppp/PPPP/.K.. | chess on 4x4, a king and four pawns a side | 45_490_608 | 11_392_243
  White wins in 3 plies | solved here
"""
"""Name and title of each game, its positions, in all and up to symmetry; its value and source."""


class Listing(NamedTuple):
    """A game and what is known about it."""

    spec: str
    title: str
    positions: int
    canonical: int | None
    """Positions up to symmetry; None if unknown."""
    value: str
    source: str


def _read(about: str, known: str) -> Listing:
    """Return an entry of LIST."""
    spec, title, positions, canonical = about.split(" | ")
    value, source = known.strip().split(" | ")
    symmetric = None if canonical == "-" else int(canonical)
    return Listing(spec, title, int(positions), symmetric, value, source)


_LINES = LIST.splitlines()
GAMES = tuple(map(_read, _LINES[::2], _LINES[1::2]))
