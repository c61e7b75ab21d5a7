"""Links that carry the rules of a game to the playground of a site, which shows and solves them.

The text is in the fragment, which browsers send to no server: the letter a, which stands for this
form, then base64url of raw deflate. docs/site/playground/link.js reads and writes the same.
"""

from __future__ import annotations

import base64
import os
import zlib
from typing import Any

from solver.rules.game import Game
from solver.rules.rule_files import RuleFiles, rules_path

VERSION = "a"
MOST = 100_000  # characters of rules


def link_to(base: str, game: Game[Any, Any]) -> str:
    """Return the link to a game's rules; raises ValueError unless they are one file of text."""
    path, files = rules_path(game), sorted(RuleFiles(game).hashes)
    if path is None or len(files) != 1:
        names = f"{len(files)} files: {', '.join(files)}" if files else "no file"
        raise ValueError(
            f"a link carries rules in one file, and those of {game.spec} are in {names}"
        )
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read(MOST + 1)
    if len(text) > MOST:
        raise ValueError(
            f"{os.path.basename(path)} has more than {MOST:,} characters, too many for a link"
        )
    packer = zlib.compressobj(9, wbits=-15)
    data = base64.urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode()
    return f"{base.rstrip('/')}/play.html#{VERSION}{data.rstrip('=')}"
