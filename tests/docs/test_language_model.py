"""The example that asks a language model, against a stand-in for the server."""

from __future__ import annotations

import io
import json
import re
import runpy
import sys
from collections.abc import Callable
from email.message import Message
from typing import Any
from urllib.error import HTTPError, URLError

import pytest

from tests.conftest import ROOT

Reply = Callable[[str], Any]  # a prompt to the model's text, the body of an answer, or an error
Run = Callable[..., tuple[str, list[Any]]]


def prompt_of(request: Any) -> str:
    return str(json.loads(request.data)["messages"][0]["content"])


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the example; it returns what is printed, and the requests."""

    def run(reply: Reply, *arguments: str) -> tuple[str, list[Any]]:
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

    return run


def first_empty(prompt: str) -> str:
    cells = prompt.split("numbers:")[1].split("It is", maxsplit=1)[0]
    return str(re.findall(r"\d", cells)[0])


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
    assert "stand-in: 30 legal moves, 0 answers that are none" in out
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
    assert "stand-in: 3 legal moves, 6 answers that are none" in out
    assert out.count("no legal move at ") == 6
    assert out.count("'I resign': the reply names no move") == 3


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
