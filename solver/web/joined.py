"""Modules of JavaScript joined into one, each after those that it imports.

Their top-level names must differ, one in a declaration, and an import has names in
braces. Comments on lines of their own or after a mark, types and indentation are removed, so no
string may span lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

IMPORT = re.compile(r'import \{[\w$,\s]*\} from "\.(?:\./npm)?/([\w-]+\.js)";\n', re.ASCII)
EXPORT = re.compile(r"^export (?=(?:async )?function\b|const\b|class\b)", re.MULTILINE)
MODULE_WORD = re.compile(r"^(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)
DECLARED = re.compile(
    r"^(?:async )?(?:function\*? ?|const |let |var |class )([\w$]+)", re.MULTILINE
)
COMMENT = re.compile(
    r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*|//[^\n]*)\n|/\*\* @type [^*\n]*\*/ ?"
    r"|(?<=[;,({]) // [^\n\"'`]*$",
    re.MULTILINE,
)
INDENT = re.compile(r"^\s+", re.MULTILINE)


def join(texts: Mapping[str, str], first: str) -> str:
    """Return a module and all that it imports as one; raises ValueError if that is impossible."""
    modules: dict[str, str] = {}
    parts = []
    for name in _in_order(texts, first, {}):
        body = EXPORT.sub("", IMPORT.sub("", texts[name]))
        if left := MODULE_WORD.search(body):
            raise ValueError(f"{name} has an import or export that cannot be joined: {left[0]}")
        for word in DECLARED.findall(body):
            if word in modules:
                raise ValueError(
                    f"{name} and {modules[word]} both define the top-level name {word}"
                )
            modules[word] = name
        parts.append(compact(body))
    return "\n".join(parts)


def compact(text: str) -> str:
    """Return a text of JavaScript or CSS without comments, indentation and empty lines."""
    return INDENT.sub("", COMMENT.sub("", text)).strip("\n") + "\n"


def _in_order(texts: Mapping[str, str], name: str, seen: dict[str, bool]) -> Iterator[str]:
    """Yield the modules that a module imports, each after those that it uses, then itself."""
    if name not in texts:
        raise ValueError(f"a module of the page imports {name}, which is missing")
    seen[name] = False
    for used in IMPORT.findall(texts[name]):
        if used not in seen:
            yield from _in_order(texts, used, seen)
        elif not seen[used]:
            raise ValueError(f"{name} and {used} import each other")
    seen[name] = True
    yield name
