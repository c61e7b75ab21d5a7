"""The API matches its description: schemathesis sends requests that it allows and forbids."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from solver import TableAgent, load_game
from solver.solving.solve import SolveOptions, solve_file
from solver.web.api import ENDPOINTS
from solver.web.app import create_app
from solver.web.catalogue import open_agents
from solver.web.openapi import describe
from tests.support import user_games
from tests.support.asgi import Client
from tests.support.live import PATIENCE, serving
from tests.support.tables import table_path

GAMES = ("connect4:4x3", "kingspawns:.k../.p../.P../.K..", "nim:3,4,5")
# No schema states which texts are positions, so a request that fits the schema may be refused with
# one of the described statuses. An address may be too long whatever else is wrong with it.
CONFIG = """\
[checks]
positive_data_acceptance.expected-statuses = [200, 304, 400, 404, 414]
negative_data_rejection.expected-statuses = [400, 404, 405, 413, 414]
"""


def resolved(document: Any, part: Any) -> Any:
    """Return a part of the description with its references followed."""
    if isinstance(part, list):
        return [resolved(document, item) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        found = document
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        return resolved(document, found)
    return {name: resolved(document, item) for name, item in part.items()}


def test_it_is_served_and_complete() -> None:
    answer = Client(create_app([TableAgent()])).get("/api/v1/openapi.json")
    described = describe(ENDPOINTS, ["tictactoe"])
    assert answer.json == described
    assert answer.json["openapi"] == "3.1.0"
    paths = resolved(described, described["paths"])
    names = [
        op["operationId"]
        for path in paths.values()
        for op in (path.get("get"), path.get("post"))
        if op
    ]
    assert len(names) == len(set(names)) == len(ENDPOINTS)
    for path in paths.values():
        for name in ("get", "post"):
            if name in path:
                assert {"200", "400", "414"} <= set(path[name]["responses"])


@pytest.mark.slow
def test_answers_match_their_schemas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jsonschema import Draft202012Validator

    custom = f"{user_games.__file__}:Heap"
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    for module in ("app", "catalogue"):
        monkeypatch.setattr(f"solver.web.{module}.NODES", 1500)
    monkeypatch.setattr("solver.games.connect4_search.SLICE", 500)
    solve_file(load_game(custom), None, SolveOptions())
    searched = "connect4:5x4"
    agents = open_agents(["tictactoe", searched, custom], [])
    client, names = Client(create_app(agents)), [agent.game.spec for agent in agents]
    checked = set()
    described = describe(ENDPOINTS, names)
    seen = set()
    for path, operations in resolved(described, described["paths"]).items():
        if path.endswith("/review"):
            for name, moves in product(names, ("1 2 1", "zz")):
                answer = client.post(path.replace("{game}", name), {"moves": moves})
                content = operations["post"]["responses"][str(answer.status)]["content"]
                Draft202012Validator(content["application/json"]["schema"]).validate(answer.json)
        if "get" not in operations or path.endswith(("/picture", "/card")):
            continue
        query = "?name=level:0.5" if path.endswith("/player") else "?"
        for name in names:
            for position in ("", "&position=9", "&position=4", "&position=12", "&position=zz"):
                address = path.replace("{game}", name)
                answer = client.get(address + query + (position if address != path else ""))
                seen.add((name if address != path else "", answer.status))
                content = operations["get"]["responses"][str(answer.status)]["content"]
                schema = content["application/json"]["schema"]
                if (path, answer.status) not in checked:
                    Draft202012Validator.check_schema(schema)
                checked.add((path, answer.status))
                Draft202012Validator(schema).validate(answer.json)
    assert {("", 200), ("tictactoe", 200), ("tictactoe", 400), (searched, 503)} <= seen
    assert {(names[2], 200), (names[2], 404)} <= seen


@pytest.mark.large
@pytest.mark.parametrize("examples", [10])
def test_schemathesis_finds_no_violations(tmp_path: Path, examples: int) -> None:
    tables = [str(table_path(GAMES[0])), *(str(table_path(spec, ".json")) for spec in GAMES[1:])]
    (tmp_path / "schemathesis.toml").write_text(CONFIG)
    options = [word for table in tables for word in ("--table", table)]
    with serving(tmp_path, *options) as live:
        done = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                *("run", f"http://127.0.0.1:{live.port}/api/v1/openapi.json"),
                *("--checks", "all", "--max-examples", str(examples), "--seed", "1", "--no-color"),
            ],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, "\n".join(line[:300] for line in done.stdout.splitlines())
        counts = len(ENDPOINTS), len(ENDPOINTS) - 1  # some versions leave out the description
        assert any(f"{count} selected / {count} total" in done.stdout for count in counts)
        assert live.stop() == (0, "")
