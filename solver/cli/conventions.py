"""The command conventions."""

from __future__ import annotations

from textwrap import fill, indent

import typer

from solver.cli import options
from solver.cli.output import print_json
from solver.players.conventions import CONVENTIONS

PROGRAMS = """\
"command:PROGRAM ARGUMENTS", such as "command:node bot.js", in any language
    It reads a line for each question, the side to move, a tab and the position, and writes a line,
    the move as people write it, such as a cell from 1. Text is UTF-8, lines end with LF, output
    must be flushed. At the end of its input it quits.

    while read -r turn board; do
        before=${board%%.*}
        echo $((${#before} + 1))
    done

"command-once:PROGRAM ARGUMENTS"
    The same, but the program is started for each question.
"""


def conventions(as_json: options.Json = False) -> None:
    """List how bots are called, in Python and in any other language.

    Functions in Python may return a dict of moves to probabilities instead of a move.
    """
    if as_json:
        named = {name: c._asdict() for name, c in CONVENTIONS.items()}
        fields = ("arguments", "about", "returns", "example")
        print_json([{"name": n} | {key: c[key] for key in fields} for n, c in named.items()])
        return
    for name, convention in CONVENTIONS.items():
        called = f"--convention {name}: a function in Python, called as f{convention.arguments}"
        about = f"It is given {convention.about}. It returns {convention.returns}."
        typer.echo(f"{called}\n{indent(fill(about, 75), '    ')}\n")
        typer.echo(f"{indent(convention.example, '    ')}\n")
    typer.echo(PROGRAMS, nl=False)
