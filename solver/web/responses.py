"""Replies and errors: what is sent back, with headers that say how it may be cached."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple

import orjson
from starlette.types import Scope, Send

from solver.errors import PerfectplayError, printable
from solver.version import __version__

JSON = "application/json"
IMMUTABLE = "public, max-age=31536000, immutable"  # follows from the address and the table alone
REVALIDATE = "no-cache"  # cached, revalidated before each use
NO_STORE = "no-store"
LONGEST = 1000  # characters of an error message


class Reply(NamedTuple):
    """A body, a status and headers; `etag` is empty unless clients may cache the reply."""

    body: bytes
    etag: str = ""
    cache_control: str = NO_STORE
    content_type: str = JSON
    status: int = 200
    headers: tuple[tuple[bytes, bytes], ...] = ()


class RequestError(PerfectplayError):
    """The request is answered with an error status; the message says what would be right.

    `known` is what is known of the answer, if anything.
    """

    def __init__(
        self, status: int, message: str, known: dict[str, str] | None = None, **headers: str
    ) -> None:
        super().__init__(message)
        self.status, self.known, self.headers = status, known, headers


def error_reply(error: RequestError) -> Reply:
    """Return an error as JSON, with its message on one line of printable characters."""
    message = printable(" ".join(str(error).split()), LONGEST)
    body = orjson.dumps({"error": message} | ({"known": error.known} if error.known else {}))
    headers = tuple(
        (name.replace("_", "-").encode(), value.encode()) for name, value in error.headers.items()
    )
    return Reply(body, status=error.status, headers=headers)


def to_json(value: Any) -> bytes:
    """Return a value as JSON that may be cached; a lone surrogate in it is escaped.

    The bytes are copied: those of orjson keep a larger buffer alive, kilobytes for each reply.
    """
    try:
        return bytes(memoryview(orjson.dumps(value)))
    except TypeError:  # not UTF-8, as texts from rules may be
        return json.dumps(value, separators=(",", ":")).encode()


def tag_of(digest: str) -> str:
    """Return the tag of all that follows from bytes with this SHA-256 in this version."""
    return f"{digest[:32]}-{__version__}"


def etag_of(tag: str) -> str:
    """Return the ETag header for a tag: weak, as the reply may be sent compressed or not."""
    return f'W/"{tag}"'


def revalidated(reply: Reply) -> Reply:
    """Return a reply that clients may cache and revalidate by the hash of its body."""
    etag = etag_of(tag_of(sha256(reply.body).hexdigest()))
    return reply._replace(etag=etag, cache_control=REVALIDATE)


async def send_reply(reply: Reply, scope: Scope, send: Send) -> None:
    """Send a reply, or status 304 to a client that has cached it."""
    status, body = reply.status, reply.body
    headers = [(b"cache-control", reply.cache_control.encode())]
    if reply.etag:
        headers.append((b"etag", reply.etag.encode()))
    if reply.etag and _is_cached(scope, reply.etag):
        status, body = 304, b""
    elif status != 204:
        headers.append((b"content-type", reply.content_type.encode()))
        headers.append((b"content-length", b"%d" % len(body)))
    headers += reply.headers
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _is_cached(scope: Scope, etag: str) -> bool:
    """Return whether a request's If-None-Match names an ETag, compared as weak ones are."""
    wanted = etag.removeprefix("W/")
    return any(
        each.strip().removeprefix("W/") in (wanted, "*")
        for name, value in scope["headers"]
        if name == b"if-none-match"
        for each in value.decode("latin-1").split(",")
    )
