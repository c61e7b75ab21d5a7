"""Links, pictures, paths and names in README.md, CONTRIBUTING.md and docs/ lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import resolve_name

from examples.unbeatable import page as unbeatable
from scripts import docs, examples
from tests.conftest import ROOT
from tests.test_architecture import FLOORS

PAGES = [*examples.pages(), ROOT / "CHANGELOG.md"]
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:solver|tests|scripts|examples|docs|data)/[\w./-]*)`")
NAME = re.compile(r"`(solver(?:\.\w+)+)")
CODE = re.compile(r"^```.*?^```$|^    .*?$", re.DOTALL | re.MULTILINE)


def prose(path: Path) -> str:
    """Return a page without its blocks of code."""
    return CODE.sub("", path.read_text())


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts and the site make them."""
    headings = re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE)
    plain = (re.sub(r"[^\w\s-]", "", LINK.sub(r"\2", heading).lower()) for heading in headings)
    return {re.sub(r"\s", "-", heading.strip()) for heading in plain}


LINKS = [(page, target) for page in PAGES for _, _, target in LINK.findall(prose(page))]


def test_links_lead_to_pages_and_headings() -> None:
    for page, target in LINKS:
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.is_file(), target
        assert found.is_relative_to(ROOT), target
        if anchor:
            assert anchor in anchors(found), target
        elif path and page.is_relative_to(ROOT / "docs"):  # so that the site has it, too
            beside = [ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
            assert found.is_relative_to(ROOT / "docs") or found in beside, target


def test_pictures_come_from_docs_and_have_a_description() -> None:
    shown = set()
    for page in PAGES:
        for bang, alt, target in LINK.findall(prose(page)):
            if bang:
                assert len(alt) > 10, target
                path = (page.parent / target).resolve()
                assert path.parent == ROOT / "docs" / "pictures"
                shown.add(path.name)
    there = {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    assert shown == there
    drawn = {*docs.PICTURES, *unbeatable.pictures()}
    assert there - drawn <= {"page.png"}


def test_the_architecture_draws_the_floors_and_names_what_is_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^[ \d]\d   (.+?)   ", text, re.MULTILINE)
    drawn = [set(rooms.split()) for rooms in rows]
    assert drawn[::-1] == FLOORS[:-1]
    files = [path for room in ("solver", "tests") for path in (ROOT / room).rglob("*.py")]
    code = "".join(path.read_text() for path in files)
    names = re.findall(r"`(\w*[_A-Z]\w*)`", prose(ROOT / "docs" / "architecture.md"))
    assert len(names) > 10
    assert [name for name in names if not re.search(rf"\b{name}\b", code)] == []
    placed = re.findall(r"`(\w+)`\s+in\s+`(solver/[\w/]+\.py)`", text)
    assert ("COMMANDS", "solver/cli/commands.py") in placed
    for name, path in placed:
        assert re.search(rf"^(def |class )?{name}\b", (ROOT / path).read_text(), re.MULTILINE), name


def test_every_page_is_in_the_navigation_and_in_the_list() -> None:
    navigation = (ROOT / "docs" / "site" / "zensical.toml").read_text()
    start = ROOT / "docs" / "README.md"
    linked = [target.partition("#")[0] for _, _, target in LINK.findall(start.read_text())]
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").as_posix()
        assert f'"{name}"' in navigation, name
        assert name in linked or page == start, name


def test_paths_and_names_in_pages_docstrings_and_comments_exist() -> None:
    """So that a module that moves takes its mentions with it."""
    texts = {page: prose(page) for page in PAGES}
    for folder in ("solver", "scripts", "examples", "tests"):
        texts |= {path: path.read_text() for path in (ROOT / folder).rglob("*.py")}
    wrong = []
    for path, text in texts.items():
        paths = [name for name in PATH.findall(text) if not list(ROOT.glob(name.rstrip("/")))]
        names = [name for name in NAME.findall(text) if not is_defined(name)]
        wrong += [f"{path}: {name}" for name in (*paths, *names)]
    assert wrong == []


def is_defined(name: str) -> bool:
    try:
        resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True
