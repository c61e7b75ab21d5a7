"""The command symmetries: proposes symmetries to declare, beside those that a game declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import typer

from solver.cli import options
from solver.cli.output import counted, print_json, report
from solver.games import load_game
from solver.rules.game import Symmetry
from solver.rules.symmetry_search import Proposal, Sample, declared_symmetries, find_symmetries

COLUMNS = 16  # of places without a board


class Shown(NamedTuple):
    """What a symmetry does, for people, and how it is written."""

    cells: list[int]
    """Cell i of the image is cell `cells[i]` of the original; places if there is no board."""
    columns: int
    board: bool
    exchanged: list[str]
    fixes_start: bool
    line: str


def symmetries(game: options.GameArgument, as_json: options.Json = False) -> None:
    """Propose symmetries for a game to declare.

    Turns, reflections and rotations of the board, or of the places of positions, are tried with
    exchanges of values and sides; those are shown that hold in random games. Each is the board
    after the map, with the numbers that its cells had before. The lines at the end declare them:
    paste them into the class. A solve then compares every position with its images.
    """
    rules = load_game(game)
    found = find_symmetries(rules)
    shown = [_shown(found.sample, one) for one in (*found.fixing, *found.moving)]
    declared, wrong = declared_symmetries(found.sample)
    if as_json:
        data = {"game": rules.spec, "order": found.order, "fixing_start": found.fixed}
        generators = [one._asdict() for one in shown]
        print_json(data | {"generators": generators, "declared": declared, "wrong": wrong})
    else:
        _print(rules.spec, found, declared, shown)
    for number, text in wrong:
        report(f"warning: symmetry {number} of those that the game declares is wrong at {text}")


def _print(spec: str, found: Proposal, declared: int, shown: Sequence[Shown]) -> None:
    """Print the generators as grids of numbers, and as lines to paste."""
    if not shown:
        typer.echo(f"{spec}: no symmetry was found except the identity")
        return
    made = f", all made from {'this one' if len(shown) == 1 else f'these {len(shown)}'}"
    fixed = f"; {found.fixed} of them leave{'s' * (found.fixed == 1)} the start as it is" * (
        found.fixed < found.order
    )
    typer.echo(f"{spec}: {counted(found.order, 'symmetry', 'symmetries')}{made}{fixed}")
    known = "only the identity" if declared == 1 else f"{declared} of {found.order}"
    some = "more than were found" if declared > found.order else known
    typer.echo(f"the game declares {'all of them' if declared == found.order else some}")
    for one in shown:
        typer.echo(f"\n{_words(one)}:")
        width = len(str(len(one.cells)))
        numbers = [f"{cell + 1:>{width}}" for cell in one.cells]
        for i in range(0, len(numbers), one.columns):
            typer.echo("  " + " ".join(numbers[i : i + one.columns]))
    if declared < found.order:
        typer.echo(
            "\nto declare them, add the import to the file and the other lines to the class:\n"
        )
        typer.echo("\n".join(_lines(shown)))


def _lines(shown: Sequence[Shown]) -> Iterator[str]:
    """Yield lines that declare symmetries; if some leave the start, others are comments."""
    yield "from solver import rearrange, symmetry_group\n\n    symmetries = symmetry_group("
    for one in shown:
        if one.fixes_start or not shown[0].fixes_start:
            yield f"        {one.line},"
        else:
            yield f"        # {one.line},  # moves the start"
    yield "    )"


def _words(one: Shown) -> str:
    """Return what a map moves and exchanges, in words."""
    where = "the cells" if one.board else "the places"
    moved = "stay" if [*one.cells] == sorted(one.cells) else "move"
    return ", ".join(
        [f"{where} {moved}", *one.exchanged, *["the start moves"] * (not one.fixes_start)]
    )


def _shown(sample: Sample, one: Symmetry) -> Shown:
    """Return what a symmetry does, from the marks on the board before and after if there is one."""
    game, (origins, changes) = sample.game, one.place_map or ((), ())
    images = [one.position(p) for p in sample.tested]
    sides = all(game.turn(p) != game.turn(q) for p, q in zip(sample.tested, images, strict=True))
    cells, columns, board = [*origins], min(len(origins), COLUMNS), False
    pairs = {pair for i, some in enumerate(changes) for pair in some if {*pair} & {*sample.seen[i]}}
    if game.board is not None:
        before, after = (
            [*zip(*(game.marks(game.text(p)) for p in some), strict=True)]
            for some in (sample.tested, images)
        )
        if matched := _matched(before, after):
            cells, columns, board = matched, game.board[0], True
            pairs = {
                pair
                for d, c in enumerate(matched)
                for pair in zip(before[c], after[d], strict=True)
            }
    names = sorted({(str(v), str(w)) for v, w in pairs if str(v) < str(w) and (w, v) in pairs})
    exchanged = [
        f"{v} and {w} are exchanged" for v, w in names if not sides or {v, w} != {*game.seats}
    ]
    exchanged += ["the sides are exchanged"] * sides
    start = game.initial()
    return Shown(cells, columns, board, exchanged, one.position(start) == start, _line(sample, one))


def _matched(before: Sequence[Any], after: Sequence[Any]) -> list[int]:
    """Return for each column of marks one before that has the same ones, but for their names.

    Returns nothing if there is none.
    """
    names = [tuple(map(column.index, column)) for column in before]
    found: list[int] = []
    for i, column in enumerate(after):
        name = tuple(map(column.index, column))
        alike = [c for c, other in enumerate(names) if other == name and c not in found]
        if not alike:
            return []
        found.append(i if i in alike else alike[0])
    return found


def _line(sample: Sample, one: Symmetry) -> str:
    """Return the call of `rearrange` that makes a symmetry."""
    origins, changes = one.place_map or ((), ())
    where: dict[tuple[Any, Any], list[int]] = {}
    for place, some in enumerate(changes):
        for v, w in some:
            if (w, v) not in where:
                where.setdefault((v, w), []).append(place)
    words = [repr(origins)]
    for pair, at in where.items():
        others = [i for i, some in enumerate(sample.seen) if i not in at and {*pair} & {*some}]
        named = {*map(type, pair)} == {str} and "".join(pair).isalnum()
        text = f'"{"".join(pair)}"' if named else repr(pair)
        words.append(f"({pair[0]!r}, {pair[1]!r}, {at})" if others else text)
    return f"rearrange({', '.join(words)})"
