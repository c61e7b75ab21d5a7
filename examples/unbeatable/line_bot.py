"""A bot in another language, asked as `npm_bots.js` describes; BOT_COMMAND names its command."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache


@cache
def process() -> subprocess.Popen[str]:
    """Return the running bot."""
    command = json.loads(os.environ["BOT_COMMAND"])
    return subprocess.Popen(command, stdin=-1, stdout=-1, text=True)


def ask(board: str, moves: list[int], side: str) -> int:
    """Return the bot's move."""
    streams = process()
    assert streams.stdin
    assert streams.stdout
    streams.stdin.write(f"{side}\t{board}\n")
    streams.stdin.flush()
    return int(streams.stdout.readline()) - 1
