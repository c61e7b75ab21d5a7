"""The examples run as a user runs them, and show what they claim."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from email.message import Message
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self
from urllib.error import HTTPError, URLError
from xml.etree import ElementTree

import numpy as np
import pytest

from scripts.examples import blocks
from solver import TableAgent
from solver.tables.export import export
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"
SCRIPTS = [path for path in EXAMPLES.rglob("*.py") if "__main__" in path.read_text()]


@pytest.mark.campaign
def test_q_learning_lowers_the_regret(tmp_path: Path) -> None:
    """The same seed gives the same learner, and without a file nothing is written."""

    def run(*arguments: str) -> list[str]:
        line = [sys.executable, "-W", "error", str(EXAMPLES / "q_learning.py"), *arguments]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.check_output(line, text=True, cwd=tmp_path, env=env).splitlines()

    lines = run()
    assert list(tmp_path.iterdir()) == []
    assert run("curve.svg") == lines
    assert re.split("  +", lines[0]) == ["games played", "regret (reachable)", "regret (all)"]
    rows = [line.split() for line in lines[1:]]
    games = [int(row[0].replace(",", "")) for row in rows]
    reachable, everywhere = ([float(row[column]) for row in rows] for column in (1, 2))
    assert len(rows) >= 5
    assert games == sorted({0, *games})
    assert everywhere == sorted(everywhere, reverse=True)
    assert everywhere[-1] < everywhere[0] / 3
    assert reachable[-1] < reachable[0] / 10
    root = ElementTree.parse(tmp_path / "curve.svg").getroot()
    texts = ["".join(element.itertext()) for element in root.iter() if "text" in element.tag]
    assert {row[0] for row in rows} <= {*texts}
    ends = [text.split()[0] for text in texts if text.endswith(("reachable", "all positions"))]
    assert ends == [f"{float(n):.2f}" for n in rows[-1][1:]]


@pytest.mark.slow
@pytest.mark.parametrize("path", SCRIPTS)
def test_every_script_takes_help(path: Path, tmp_path: Path) -> None:
    """q_learning.py trained for a minute, and wrote a file of this name."""
    line = [sys.executable, str(path), "--help"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert "usage:" in subprocess.check_output(line, text=True, cwd=tmp_path, env=env)
    assert [*tmp_path.iterdir()] == []


class Learner:
    """Stands in for MaskablePPO: finds the environment's masks as it does, and plays at random."""

    def __init__(self, policy: str, env: Any, seed: int, **settings: Any) -> None:
        assert policy == "MlpPolicy"
        self.env, self.generator = env, np.random.default_rng(seed)
        self.rewards: list[float] = []
        self.logged: dict[str, float] = {}

    def learn(self, steps: int, callback: Any = None) -> Self:
        observation, _ = self.env.reset(seed=1)
        if callback:
            callback.model = callback.logger = self
            callback._on_training_start()
        for n in range(1, steps + 1):
            assert self.env.has_wrapper_attr("action_masks")
            masks = self.env.get_wrapper_attr("action_masks")()
            assert (masks.dtype, masks.shape) == (bool, (self.env.action_space.n,))
            assert self.env.observation_space.contains(observation)
            action = self.generator.choice(np.flatnonzero(masks))
            observation, reward, over, _, info = self.env.step(action)
            assert "illegal_action" not in info
            self.rewards.append(reward)
            if over:
                observation, _ = self.env.reset()
            if callback:
                callback.n_calls = n
                assert callback._on_step()
        return self

    def record(self, name: str, value: float) -> None:
        self.logged[name] = value

    def predict(self, observation: Any, deterministic: bool, action_masks: Any) -> Any:
        """Return the first legal action on each board."""
        assert deterministic
        assert (observation.sum(-1).reshape(action_masks.shape) == ~action_masks).all()
        return action_masks.argmax(-1), None


