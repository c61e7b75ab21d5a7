"""Builds the docs as a site that opens from disk: build/docs/site/index.html.

    python -m scripts.site

Every warning fails the build, such as a link that leads nowhere, and so does a page that loads
anything from elsewhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

from scripts.sections import DOCS, ROOT

BUILD = ROOT / "build" / "docs"
BESIDE = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")  # pages that are not from docs/
CONTENTS = "contents.md"  # what docs/README.md is called on the site
FOREIGN = re.compile(r"(?:src|href)=[\"']?(https?://[^\"' >]+\.(?:js|css|woff2?))")


def main() -> None:
    """Build the site from a copy of the pages; raises SystemExit if that fails."""
    shutil.rmtree(BUILD, ignore_errors=True)
    pages = shutil.copytree(DOCS, BUILD / "pages", ignore=shutil.ignore_patterns("zensical.toml"))
    shutil.copy(DOCS / "site" / "zensical.toml", BUILD)
    (pages / "README.md").rename(pages / CONTENTS)  # the README of the project is the first page
    for name in BESIDE:
        shutil.copy(ROOT / name, pages)
    for page in pages.rglob("*.md"):
        text = page.read_text(encoding="utf-8").replace("](docs/README.md", f"]({CONTENTS}")
        text = re.sub(r"\]\(\.\./([A-Z]+\.md)", r"](\1", text)
        page.write_text(text.replace("](docs/", "]("), encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "-f", "zensical.toml"]
    if subprocess.run(command, cwd=BUILD, check=False).returncode:
        sys.exit("the site has errors: see above")
    for path in (BUILD / "site").rglob("*.html"):
        if foreign := FOREIGN.findall(path.read_text(encoding="utf-8")):
            sys.exit(f"{path} loads {foreign[0]}, so it does not work offline")
    print(f"built {(BUILD / 'site' / 'index.html').relative_to(ROOT)}")


if __name__ == "__main__":
    main()
