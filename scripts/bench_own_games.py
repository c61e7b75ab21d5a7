"""Measures solving a game of one's own: in plain Python, compiled for the first time, and again.

Run it by itself, `python -m scripts.bench_own_games`, or as a part of `python -m scripts.bench`.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from scripts.measure import spent

Row = tuple[str, str, str]  # what was measured, the result, what it is compared with
GAMES = Path(__file__).parent.parent / "examples" / "games"
CLOBBER = {"Texts": "texts", "Tuples": "tuples of numbers", "Numbers": "numbers"}


def own_games() -> list[Row]:
    """Measure Clobber 5x3, written three times."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        cache, table = {"NUMBA_CACHE_DIR": folder}, os.path.join(folder, "x.safetensors")
        spent("solve", "notakto", "-o", table, **cache)  # what all games share is compiled before
        warm = f"{GAMES / 'clobber.py'}:Numbers"
        spent("solve", warm, "-o", table, **cache)
        for name, positions in CLOBBER.items():
            command = ("solve", f"{GAMES / 'clobber.py'}:{name}", "-o", table)
            for kept in Path(folder, "perfectplay").glob("rules_*"):
                kept.unlink()
            plain, first, again = (
                spent(*command, *options, **cache) for options in (["--plain"], [], [])
            )
            rows.append(
                (
                    f"Clobber 5x3 as {positions}, 206,805 positions, plain Python",
                    f"{plain.cpu:.1f} s CPU, {plain.megabytes:.0f} MB",
                    f"compiled {first.cpu:.1f} s, again {again.cpu:.1f} s,"
                    f" {again.megabytes:.0f} MB: {plain.cpu / again.cpu:.0f}x as fast",
                )
            )
    return rows


def main() -> None:
    """Print the rows."""
    for row in own_games():
        print(" | ".join(row))


if __name__ == "__main__":
    main()
