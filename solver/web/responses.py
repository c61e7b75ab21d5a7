"""What is sent back: JSON, pictures and pages, each with how long it may be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from solver.errors import printable

if TYPE_CHECKING:
    from starlette.types import Scope, Send

JSON = "application/json"
FOREVER = "public, max-age=31536000, immutable"  # what follows from the address and the table
ASK = "no-cache"  # kept, but asked about before each use
NEVER = "no-store"
LONGEST = 1000  # characters of an error


class Reply(NamedTuple):
    """A status, a body and headers; `etag` is empty where nothing is kept."""

    body: bytes
    etag: str = ""
    kept: str = NEVER
    kind: str = JSON
    status: int = 200
    more: tuple[tuple[bytes, bytes], ...] = ()


class RefusedError(Exception):
    """A request is answered with an error: a status, what is wrong and what would be right."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status, self.headers = status, headers


def refusal(error: RefusedError) -> Reply:
    """Return the reply that tells of an error, in one line of printable characters."""
    body = orjson.dumps({"error": printable(" ".join(str(error).split()), LONGEST)})
    more = tuple((name.encode(), value.encode()) for name, value in error.headers.items())
    return Reply(body, status=error.status, more=more)


def encoded(value: Any) -> bytes:
    """Return a value as JSON, in no more memory than it needs.

    What orjson returns holds on to some kilobytes, which add up where answers are kept.
    """
    return bytes(memoryview(orjson.dumps(value)))


def json_reply(value: Any, etag: str = "", kept: str = NEVER) -> Reply:
    """Return a reply of JSON."""
    return Reply(encoded(value), etag, kept)


async def send_reply(reply: Reply, scope: Scope, send: Send) -> None:
    """Send a reply, or only that what the other side has kept is still right."""
    status, body = reply.status, reply.body
    headers = [(b"cache-control", reply.kept.encode())]
    if reply.etag:
        headers.append((b"etag", reply.etag.encode()))
    if reply.etag and _has(scope, reply.etag):
        status, body = 304, b""
    elif status != 204:
        headers.append((b"content-type", reply.kind.encode()))
        headers.append((b"content-length", b"%d" % len(body)))
    headers += reply.more
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _has(scope: Scope, etag: str) -> bool:
    """Return whether the other side says that it has what a tag stands for."""
    for name, value in scope["headers"]:
        if name == b"if-none-match":
            tags = value.decode("latin-1").split(",")
            plain = etag.removeprefix("W/")
            if any(tag.strip().removeprefix("W/") in (plain, "*") for tag in tags):
                return True
    return False
