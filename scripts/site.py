"""Builds the docs as a site that opens from disk: build/docs/site/index.html.

    python -m scripts.site

The pages are copied to build/docs/pages, and where the copy of the Python reference has a generated
summary, it gets the whole docstring. Every warning fails the build, such as a link that leads
nowhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from scripts.docs import resolve
from scripts.sections import DOCS, ROOT

BUILD = ROOT / "build" / "docs"
SUMMARY = re.compile(r"### \S+\n\n<!-- api ([\w.]+) -->\n.*?<!-- /api \1 -->", re.DOTALL)
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md")  # pages of the site that are not in docs/
FOREIGN = re.compile(r"(?:src|href)=[\"']?(https?://[^\"' >]+\.(?:js|css|woff2?))")


def build() -> Path:
    """Build the site and return its first page; raises SystemExit if the build fails."""
    shutil.rmtree(BUILD, ignore_errors=True)
    pages = BUILD / "pages"
    shutil.copytree(DOCS, pages, ignore=shutil.ignore_patterns("zensical.toml"))
    shutil.copy(DOCS / "site" / "zensical.toml", BUILD)
    for name in BESIDE:
        text = (ROOT / name).read_text(encoding="utf-8")
        (pages / name).write_text(text.replace("](docs/", "]("), encoding="utf-8")
    for page in pages.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        for name in BESIDE:
            text = text.replace(f"](../{name}", f"]({name}")
        page.write_text(SUMMARY.sub(directive, text), encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "-f", "zensical.toml"]
    if subprocess.run(command, cwd=BUILD, check=False).returncode:
        raise SystemExit("the site has errors: see above")
    site = BUILD / "site"
    for path in site.rglob("*.html"):
        foreign = FOREIGN.findall(path.read_text(encoding="utf-8"))
        if foreign:
            raise SystemExit(f"{path} loads {foreign[0]}, so it does not work offline")
    return site / "index.html"


def directive(summary: re.Match[str]) -> str:
    """Return what takes a docstring into the site, in place of its summary."""
    found: Any = resolve(summary[1])
    place = found.__name__ if not hasattr(found, "__qualname__") else None
    place = place or f"{found.__module__}.{found.__qualname__}"
    return f"::: {place}"


if __name__ == "__main__":
    print(f"built {build().relative_to(ROOT)}")
