"""Solves, packs and proves the tables that a release offers, into build/tables.

    make tables
    python -m scripts.tables connect4:4x4 morris

Lists each file with its size and SHA-256 in build/tables/SHA256SUMS.md. All of them take about an
hour, 4 GB of memory and 20 GB of disk; tables that are there already are proved and listed again.
"""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256

from scripts.measure import PERFECTPLAY
from scripts.sections import ROOT, table

FOLDER = ROOT / "build" / "tables"
GAMES = (
    *("connect4:4x4", "connect4:4x5", "connect4:5x4", "connect4:5x5", "connect4:6x4"),
    *("connect4:5x6", "mnk:4,4,4", "morris", "morris:any"),
    *("kingspawns", "kingspawns:..k./.pp./.PP./.K..", "kingspawns:.k../pppp/PPPP/.K.."),
)

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = []
    for spec in sys.argv[1:] or GAMES:
        path = FOLDER / f"{spec.replace(':', '-').replace('/', '_')}.packed.safetensors"
        if not path.exists():
            solve = ["solve", spec, "--packed", "--memory", "4GB", "-o", str(path)]
            subprocess.run([*PERFECTPLAY, *solve], check=True)
        subprocess.run([*PERFECTPLAY, "verify", str(path), "--game", spec], check=True)
        digest = sha256(path.read_bytes()).hexdigest()
        rows.append((spec, path.name, f"{path.stat().st_size:,}", digest))
        (FOLDER / "SHA256SUMS.md").write_text(table("game|file|bytes|SHA-256", rows) + "\n")
    print((FOLDER / "SHA256SUMS.md").read_text())
