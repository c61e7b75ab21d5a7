"""The examples run as a user runs them, and show what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"


def run(name: str, *arguments: str, folder: Path) -> list[str]:
    """Run an example in a folder; return the lines that it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name), *arguments],
        check=True,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_every_example_is_tested() -> None:
    assert [path.name for path in sorted(EXAMPLES.glob("*.py"))] == ["q_learning.py"]


def test_the_learner_s_regret_falls(tmp_path: Path) -> None:
    lines = run("q_learning.py", "curve.svg", folder=tmp_path)
    assert lines[0].split("  ") == ["games played", "regret where it comes", "regret anywhere"]
    rows = [line.split() for line in lines[1:]]
    games = [int(row[0].replace(",", "")) for row in rows]
    reachable, everywhere = ([float(row[column]) for row in rows] for column in (1, 2))
    assert len(rows) >= 5
    assert games[0] == 0
    assert games == sorted(set(games))
    assert everywhere == sorted(everywhere, reverse=True)
    assert everywhere[-1] < everywhere[0] / 3
    assert reachable[-1] < reachable[0] / 10
    root = ElementTree.parse(tmp_path / "curve.svg").getroot()
    texts = ["".join(element.itertext()) for element in root.iter() if "text" in element.tag]
    for row in rows:
        assert row[0] in texts
    names = [text for text in texts if "where" in text]
    assert [name.split(" ", 1)[1] for name in names] == ["where it comes", "anywhere"]
    curves = [element for element in root.iter() if element.tag.endswith("polyline")]
    for line, values in zip(curves, (reachable, everywhere), strict=True):
        heights = [float(place.split(",")[1]) for place in line.attrib["points"].split()]
        lower = [b > a for a, b in pairwise(heights)]  # y counts downwards
        assert lower == [b < a for a, b in pairwise(values)]


def test_without_a_file_nothing_is_written(tmp_path: Path) -> None:
    """And the same seed gives the same learner."""
    assert run("q_learning.py", folder=tmp_path) == run("q_learning.py", folder=tmp_path)
    assert list(tmp_path.iterdir()) == []
