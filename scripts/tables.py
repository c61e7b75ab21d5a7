"""Solves, packs and proves the tables that a release offers, into build/tables.

    make tables
    python -m scripts.tables connect4:4x4 morris

Lists each file with its size and SHA-256 in build/tables/SHA256SUMS.md. All of them take about an
hour, 4 GB of memory and 20 GB of disk; tables that are there already are proved and listed again.
"""

from __future__ import annotations

import subprocess
import sys
from hashlib import file_digest

from scripts.measure import COMMAND
from scripts.sections import ROOT

FOLDER = ROOT / "build" / "tables"
GAMES = (
    *("connect4:4x4", "connect4:4x5", "connect4:5x4", "connect4:5x5", "connect4:6x4"),
    *("connect4:5x6", "mnk:4,4,4", "morris", "morris:any"),
    *("kingspawns", "kingspawns:..k./.pp./.PP./.K..", "kingspawns:.k../pppp/PPPP/.K.."),
)


def make(spec: str) -> str:
    """Solve, pack and prove a table; return its line in the list."""
    path = FOLDER / f"{spec.replace(':', '-').replace('/', '_')}.packed.safetensors"
    if not path.exists():
        solve = ["solve", spec, "--packed", "--memory", "4GB", "-o", str(path)]
        subprocess.run([*COMMAND, *solve], check=True)
    subprocess.run([*COMMAND, "verify", str(path), "--game", spec], check=True)
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return f"| {spec} | {path.name} | {path.stat().st_size:,} | {digest} |"


def main(specs: list[str]) -> None:
    """Make the tables of these games, or of all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = ["| game | file | bytes | SHA-256 |", "|---|---|---|---|"]
    for spec in specs or GAMES:
        lines.append(make(spec))
        (FOLDER / "SHA256SUMS.md").write_text("\n".join(lines) + "\n")
    print((FOLDER / "SHA256SUMS.md").read_text())


if __name__ == "__main__":
    main(sys.argv[1:])
