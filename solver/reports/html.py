"""The frame, elements and tables of web pages that need no other file."""

from __future__ import annotations

from collections.abc import Iterable

from solver.pictures.svg import escaped

STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
div:has(> table) { overflow-x: auto }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { border-bottom: 1px solid #8886; padding: .3rem .6rem; text-align: right }
body > svg { max-width: 100%; height: auto }
h1, h2, p { overflow-wrap: anywhere }
td:first-child, th:first-child { text-align: left }
.boards { display: flex; flex-wrap: wrap; gap: 1.5rem }
figure { margin: 0; width: 8.5rem } figcaption { font-size: .85rem }
code { overflow-wrap: anywhere }
"""


def document(title: str, parts: Iterable[str]) -> str:
    """Return a web page that needs no other file, of parts that are markup."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{element('title', title)}<style>{STYLE}</style></head>\n"
        f"<body>{''.join(parts)}</body></html>\n"
    )


def element(name: str, text: str) -> str:
    """Return an element with a text, of which nothing is taken for markup."""
    return f"<{name}>{escaped(text)}</{name}>"


def table_of(rows: list[tuple[str, ...]], link: str = "") -> str:
    """Return a table; if they are named, the first cells link to the elements LINK-1, LINK-2 ..."""
    head = "".join(element("th", cell) for cell in rows[0])
    body = ""
    for number, row in enumerate(rows[1:], 1):
        cells = [element("td", cell) for cell in row]
        if link:
            cells[0] = f'<td><a href="#{link}-{number}">{escaped(row[0])}</a></td>'
        body += f"<tr>{''.join(cells)}</tr>"
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div tabindex="0">{table}</div>'
