"""The wheel, in an empty environment far from the checkout, is the whole product."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from solver import __version__
from tests.conftest import ROOT, SHIPPED


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(out)]
    run(sys.executable, "-m", "pip", *build, ROOT, cwd=out)
    (path,) = out.glob("perfectplay-*.whl")
    return path


def test_the_wheel_holds_the_committed_table_once(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert [name for name in names if name.endswith("tictactoe.json")] == [
            "solver/data/tictactoe.json"
        ]
        assert archive.read("solver/data/tictactoe.json") == SHIPPED.read_bytes()
    assert {"solver/py.typed", "solver/data/table.schema.json"} <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "scripts/", "data/"))]


def test_pip_install_gives_a_working_agent_and_command(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    scripts = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    code = "from solver import TableAgent; print(TableAgent().best_move('X...O....'))"
    assert run(scripts / "python", "-c", code, cwd=tmp_path) == "1\n"
    answer = json.loads(run(scripts / "perfectplay", "best", "X...O....", "--json", cwd=tmp_path))
    assert answer["move"] == 1
    assert run(scripts / "perfectplay", "--version", cwd=tmp_path).split()[1] == __version__
    solved = run(scripts / "perfectplay", "solve", "-o", "t.json", cwd=tmp_path)
    assert "wrote t.json" in solved
    assert (tmp_path / "t.json").read_bytes() == SHIPPED.read_bytes()
