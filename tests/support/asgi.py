"""Calls an application as a server does, without a network."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple
from urllib.parse import unquote, urlencode

from starlette.types import ASGIApp, Message


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        """The message of an error, an object with one field."""
        assert self.headers["content-type"] == "application/json"
        assert self.headers["cache-control"] == "no-store"
        assert list(self.json) == ["error"]
        message: str = self.json["error"]
        assert message.isprintable()
        assert "Traceback" not in message
        assert "/work" not in message
        return message


class Client:
    """Sends requests to an application, each in a new event loop unless a runner is given."""

    def __init__(
        self, app: ASGIApp, runner: asyncio.Runner | None = None, leaves: bool = False
    ) -> None:
        self.app, self.leaves = app, leaves
        self.run = asyncio.run if runner is None else runner.run

    def send(
        self, method: str, path: str, body: bytes = b"", pieces: int = 1, **headers: str
    ) -> Answer:
        headers = {"host": "x", **headers}
        sent = [(k.replace("_", "-").encode(), v.encode("latin-1")) for k, v in headers.items()]
        return self.run(self.ask(method, path, sent, body, pieces))

    async def ask(
        self,
        method: str,
        path: str,
        headers: list[tuple[bytes, bytes]],
        body: bytes = b"",
        pieces: int = 1,
        version: str = "1.1",
    ) -> Answer:
        """Answer a request with exactly these headers, in the event loop that runs."""
        where, _, query = path.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "path": unquote(where),
            "raw_path": where.encode("latin-1"),
            "query_string": query.encode("latin-1"),
            "headers": headers,
            "root_path": "",
            "scheme": "http",
            "http_version": version,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        size = -(-len(body) // pieces) or 1
        parts = [body[i : i + size] for i in range(0, len(body), size)] or [b""]
        messages: list[Message] = []

        async def receive() -> Message:
            if not parts and not self.leaves:
                await asyncio.Event().wait()
            if not parts:
                return {"type": "http.disconnect"}
            part = parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(parts)}

        async def take(message: Message) -> None:
            messages.append(message)

        await self.app(scope, receive, take)
        start = messages[0]
        known = {k.decode(): v.decode() for k, v in start["headers"]}
        assert len(known) == len(start["headers"]), "a header is repeated"
        return Answer(start["status"], known, b"".join(m.get("body", b"") for m in messages[1:]))

    def get(self, path: str, *, asked: dict[str, str] | None = None, **headers: str) -> Answer:
        return self.send("GET", path + ("?" + urlencode(asked) if asked else ""), b"", 1, **headers)

    def post(self, path: str, value: Any, **headers: str) -> Answer:
        return self.send("POST", path, json.dumps(value).encode(), 1, **headers)
