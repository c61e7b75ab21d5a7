"""Writes what a script measures or generates into a Markdown page.

A section is what stands between the comments `<!-- name -->` and `<!-- /name -->`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"
MEASUREMENTS = DOCS / "measurements.md"


def replace_section(text: str, name: str, body: str) -> str:
    """Return a page's text with another section; raises ValueError if the page has none."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, rest = text.split(begin)
    return before + begin + body.rstrip("\n") + "\n" + end + rest.split(end, 1)[1]


def write_section(page: Path, name: str, body: str) -> None:
    """Replace a section of a page."""
    text = page.read_text(encoding="utf-8")
    page.write_text(replace_section(text, name, body), encoding="utf-8")


def read_table(page: Path, name: str) -> list[tuple[str, ...]]:
    """Return the cells of the table in a section of a page, without its head."""
    body = page.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")[2]
    lines = body.partition(f"<!-- /{name} -->")[0].strip().splitlines()[2:]
    return [tuple(line.strip("| ").split(" | ")) for line in lines if line.startswith("|")]


def table(head: str, rows: Sequence[tuple[str, ...]]) -> str:
    """Return a Markdown table; `head` names its columns, with | between them."""
    columns = head.split("|")
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    """Return a cell's text in one line; code hosts and the site disagree on a | within code."""
    text = " ".join(text.split())
    if "|" in text:
        text = re.sub("`(.*?)`", lambda code: f"<code>{escape(code[1])}</code>", text)
    return text.replace("|", "&#124;")
