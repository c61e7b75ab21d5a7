"""The page as one HTML file that needs no server: its compressed table, styles and modules inline.

Modules are joined in the order of their imports, each after those that it uses, so their top-level
names must differ. Comments on lines of their own are removed. The file loads nothing else: its
policy allows only its script and its styles, by their hashes.
"""

from __future__ import annotations

import base64
import gzip
import os
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256

from solver.agent.agent import TableAgent
from solver.files import save
from solver.web.pages import page_files, table_file

STYLE = '<link rel="stylesheet" href="style.css">'
SCRIPT = '<script type="module" src="app.js"></script>'
IMPORT = re.compile(r'import \{ ?[\w$, ]*\} from "\./([\w-]+\.js)";\n', re.ASCII)
EXPORT = re.compile(r"^export (?=(?:async )?function\b|const\b|class\b)", re.MULTILINE)
MODULE_WORD = re.compile(r"^(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)
DECLARED = re.compile(
    r"^(?:async )?(?:function\*? ?|const |let |var |class )([\w$]+)", re.MULTILINE
)
DESTRUCTURED = re.compile(r"^(?:const|let|var) [\[{]([^=]*)[\]}] =", re.MULTILINE)
EXTERNAL = re.compile(r'<(?:link|script|img)\b[^>]*\b(?:href|src)="(?!data:)[^"]*"[^>]*>')
COMMENT = re.compile(r"^[ \t]*(?:/\*.*?\*/[ \t]*|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
ICON = re.compile(r'(<link rel="icon"[^>]*\bhref=")([\w-]+\.svg)(")')


def write_single(directory: str, agent: TableAgent) -> str:
    """Write the page into a directory, created if missing, and return the file's path.

    Raises OSError, and ValueError if the page cannot become one file.
    """
    page = single(page_files(), table_file(agent))
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "index.html")
    save(path, page)
    return path


def single(files: Mapping[str, bytes], table: bytes) -> bytes:
    """Return the page's files and its table as one HTML file; raises ValueError."""
    texts = {name: data.decode() for name, data in files.items()}
    missing = [name for name in ("index.html", "style.css", "app.js") if name not in texts]
    if missing:
        raise ValueError(f"the page lacks {', '.join(missing)}")
    script, style = f"\n{join(texts, 'app.js')}", f"\n{COMMENT.sub('', texts['style.css'])}"
    for text, end in ((script, "</script"), (script, "<!--"), (style, "</style")):
        if end in text.lower():
            raise ValueError(f"{end} in the page's code would end its element early")
    compressed = base64.b64encode(gzip.compress(table, 9, mtime=0)).decode()
    page = ICON.sub(lambda m: m[1] + _data_address(files[m[2]]) + m[3], texts["index.html"])
    inline = {
        STYLE: f"{_policy(script, style)}\n<style>{style}</style>",
        SCRIPT: f'<script type="application/gzip" id="table">{compressed}</script>\n'
        f'<script type="module">{script}</script>',
    }
    for tag in inline:
        if page.count(tag) != 1:
            raise ValueError(f"index.html must have {tag} once, not {page.count(tag)} times")
    external = EXTERNAL.search(page.replace(STYLE, "").replace(SCRIPT, ""))
    if external:
        raise ValueError(f"index.html loads another file: {external[0]}")
    for tag, text in inline.items():
        page = page.replace(tag, text)
    return page.encode()


def join(texts: Mapping[str, str], first: str) -> str:
    """Return a module and all that it imports as one; raises ValueError if that is impossible."""
    modules: dict[str, str] = {}
    parts = []
    for name in _in_order(texts, first, {}):
        body = EXPORT.sub("", IMPORT.sub("", texts[name]))
        if left := MODULE_WORD.search(body):
            raise ValueError(f"{name} has an import or export that cannot be joined: {left[0]}")
        for word in _names(body):
            if word in modules:
                raise ValueError(
                    f"{name} and {modules[word]} both define the top-level name {word}"
                )
            modules[word] = name
        parts.append(COMMENT.sub("", body).strip("\n") + "\n")
    return "\n".join(parts)


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


def _names(body: str) -> list[str]:
    """Return the top-level names of a module."""
    patterns = ",".join(DESTRUCTURED.findall(body)).split(",")
    destructured = [part.partition(":")[2] or part for part in patterns]
    return DECLARED.findall(body) + [part.strip(" .\n") for part in destructured if part.strip()]


def _policy(script: str, style: str) -> str:
    """Return the element that allows the page this script and these styles and nothing else."""
    hashes = [base64.b64encode(sha256(text.encode()).digest()).decode() for text in (script, style)]
    return (
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
        f" script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; img-src data:;"
        " base-uri 'none'; form-action 'none'\">"
    )


def _data_address(data: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(data).decode()}"