@pytest.mark.slow
def test_the_loop_of_maskable_ppo(capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(EXAMPLES / "maskable_ppo.py"))
    assert {*example["train"](Learner, 300).rewards} == {-1, 0, 1}
    example["main"](Learner, 300)
    found = re.fullmatch(r"Learner after 300 steps: mean regret (.*)\n", capsys.readouterr().out)
    assert found is not None
    assert 0 < float(found[1]) < 2


@pytest.mark.slow
def test_the_callback_logs_the_rates_of_a_learner(capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(EXAMPLES / "sb3_callback.py"))
    made: list[Learner] = []

    def learner(*words: Any, **settings: Any) -> Learner:
        made.append(Learner(*words, **settings))
        return made[0]

    example["main"](learner, type("PlainCallback", (), {"n_calls": 0}), 4100)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [row[0] for row in rows] == ["0", "2,000", "4,000"]
    good, perfect, regret = (
        made[0].logged.pop(f"optimality/{name}")
        for name in ("good_move_rate", "perfect_move_rate", "mean_regret")
    )
    assert (made[0].logged, 0 < regret < 2) == ({}, True)
    assert all(row[1:] == [f"{good:.1%}", f"{perfect:.1%}"] for row in rows)


def module_in(page: str, name: str, folder: Path) -> dict[str, Any]:
    """Return the names of a module that a page shows, which is at most 40 lines long."""
    bodies = (block.body for block in blocks(ROOT / "docs" / "how-to" / page))
    [body] = [body for body in bodies if body.startswith(f"# {name}\n")]
    assert body.count("\n") <= 40
    (folder / name).write_text(body)
    return runpy.run_path(str(folder / name))


def labelled(folder: Path) -> list[dict[str, Any]]:
    """Export labels.jsonl; return its rows."""
    export(TableAgent().table, str(folder / "labels.jsonl"), split="80/20")
    return [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]


def test_the_reward_function_pays_for_the_move_of_each_completion(tmp_path: Path) -> None:
    """Called as TRL does: columns of the data set by name, completions as messages."""
    example, rows = module_in("train-an-agent.md", "trl_moves.py", tmp_path), labelled(tmp_path)
    row = next(row for row in rows if row["best"] == [4] and len(row["legal"]) == 8)
    [prompt] = example["with_prompt"](row)["prompt"]
    assert "You are O" in prompt["content"]
    assert f"The legal moves are: {', '.join(row['labels'])}\n" in prompt["content"]
    taken = next(cell for cell in "123456789" if cell not in row["labels"])
    replies = ["Answer: 5", "2 or 3?", f"Answer: {taken}", "Answer: 2"]
    columns = {name: [value] * 4 for name, value in row.items()}
    messages = [[{"role": "assistant", "content": reply}] for reply in replies]
    rewards = example["reward"](messages, **columns, prompts=[], trainer_state=None)
    assert rewards == [1.0, -2.0, -2.0, -0.5]


