"""What pyproject.toml says about the package is true."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from solver.errors import EXTRAS
from tests.conftest import ROOT, python

METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = METADATA["project"]
OURS = {"solver", "tests", "scripts", "examples"}
EXTRAS_OF = {  # which extras the code of a folder may need
    "solver": ("exact", "fast", "rl", "pictures", "web", "cluster", "openspiel"),
    "examples": ("fast", "rl", "examples"),
    "tests": ("all", "dev"),
    "scripts": ("all", "dev", "docs", "bench"),
}
BUILT_IN = {"_sha2", "typing_extensions"}  # part of Python 3.12; part of every type checker
ELSEWHERE = {"python_bots.py"}  # imports what examples/unbeatable/grade_all.py installs elsewhere
NAMES = {"pyspiel": "open-spiel", "solver": "perfectplay"}  # imports whose package may be missing


IMPORT = re.compile(r"^ *(?:from|import) (\w+)[\w.]*(?: as \w+)?(?: import .*)?$", re.MULTILINE)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(extras: tuple[str, ...]) -> set[str]:
    """Return the packages that the project and some of its extras name."""
    optional = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in optional[extra])]
    names = set()
    for line in lines:
        name, extra, _ = re.match(r"([\w.-]+)(?:\[([\w,]+)\])?(.*)", line).groups()  # type: ignore[union-attr]
        names |= declared(tuple(extra.split(","))) if name == "perfectplay" else {normal(name)}
    return names


def imported(folder: str) -> dict[str, str]:
    """Return the packages that a folder imports from outside, each with a file that does."""
    found: dict[str, str] = {}
    for path in (ROOT / folder).rglob("*.py"):
        if path.name in ELSEWHERE:
            continue
        found |= dict.fromkeys(IMPORT.findall(path.read_text()), path.name)
    outside = found.keys() - sys.stdlib_module_names - OURS - BUILT_IN
    return {name: found[name] for name in outside}


def test_the_packages_of_the_extras() -> None:
    """Those that messages name, and those in the table of the docs."""
    named = {extra: {normal(name) for name in line.split()} for extra, line in EXTRAS.items()}
    platforms = {"uvloop"}  # optional even within its extra
    assert named == {extra: declared((extra,)) - declared(()) - platforms for extra in EXTRAS}
    assert set().union(*named.values()) == declared(("all",)) - declared(()) - platforms
    text = (ROOT / "docs" / "how-to" / "install.md").read_text()
    rows = re.findall(r"^\| `(\w+)` .*\[(\w+)\]'` \|$", text, re.MULTILINE)
    assert {extra for extra, _ in rows} - {"all"} == set(EXTRAS)
    assert all(extra == installed for extra, installed in rows)


@pytest.mark.slow
def test_every_imported_package_is_declared() -> None:
    packages = packages_distributions()
    for folder, extras in EXTRAS_OF.items():
        known = declared(extras)
        for name, file in imported(folder).items():
            owners = [normal(owner) for owner in packages.get(name, [NAMES.get(name, name)])]
            assert known & set(owners), f"{folder}: {file} imports {name}, which is not declared"


def test_python_versions_agree() -> None:
    stated = [
        line.rpartition(" ")[2]
        for line in PROJECT["classifiers"]
        if line.startswith("Programming Language :: Python :: 3.")
    ]
    assert PROJECT["requires-python"] == f">={stated[0]}"
    assert f"Python {stated[0]} or newer" in (ROOT / "README.md").read_text()
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert running in stated


def test_the_long_description_has_no_picture_and_no_link_into_the_repository() -> None:
    text = python("-m", "hatch_fancy_pypi_readme").stdout
    assert "![" not in text
    assert "<img" not in text
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert [link for link in links if not link.startswith("https://")] == []
    assert "# perfectplay" in text
    assert "How tables are made and proved has the" in text
    assert not re.search(r"\n{3}", text)
