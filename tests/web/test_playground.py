"""What Python answers in the playground: in this process, and in WebAssembly, by Node."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scripts.site import EXAMPLES, GAMES, SOURCE, read_example
from solver import load_game, solve
from solver.web.playground import MOST, Playground
from tests.conftest import ROOT, Command
from tests.web.test_webassembly import python

HEAD = "from solver import Game, Outcome\n\n\n"
TAKE = HEAD + read_example(*next(iter(EXAMPLES.values()))).partition("\n\n\n")[2]
SLIPS = {  # rules with a slip, and its line; the command line says the same of the same file
    TAKE.replace("return 10", "return (10").replace("Subtraction", "Bracket"): 8,
    TAKE.replace("left - taken", "left - taking").replace("Subtraction", "Naming"): 14,
    TAKE.replace("return 10", "return [10]").replace("Subtraction", "Listing"): 7,
    TAKE.replace("left - taken", "left / taken").replace("Subtraction", "Dividing"): 13,
    TAKE.replace("Outcome.LOSS if left == 0 else None", "left == 0").replace(
        "Subtraction", "Won"
    ): 16,
    TAKE.replace("def moves", "def move").replace("Subtraction", "Missing"): 4,
    TAKE.replace("return left - taken", "exit()").replace("Subtraction", "Ending"): 14,
}
WIDE = HEAD + (
    "class Wide(Game):\n"
    "    def initial(self):\n        return (0, 0, 0)\n\n"
    "    def moves(self, p):\n        return range(3)\n\n"
    "    def play(self, p, m):\n        return p[:m] + (p[m] + 1,) + p[m + 1 :]\n\n"
    "    def primitive(self, p):\n        return Outcome.LOSS if max(p) == 60 else None\n"
)
FREE = TAKE.replace("range(1, min(3, left) + 1)", "{str(n): 0 for n in {'a', 'b', 'c', 'd'}}")
FREE = FREE.replace("left - taken", "left - 1")  # lists moves in the order of a set
MIRRORED = f"from solver import Symmetry\n{TAKE}" + (
    "\n    symmetries = (Symmetry(lambda p: p, None, None),"
    " Symmetry(lambda p: {3: 9, 9: 3}.get(p, p), None, None))\n"
)


def ignore(_: int) -> None:
    """Take a count of positions."""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name, module in [*sys.modules.items()]:  # so that the next test can load its own
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("title", EXAMPLES)
def test_an_example_is_solved_proved_and_opened_at_home(command: Command, title: str) -> None:
    rules = read_example(*EXAMPLES[title])
    playground = Playground(rules)
    solved = json.loads(playground.solve(ignore))
    assert re.match(r"When \d+ random games are over, the side to move has lost ", solved["ends"])
    assert json.loads(playground.solve(ignore)) == solved
    data, _, whole = json.loads(playground.page())
    assert json.loads(data)["games"][0]["whole"]
    assert len(whole) > 100
    assert json.loads(playground.report())[0][0] == "Who wins"
    others = [json.loads(playground.expand(step)) for step in (1, -1)]
    proved = json.loads(playground.prove(ignore, others))["proved"]
    assert re.search(
        r"asked again at all .* In 3 Pythons, .* at all [0-9,]+ positions that were compared.$",
        proved,
    )
    name, table = solved["files"]
    Path(table).write_bytes(Path(solved["path"]).read_bytes())
    assert Path(name).read_text() == rules
    assert command(*solved["home"].split()[1:]) == 0
    assert command.err == ""


@pytest.mark.parametrize(("rules", "line"), SLIPS.items(), ids=map(str, SLIPS.values()))
def test_slips_get_the_sentences_of_the_command_line(
    command: Command, rules: str, line: int
) -> None:
    playground = Playground(rules)
    answer = json.loads(playground.solve(ignore))
    said = command.refuses("solve", playground.name).strip()
    assert said.replace(f"{Path.cwd()}/", "") == f"perfectplay: {answer['error']}"
    assert answer["line"] == line


def test_what_else_is_refused() -> None:
    for rules, words, line in (
        (f"{TAKE}\n\nimport numpy.linalg\n", "line 20, import numpy: on this page", 20),
        (f"{TAKE}\n\nfrom .other import x\n", "line 20, import other: on this page", 20),
        (
            WIDE,
            f"this page stops at {MOST:,}: make the board smaller, or save the rules as wide.py",
            4,
        ),
        ("", "is not a class", None),
        (MIRRORED, "one move on to those of the image: leave symmetries out, or correct them", 20),
        (TAKE.replace("(Game)", "()"), "write class Subtraction(Game)", 4),
    ):
        answer = json.loads(Playground(rules).solve(ignore))
        assert words in answer["error"]
        assert answer["line"] == line


def test_files_are_not_named_like_modules() -> None:
    assert Playground(TAKE.replace("Subtraction", "Random")).name == "random_game.py:Random"
    both = f"{TAKE}\n\nclass Helper:\n    pass\n"
    assert Playground(both).kind == "Subtraction"


def test_a_link_carries_the_rules(command: Command, node: str) -> None:
    rules = read_example("solve-your-own-game.md", "hounds") + "# ¶ü \U0001f600\r\n"
    Path("linked.py").write_text(rules, encoding="utf-8", newline="")
    assert command("check", "linked.py:Hounds", "--link", "https://example.org/games/") == 0
    link = command.out.splitlines()[-1]
    assert link.startswith("https://example.org/games/play.html#a")
    assert len(link) < 2000 / 3000 * len(rules)
    script = f"import({json.dumps(str(SOURCE / 'link.js'))}).then((m) => "
    script += f"m.fromFragment({json.dumps('#' + link.partition('#')[2])}))"
    script += ".then((text) => console.log(JSON.stringify(text)))"
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == rules
    message = command.refuses("check", "nim:1,2", "--link", "https://example.org")
    assert "a link carries rules in one file, and those of nim:1,2 are in no file" in message
    Path("other.py").write_text("X = 1\n")
    Path("both.py").write_text(f"import other\n{rules}")
    message = command.refuses("check", "both.py:Hounds", "--link", "https://example.org")
    assert "are in 2 files: both.py, other.py" in message


def in_browser(node: str, calls: str, rules: str = TAKE, seed: str = "1") -> Any:
    """Return what some calls of a playground in WebAssembly answer."""
    code = f"""
