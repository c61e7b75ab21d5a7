"""Writes what a script measures or works out into the README."""

from __future__ import annotations

from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def write_section(name: str, body: str) -> None:
    """Replace what stands between `<!-- name -->` and `<!-- /name -->` in the README."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, rest = README.read_text().split(begin)
    README.write_text(before + begin + body + "\n" + end + rest.split(end)[1])
