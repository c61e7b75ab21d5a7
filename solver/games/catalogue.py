"""The list that `perfectplay games` prints: games with their sizes, values and sources."""

from __future__ import annotations

from typing import NamedTuple

COUNTS = """\
tictactoe | 5_478 | 765 | OpenSpiel get_all_states_test; OEIS A008907
  draw
mnk:3,3,3,misere | 5_478 | 765 | solved here
  draw, by the centre only
mnk:4,3,3 | 111_973 | 28_275 | solved here
  the first player wins
mnk:4,4,3 | 6_036_001 | 756_387 | solved here
  the first player wins
mnk:4,4,4 | 9_722_011 | 307_639 | arXiv 1703.10678
  draw
mnk:5,4,4 | 674_794_169 | 168_720_724 | solved here
  draw
wild | 18_753 | 1_359 | solved here
  the first player wins, by the centre only
notakto | 450 | 87 | Plambeck and Whitehead, arXiv 1301.1672
  the first player wins, by the centre only
connect4:4x4 | 161_029 | 80_541 | John Tromp's playground; Böck, arXiv 2507.05267
  draw
connect4:5x4 | 3_945_711 | 1_974_174 | Tromp; Böck
  draw
connect4:4x5 | 1_706_255 | 853_185 | Tromp; Böck
  draw
connect4:5x5 | 69_763_700 | 34_888_367 | Tromp; Böck
  draw
connect4:6x4 | 94_910_577 | 47_455_869 | Tromp; Böck
  the second player wins
connect4:5x6 | 1_044_334_437 | - | Tromp; Böck
  draw
connect4:6x5 | 2_818_972_642 | - | Tromp; Böck
  draw
connect4:7x6 | 4_531_985_219_092 | - | Tromp; OEIS A212693
  the first player wins in 41 plies
hexapawn:3x3 | 135 | 69 | Gardner, Scientific American, March 1962
  the second player wins in 6 plies
hexapawn:4x4 | 20_286 | 6_948 | solved here
  the first player wins
nim:3,4,5 | 48 | 48 | Bouton, Annals of Mathematics, 1901
  the first player wins
morris | 3_870 | 540 | solved here; the opening: Wikipedia
  the first player wins in 9 plies, by the centre only
morris:any | 3_870 | 540 | solved here
  draw
achi | 5_400 | 750 | solved here; the winner: Wikipedia
  the first player wins in 11 plies, by the centre only
ponghauki | 28 | 15 | Straffin, Mathematics Magazine 68, 1995
  draw
kingspawns | 13_410_705 | 4_701_216 | solved here; proposed by Robert Heaton, Tic-Tac-Toe AI
  White wins in 15 plies
kingspawns,promotion=wins | 78_182 | 31_151 | solved here
  White wins in 5 plies
kingspawns:..k./.pp./.PP./.K.. | 501_518 | 125_394 | solved here
  draw
kingspawns:.k../pppp/PPPP/.K.. | 45_490_608 | 11_392_243 | solved here
  White wins in 3 plies
breakthrough:3x5 | 2_418_400 | 1_213_637 | solved here
  Black wins in 18 plies
clobber:4x3 | 13_343 | 6_728 | solved here
  the second player wins in 8 plies
clobber:5x3 | 206_805 | 51_971 | solved here
  the first player wins in 9 plies
domineering:4x4 | 2_443 | 648 | solved here; the winner: Breuker, Uiterwijk and van den Herik, 2000
  the first player wins in 7 plies
domineering:5x5 | 455_317 | 114_134 | solved here; the winner: Breuker and others
  the second player wins in 12 plies
dodgem:3x3 | 1_963 | 1_349 | solved here; the winner: Berlekamp, Conway and Guy, Winning Ways
  the first player wins in 19 plies
dodgem:4x4 | 393_900 | 276_832 | David desJardins, 1996, as cited by Wikipedia
  draw
mutorere | 1_180 | 596 | Straffin, Mathematics Magazine 68, 1995; the count: Wikipedia
  draw
"""
"""Name of each game, its positions in all and up to symmetry, the source; below, its value."""


class Listing(NamedTuple):
    """A game and what is known about it."""

    spec: str
    positions: int
    canonical: int | None
    """Positions up to symmetry; None if unknown."""
    value: str
    source: str


def _read(counted: str, described: str) -> Listing:
    """Return an entry of COUNTS."""
    spec, positions, canonical, source = counted.split(" | ")
    symmetric = None if canonical == "-" else int(canonical)
    return Listing(spec, int(positions), symmetric, described.strip(), source)


_LINES = COUNTS.splitlines()
GAMES = tuple(map(_read, _LINES[::2], _LINES[1::2]))