def test_the_evaluation_scores_the_test_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With stand-ins for the few names of Inspect that it uses."""

    class Samples(list[Any]):
        def filter(self, wanted: Any) -> Samples:
            return Samples(filter(wanted, self))

    def sample(prompt: str, target: Any, metadata: Any) -> SimpleNamespace:
        return SimpleNamespace(input=prompt, target=target, metadata=metadata)

    rows = labelled(tmp_path)
    plain: Any = lambda *_: lambda function: function  # noqa: E731
    scorer: Any = lambda metrics: plain()  # noqa: E731
    named = SimpleNamespace
    stand_ins: dict[str, dict[str, Any]] = {
        "": {"Task": named, "task": lambda function: function},
        ".dataset": {"Sample": sample, "json_dataset": lambda _, make: Samples(map(make, rows))},
        ".scorer": {"Score": named, "mean": plain, "stderr": plain, "scorer": scorer},
        ".solver": {"generate": plain},
    }
    for name, names in stand_ins.items():
        monkeypatch.setitem(sys.modules, f"inspect_ai{name}", SimpleNamespace(**names))
    task = module_in("grade-bots.md", "inspect_moves.py", tmp_path)["moves"]()
    tested = [row for row in rows if row["split"] == "test" and row["legal"]]
    assert [one.metadata for one in task.dataset] == tested
    for one in task.dataset:
        for label in one.metadata["labels"]:
            output = SimpleNamespace(completion=f"Answer: {label}")
            state = SimpleNamespace(metadata=one.metadata, output=output)
            score = asyncio.run(task.scorer(state, one.target))
            assert score.value == {"move": 1, "legal": 1, "optimal": label in one.target}


Reply = Callable[[str], Any]  # a prompt to the model's text, the body of an answer, or an error
Run = Callable[..., tuple[str, list[Any]]]


def prompt_of(request: Any) -> str:
    return str(json.loads(request.data)["messages"][0]["content"])


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the example; it returns what is printed, and the requests."""

    def run_one(reply: Reply, *arguments: str) -> tuple[str, list[Any]]:
        asked: list[Any] = []

        def urlopen(request: Any, timeout: float) -> io.BytesIO:
            asked.append(request)
            found = reply(prompt_of(request))
            if isinstance(found, Exception):
                raise found
            message = {"choices": [{"message": {"role": "assistant", "content": found}}]}
            return io.BytesIO(found if isinstance(found, bytes) else json.dumps(message).encode())

        monkeypatch.setattr("urllib.request.urlopen", urlopen)
        monkeypatch.setattr(sys, "argv", ["x", "http://localhost/v1", "stand-in", *arguments])
        runpy.run_path(str(ROOT / "examples" / "language_model.py"), run_name="__main__")
        return capsys.readouterr().out, asked

    return run_one


def first_empty(prompt: str) -> str:
    return str(re.findall(r"moves are: (\d)", prompt)[0])


def test_legal_moves_are_judged_and_the_prompt_is_shown(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in always takes the first empty cell, after some talk."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    reply: Reply = lambda prompt: f"Of 9 cells, which one? Answer: {first_empty(prompt)}."  # noqa: E731
    out, asked = run(reply, "--positions", "30", "--seed", "3")
    prompts = [*map(prompt_of, asked)]
    assert {request.full_url for request in asked} == {"http://localhost/v1/chat/completions"}
    assert {json.loads(request.data)["model"] for request in asked} == {"stand-in"}
    assert {request.get_header("Authorization") for request in asked} == {"Bearer secret"}
    assert len({*prompts}) == 30
    assert prompts[0] in out
    assert "secret" not in out
    assert "stand-in: 30 legal moves, 0 illegal ones, 0 replies without a move" in out
    rates = re.search(r"good (.*)%, perfect (.*)%, mean regret (.*)\n", out)
    assert rates is not None
    assert 0 < float(rates[2]) <= float(rates[1]) < 100
    assert 0 < float(rates[3]) < 2


def test_answers_that_are_no_legal_move_are_counted_apart(run: Run) -> None:
    """Every third is an empty cell, the others are off the board or no number."""
    number = iter(range(9))
    out, _ = run(
        lambda prompt: [first_empty(prompt), "10", "I resign"][next(number) % 3],
        *("--positions", "9"),
    )
    assert "stand-in: 3 legal moves, 3 illegal ones, 3 replies without a move" in out
    assert out.count("no legal move at ") == 6
    assert out.count("'I resign': no move is marked") == 3


def test_a_server_without_answers_ends_the_run(run: Run) -> None:
    body = io.BytesIO(b'{"error":\n "no such model"}')
    missing = HTTPError("http://localhost/v1", 404, "Not Found", Message(), body)
    for answer, message in (
        (missing, r'404: Not Found: {"error": "no such model"}$'),
        (URLError("Connection refused"), "^http://localhost/v1: .*Connection refused"),
        (b'{"choices": []}', "the answer has no message"),
        (b"<html>", "the answer has no message"),
    ):
        with pytest.raises(SystemExit, match=message):
            run(lambda _, answer=answer: answer)
