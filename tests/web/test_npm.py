"""The npm package of perfectplay.js: what is in it, and that it works when installed."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from solver import TableAgent, __version__
from tests.conftest import ROOT, SHIPPED, program
from tests.support import oracle
from tests.support.javascript import PACKAGE, SCRIPTS, ask_tables, differences, tool

ABOUT = json.loads((PACKAGE / "package.json").read_text())
NUMBER = __version__.replace("b", "-b")  # npm writes the number of a beta with a hyphen


def test_the_version_and_the_license_are_those_of_the_python_package() -> None:
    assert ABOUT["version"] == NUMBER
    page = (ROOT / "docs/how-to/embed.md").read_text()
    assert f"perfectplay-{NUMBER}.tgz" in page
    sent = [path.read_bytes() for path in (PACKAGE / "perfectplay.js", SHIPPED)]
    whole, packed = (sum(map(len, some)) / 1000 for some in (sent, map(gzip.compress, sent)))
    assert f"{packed:.0f} kB for both by gzip, {whole:.0f} kB as they are" in page
    assert (PACKAGE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def run(*command: str, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("packed")
    run(program("npm"), "pack", str(PACKAGE), folder=out)
    return out / f"perfectplay-{NUMBER}.tgz"


@pytest.fixture(scope="module")
def project(tarball: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder where the package is installed."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text('{"type": "module"}')
    quiet = ("--offline", "--no-audit", "--no-fund")
    run(program("npm"), "install", *quiet, str(tarball), folder=folder)
    return folder


@pytest.mark.slow
def test_the_package_holds_what_a_user_needs_and_nothing_else(tarball: Path) -> None:
    with tarfile.open(tarball) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
    modules = {"perfectplay.js", "types.d.ts", "answers.d.ts"}
    assert names == {"package.json", "README.md", "LICENSE", *modules}


@pytest.mark.slow
def test_the_installed_package_answers_as_python_does(
    node: str, agent: TableAgent, project: Path
) -> None:
    shutil.copy(SCRIPTS / "answers.mjs", project)
    boards = oracle.reachable()[::50]
    where: Any = {"folder": project, "module": "perfectplay"}
    (answers,) = ask_tables(node, [SHIPPED], boards, "text", **where)
    assert differences(agent, boards, answers) == []


@pytest.mark.large
def test_typescript_takes_the_types_of_the_package_and_finds_mistakes(project: Path) -> None:
    shutil.copy(SCRIPTS / "user.ts", project)
    settings = {"module": "nodenext", "target": "esnext", "strict": True, "noEmit": True}
    (project / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": settings, "files": ["user.ts"]})
    )
    run(tool(".bin/tsc"), "--project", str(project), folder=project)