from json import loads
from solver.web.playground import Playground
game = Playground({rules!r})
answer = {calls}
"""
    return python(node, code, seed)


@pytest.mark.large
@pytest.mark.parametrize("name", GAMES)
def test_games_are_solved_to_the_same_counts(node: str, name: str) -> None:
    code = f"from solver import load_game, solve; answer = solve(load_game({name!r})).counts"
    assert python(node, code) == solve(load_game(name)).counts


@pytest.mark.large
@pytest.mark.parametrize("rules", SLIPS, ids=map(str, SLIPS.values()))
def test_slips_get_the_same_sentences_in_webassembly(
    command: Command, node: str, rules: str
) -> None:
    answer = in_browser(node, "loads(game.solve(lambda done: None))", rules)
    said = command.refuses("solve", Playground(rules).name)
    assert said.replace(f"{Path.cwd()}/", "").strip() == f"perfectplay: {answer['error']}"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("Outcome.WIN if left", "whoever moved last lost each of them"),
        ("None if left", "No position ends"),
    ],
)
def test_an_unusual_end_is_asked_about(wrong: str, said: str) -> None:
    rules = read_example(*EXAMPLES[next(iter(EXAMPLES))]).replace("Outcome.LOSS if left", wrong)
    rules = rules.replace("range(1, min(3, left) + 1)", "[1] if left else [0]")
    assert said in json.loads(Playground(rules).solve(ignore))["ends"]


@pytest.mark.large
def test_three_processes_compare_the_order_of_sets(node: str) -> None:
    said = [in_browser(node, "loads(game.expand(1))", TAKE, seed) for seed in "23"]
    both = f"[loads(game.solve(lambda done: None)), loads(game.prove(lambda done: None, {said!r}))]"
    assert in_browser(node, both)[1]["proved"].endswith("at all 11 positions that were compared.")
    first, second = (in_browser(node, "loads(game.expand(1))", FREE, seed) for seed in "23")
    assert first != second
    assert (ROOT / "docs" / "site" / "playground").is_dir()
