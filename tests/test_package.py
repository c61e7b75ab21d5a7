"""The wheel, in an empty environment far from the checkout, is the whole product.

Without what only POSIX has, as on Windows, a game can be solved, proved and asked.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scripts import release
from solver import __version__
from tests.conftest import ROOT, SHIPPED, program, python


def run(*command: str | Path, cwd: Path, typed: str = "") -> str:
    line = [*map(str, command)]
    done = subprocess.run(line, cwd=cwd, input=typed, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(out)]
    run(sys.executable, "-m", "pip", *build, ROOT, cwd=out)
    (path,) = out.glob("perfectplay-*.whl")
    return path


@pytest.mark.large
def test_a_release_is_built_and_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each file is installed far from the checkout, where the examples of README run."""
    program("npm")
    monkeypatch.setattr(release, "OUT", tmp_path / "release")
    release.main()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [Path(line[-1]).suffix for line in lines] == [".tgz", ".whl", ".gz"]
    for digest, size, _, file in lines:
        data = Path(file).read_bytes()
        assert (digest, size) == (hashlib.sha256(data).hexdigest(), f"{len(data):,}")


@pytest.mark.large
@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("tests/test_x.py", b"", "holds the folders ['solver', 'tests']"),
        ("solver/data/tictactoe.json", b"{}", "does not hold tictactoe.json as it is committed"),
    ],
)
def test_a_wheel_that_holds_something_else_is_not_released(
    wheel: Path, tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    wrong = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as archive, zipfile.ZipFile(wrong, "w") as changed:
        assert {"solver/py.typed", "solver/data/table.schema.json"} <= {*archive.namelist()}
        for held in archive.namelist():
            if held != name:
                changed.writestr(held, archive.read(held))
        changed.writestr(name, data)
    with pytest.raises(release.ReleaseError, match=re.escape(message)):
        release.check(wrong)


MINORS = [  # of the versions of Python that we support
    pytest.param(n, marks=[] if n in (11, sys.version_info.minor) else [pytest.mark.campaign])
    for n in range(11, 15)
]


def python_of(minor: int) -> Path:
    """Return a Python of this version; skip the test if there is none."""
    if minor == sys.version_info.minor:
        return Path(sys.executable)
    installed = Path(os.environ.get("PYENV_ROOT", "/nowhere")) / "versions"
    on_path = shutil.which(f"python3.{minor}")
    places = [*installed.glob(f"3.{minor}.*/bin/python"), *([Path(on_path)] if on_path else [])]
    for place in places:
        tried = subprocess.run([place, "-c", "import venv"], check=False, capture_output=True)
        if tried.returncode == 0:
            return place
    pytest.skip(f"there is no Python 3.{minor}")


BOT = "def move(rows, side):\n    return next(c for c in range(9) if rows[c // 3][c % 3] is None)\n"
MANY = """
import contextlib, sys
from solver.cli import run
with contextlib.redirect_stderr(sys.stdout):
    for line in sys.argv[1:]:
        print(f"[exit {run(line.split())}]")
"""


@pytest.mark.large
@pytest.mark.parametrize("minor", MINORS)
def test_the_first_ten_minutes_with_the_wheel_alone(
    wheel: Path, tmp_path: Path, minor: int
) -> None:
    """No make, no extras: ask, solve, prove, play, and grade a bot of one's own."""
    run(python_of(minor), "-m", "venv", "--without-pip", "env", cwd=tmp_path)
    scripts = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    perfectplay = scripts / "perfectplay"
    pip = sys.executable, "-m", "pip", "--python", scripts / "python"
    run(*pip, "install", "--quiet", "--no-compile", wheel, cwd=tmp_path)
    code = "from solver import TableAgent; print(TableAgent().best_move('X...O....'))"
    assert run(scripts / "python", "-c", code, cwd=tmp_path) == "1\n"
    answer = json.loads(run(perfectplay, "best", "X...O....", "--json", cwd=tmp_path))
    assert answer["move"] == 1
    (tmp_path / "bot.py").write_text(BOT)
    lines = (
        *("--version", "solve -o t.json", "solve connect4:3x3,3 -o c.safetensors"),
        *("verify t.json", "verify c.safetensors", "play"),
        *("grade bot.py:move --deterministic", "report tictactoe", "serve", "render -o x.png"),
    )
    out = run(scripts / "python", "-c", MANY, *lines, cwd=tmp_path, typed="1\nq\n")
    answers = out.split("[exit ")
    assert [answer[:3] for answer in answers[1:]] == ["0]\n"] * 8 + ["2]\n"] * 2, out
    texts = (
        *(__version__, "wrote t.json", "wrote c.safetensors", "proved t.json"),
        *("proved c.safetensors", "O plays 5", "can be beaten", "58.49%"),
    )
    assert all(text in answer for text, answer in zip(texts, answers, strict=False))
    assert (tmp_path / "t.json").read_bytes() == SHIPPED.read_bytes()
    for answer, extra in zip(answers[8:10], ("web", "pictures"), strict=True):
        assert f"needs the extra '{extra}': run python -m pip install " in answer
        assert answer.count("\n") == 2


BARE = """
import os, sys
sys.modules["fcntl"] = sys.modules["resource"] = None
for name in ("fork", "sysconf", "register_at_fork", "killpg", "pread"):
    if hasattr(os, name):
        delattr(os, name)
from solver.cli import run
for line in sys.argv[1:]:
    print(f"[exit {run(line.split())}]", file=sys.stderr)
"""


@pytest.mark.large
def test_without_what_only_posix_has(tmp_path: Path) -> None:
    """`fork` goes as well, since the standard library expects `register_at_fork` beside it."""
    table, bot = tmp_path / "t.safetensors", tmp_path / "bot.py"
    bot.write_text("def move(board, side):\n    return board[0].index(None)\n")
    asked = f"--game connect4:3x3,3 --table {table}"
    lines = {
        f"solve connect4:3x3,3 -o {table}": f"wrote {table}",
        f"verify {table}": f"proved {table}",
        f"best {asked}": "a draw with best play",
        f"grade perfect {asked} --as second": "plays perfectly",
        f"grade {bot}:move {asked} --deterministic": "custom players run on Linux and macOS only",
    }
    done = python("-c", BARE, *lines)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert re.findall(r"\[exit (\d)\]", done.stderr) == [*"00002"]
    for text in lines.values():
        assert text in done.stdout + done.stderr
    assert sorted(tmp_path.iterdir()) == [bot, table], "no work, lock or draft is left"
