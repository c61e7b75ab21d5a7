"""All commands in the groups that `perfectplay --help` shows, with examples of each.

A new command is a function in a module of `solver.cli` and an entry in GROUPS. The module is
imported only when its command runs, so that each command starts fast; the summary, which repeats
the first line of the function's docstring, is here for the same reason.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


class Command:
    """A command: its function, as MODULE:NAME within `solver.cli`, and texts for its help."""

    def __init__(self, function: str, summary: str, *examples: str) -> None:
        self.function = function
        self.summary = summary
        self.examples: tuple[str, ...] = examples

    def load(self) -> Callable[..., Any]:
        """Import the function."""
        module, _, name = self.function.partition(":")
        function: Callable[..., Any] = getattr(import_module(f"solver.cli.{module}"), name)
        return function


GROUPS = {
    "Solve": {
        "solve": Command(
            "solve:solve",
            "Solve a game and write its table.",
            "solve",
            "solve connect4:4x4",
            "solve mnk:4,3,3 -o table.safetensors",
            "solve connect4:4x4 --weak -o strategy.txt",
        ),
        "estimate": Command(
            "solve:estimate_command",
            "Say how large a game is and roughly what solving it takes on this machine.",
            "estimate connect4:5x4",
            "estimate mnk:4,4,3 --json",
        ),
        "verify": Command(
            "tables:verify_command",
            "Prove a table or a strategy from the rules alone.",
            "verify table.json",
            "verify table.json --json",
            "verify --game tictactoe",
        ),
        "strategy": Command(
            "strategy:strategy",
            "Find the smallest strategy with which a side wins, or never loses.",
            "strategy tictactoe",
            "strategy tictactoe --fewest cards -o never-lose.txt",
        ),
        "new": Command(
            "new:new",
            "Write a small game, to change into your own, and its tests.",
            "new three_rows",
        ),
        "check": Command(
            "games:check",
            "Check the rules of a game on random games.",
            "check tictactoe",
            "check heap.py:Heap",
            "check hexapawn:3x3 --symmetries",
        ),
        "games": Command(
            "games:games",
            "List the games, their tables and their rules.",
            "games",
        ),
    },
    "Ask": {
        "best": Command(
            "positions:best",
            "Show the value of every move, best first.",
            "best X...O....",
            "best XO.X..O.. --json",
            "best 1223 --game connect4:4x4",
            "best X........ X...O....",
        ),
        "line": Command(
            "positions:line",
            "Show the rest of the game if both sides play perfectly.",
            "line XO.X..O..",
            "line 12 --game connect4:4x4",
        ),
        "explain": Command(
            "positions:explain",
            "Explain the value of every move in words.",
            "explain XO.X..O..",
            "explain X........ --json",
        ),
        "review": Command(
            "review:review",
            "Show what every move of a game changed, and who gave it away.",
            "review games.txt",
            "review games.txt --game connect4 --json",
        ),
    },
    "Play": {
        "play": Command(
            "play:play",
            "Play at the terminal, against the perfect player or any other.",
            "play",
            "play --o level:easy",
            "play --x perfect --o human",
            "play --o winblock --first random",
        ),
        "puzzles": Command(
            "play:puzzles",
            "Set puzzles: positions with exactly one good move.",
            "puzzles",
            "puzzles --count 3",
        ),
        "serve": Command(
            "serve:serve",
            "Serve the page for playing and exploring, and the HTTP API.",
            "serve",
            "serve --port 9000 --game connect4:4x4",
            "serve --static site",
        ),
    },
    "Judge": {
        "grade": Command(
            "grade:grade_command",
            "Grade players on every position that they can reach.",
            "grade winblock",
            "grade bot.py:move --deterministic --require never-loses",
            "grade random minimax",
        ),
        "arena": Command(
            "matches:arena",
            "Match two players or more, with exact results where possible.",
            "arena winblock random --games 200",
            "arena perfect winblock random",
        ),
        "report": Command(
            "report:report_command",
            "Report whether a game is fair, tense and of the right length.",
            "report tictactoe",
            "report tictactoe --json -o report.html",
            "report connect4:4x4 --require 'random: first <= 60%; random: draws <= 50%'",
        ),
        "players": Command(
            "matches:players",
            "List the players, and how bots are called.",
            "players",
        ),
    },
    "Show": {
        "info": Command(
            "tables:info",
            "Show what a table contains.",
            "info --game tictactoe",
            "info table.json",
        ),
        "export": Command(
            "tables:export_command",
            "Export the positions of a table for other programs.",
            "export table.json -o positions.csv",
            "export table.safetensors -o packed.safetensors",
        ),
        "render": Command(
            "render:render",
            "Draw a position, perfect play or the cards of a strategy as SVG or PNG.",
            "render X...O.... -o board.svg --values",
            "render --map X -o map.svg",
        ),
    },
}
"""The commands of each group by their names."""
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
