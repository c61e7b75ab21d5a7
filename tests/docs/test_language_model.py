"""The example that asks a language model, against a local stand-in for the server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow

Reply = Callable[[str], Any]  # a prompt to the model's text, or to the body of an answer
Asked = list[dict[str, Any]]


@contextmanager
def server(reply: Reply, status: int = 200) -> Iterator[tuple[str, Asked]]:
    """Serve an API that gives these replies; yield its address and the requests it gets."""
    asked: Asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, "key": self.headers["Authorization"], **body})
            found = reply(body["messages"][0]["content"])
            message = {"choices": [{"message": {"role": "assistant", "content": found}}]}
            data = found if isinstance(found, bytes) else json.dumps(message).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}/v1", asked
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


def play(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the example."""
    return subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "examples" / "language_model.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "no_proxy": "*", **variables},
    )


def empty_cells(prompt: str) -> list[str]:
    return re.findall(r"\d", prompt.split("numbers:")[1].split("It is", maxsplit=1)[0])


def test_legal_moves_are_judged_and_the_prompt_is_shown() -> None:
    """The stand-in always takes the first empty cell, after some talk."""
    with server(lambda prompt: f"Of 9 cells I take {empty_cells(prompt)[0]}.") as (url, asked):
        done = play(url, "stand-in", "--positions", "30", "--seed", "3", OPENAI_API_KEY="secret")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(asked) == 30
    assert {request["path"] for request in asked} == {"/v1/chat/completions"}
    assert {request["model"] for request in asked} == {"stand-in"}
    assert {request["key"] for request in asked} == {"Bearer secret"}
    prompts = [request["messages"][0]["content"] for request in asked]
    assert len(set(prompts)) == 30
    assert prompts[0] in done.stdout
    assert "secret" not in done.stdout
    assert "stand-in: 30 legal moves, 0 answers that are none" in done.stdout
    rates = re.search(r"good (.*)%, perfect (.*)%, mean regret (.*)\n", done.stdout)
    assert rates is not None
    assert 0 < float(rates[2]) <= float(rates[1]) < 100
    assert 0 < float(rates[3]) < 2


def test_answers_that_are_no_legal_move_are_counted_apart() -> None:
    """Every third is an empty cell, the others are off the board or no number."""
    number = iter(range(9))

    def reply(prompt: str) -> str:
        turn = next(number) % 3
        return [empty_cells(prompt)[0], "10", "I resign"][turn]

    with server(reply) as (url, asked):
        done = play(url, "stand-in", "--positions", "9", OPENAI_API_KEY="")
    assert {request["key"] for request in asked} == {None}
    assert "stand-in: 3 legal moves, 6 answers that are none" in done.stdout
    assert done.stdout.count("no legal move at ") == 6
    assert done.stdout.count("'I resign'") == 3


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b'{"error":\n "no such model"}', 404, '404: Not Found: {"error": "no such model"}'),
        (b'{"choices": []}', 200, "the answer has no message"),
        (b"<html>", 200, "the answer has no message"),
    ],
)
def test_a_server_without_answers_ends_the_run(body: bytes, status: int, message: str) -> None:
    with server(lambda prompt: body, status) as (url, _):
        done = play(url, "stand-in")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert message in done.stderr.replace("Error ", "")


def test_no_server_ends_the_run() -> None:
    with server(lambda prompt: "") as (url, _):
        pass
    done = play(url, "stand-in")
    assert done.returncode == 1
    assert done.stderr.startswith(url)
    assert done.stderr.count("\n") == 1
