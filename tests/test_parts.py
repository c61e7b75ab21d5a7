"""What is left works without an optional part, whose doors stay as they are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.conftest import ROOT
from tests.support.parts import PARTS, imports, part_of

ROOMS = ("rules", "tables", "solving", "proof", "agent")
TAKEN = "compiling"  # by make test; make test-large takes away every part
QUICK = "not slow and not large and not campaign"
DEAR = (  # tests that compile much, draw many cases, or ask for several parts
    "test_book or test_changed_rules or test_check_entries or test_steps_tiered or test_writers or"
    " test_out_of_core or stays_in_memory or slots_of_another_width or cycles_and_leaps or"
    " retrograde_on_random or numba or answers_are_those_of_a_table or progress_is_reported or"
    " test_oracle or game_of_unknown_size or answer_for_a_small_game or"
    " every_kind_of_forgery or file_name_chooses or unique_and_merge or ever_more_values"
)
FEW = (
    "rules/test_kinds.py",
    "tables/test_json_table.py",
    "proof/test_repeat.py",
    "agent/test_words.py",
)
OWN: dict[str, str] = {
    "compiling": "test_no_part_of_a_split or without_numba or key_0_is_counted",
    "tables/export": "packed or game_of_each_style or few_forged or only_answers_solve",
    "games/openspiel": "numbers_in_texts",
}
"""Which tests of each part do not import it at the top of their file."""


def without(part: str, folder: Path) -> list[Path]:
    """Copy the package and all tests into a folder, but for a part and its tests; return these."""
    unused = shutil.ignore_patterns("__pycache__", "node_modules")
    for name in ("solver", "data", "docs", "examples", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=unused)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for file in PARTS[part].files:
        path = folder / "solver" / file
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    modules = {path: module_name(path, folder) for path in (folder / "tests").rglob("*.py")}
    known = {*modules.values(), *(module_name(p, ROOT) for p in (ROOT / "solver").rglob("*.py"))}
    # a file of tests that imports a module of the part, or another file that does, is its own
    names = {m: {n for n, lazy in imports(p, known) if not lazy} for p, m in modules.items()}
    gone = {part, *PARTS[part].above}
    own = {m for m, named in names.items() if any(part_of(n) in gone for n in named)}
    while more := {m for m, named in names.items() if named & own} - own:
        own |= more
    tests = [p for p, m in modules.items() if m in own and p.name.startswith("test_")]
    for path in tests:
        path.unlink()
    return [path.relative_to(folder) for path in sorted(tests)]


def module_name(path: Path, root: Path) -> str:
    name = ".".join(path.relative_to(root).with_suffix("").parts)
    return name.removesuffix(".__init__")


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [pytest.param(p, marks=[] if p == TAKEN else [pytest.mark.large]) for p in PARTS]
)
def test_the_rest_works_without_a_part(part: str, tmp_path: Path) -> None:
    without(part, tmp_path)
    env = os.environ | {"PERFECTPLAY_TABLES": str(tmp_path / "tables"), "PYTHONPATH": str(tmp_path)}

    def python(*arguments: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", *arguments]
        return subprocess.run(
            line, check=False, capture_output=True, text=True, cwd=tmp_path, env=env, input="5 1"
        )

    for words in (
        ("best", "X...O...."),
        ("solve", "domineering:3x3", "-o", "x.json"),
        ("verify", "x.json"),
    ):
        done = python("solver", *words)
        assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
    if PARTS[part].asks:
        done = python("solver", *PARTS[part].asks)
        assert done.returncode == 2, done
        *_, line = done.stderr.splitlines()  # those before are about progress
        assert "this installation lacks the part '" in line
    chosen = f"not ({OWN.get(part, DEAR)} or {DEAR})"
    places = [f"tests/{place}" for place in (FEW if part == TAKEN else ROOMS)]
    done = python(
        "pytest", *places, "-q", "-m", QUICK, "--hypothesis-profile", "quick", "-k", chosen
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr


if __name__ == "__main__":  # say which tests go with a part
    with TemporaryDirectory() as copied:
        print(*without(sys.argv[1], Path(copied)), sep="\n")
