"""The source of rules without what does not change them, of which `rule_files` makes a hash."""

from __future__ import annotations

import ast
import token
import tokenize
import warnings
from collections.abc import Iterator
from importlib.util import decode_source
from io import StringIO
from typing import Any

DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Location = tuple[int, int]
"""A line and a byte in it, both from 0."""


def parsed(source: bytes) -> ast.Module | None:
    """Return the syntax tree of a source; None if it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its text, which Python has given
            return ast.parse(decode_source(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def blanked(source: bytes) -> bytes:
    """Return a source without comments, docstrings, blank lines and spaces at the ends of lines.

    They are cut out by their positions, so the result does not depend on the version of Python.
    What is no Python is returned as it is.
    """
    tree = parsed(source)
    if tree is None:
        return source
    text = decode_source(source)
    docstrings = sorted(_docstrings(tree), reverse=True)
    comments, inside = _comments(text, docstrings)
    lines = [line.encode() for line in text.split("\n")]
    for row, column in comments:
        lines[row] = lines[row][:column]
    for (row, column), (last, end) in docstrings:
        rest = lines[row][:column] + lines[last][end:]
        lines[row : last + 1] = [rest, *[b""] * (last - row)]
    kept: list[bytes] = []
    for number, line in enumerate(lines):
        cut = line if number in inside else line.rstrip(b" \t\f")
        if cut or number in inside or (kept and kept[-1].endswith(b"\\")):
            kept.append(cut)
    return b"\n".join(kept)


def _comments(
    text: str, docstrings: list[tuple[Location, Location]]
) -> tuple[list[Location], set[int]]:
    """Return where comments start, and the lines whose end is inside a text but a docstring."""
    rows, comments, inside = text.split("\n"), list[Location](), set[int]()
    starts: list[int] = []  # of f-strings that have not ended
    for kind, _, (row, column), (last, _), _ in tokenize.generate_tokens(StringIO(text).readline):
        name = token.tok_name[kind]
        if name == "COMMENT" and not starts:
            comments.append((row - 1, len(rows[row - 1][:column].encode())))
        elif name.endswith("STRING_START"):  # from Python 3.12 on
            starts.append(row)
        elif name.endswith("STRING_END"):
            inside.update(range(starts.pop() - 1, last - 1))
        elif name == "STRING" and last > row:
            start = row - 1, len(rows[row - 1][:column].encode())
            if not any(low <= start < high for low, high in docstrings):
                inside.update(range(row - 1, last - 1))
    return comments, inside


def _docstrings(tree: ast.Module) -> Iterator[tuple[Location, Location]]:
    """Yield the start and the end of each docstring."""
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            text: Any = node.body[0]
            first, last = text.value.lineno - 1, text.value.end_lineno - 1
            yield (first, text.value.col_offset), (last, text.value.end_col_offset)
