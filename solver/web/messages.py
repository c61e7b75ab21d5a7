"""HTTP messages: the parsing of requests, within limits of size and time; replies and errors.

The headers of a reply say how it may be cached.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Collection
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl

from solver.errors import PerfectplayError, printable
from solver.json_bytes import dumps
from solver.version import __version__

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

JSON = "application/json"
IMMUTABLE = "public, max-age=31536000, immutable"  # follows from the address and the table alone
REVALIDATE = "no-cache"  # cached, revalidated before each use
NO_STORE = "no-store"
LONGEST = 1000  # characters of an error message


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
CONTENT_POLICY = (b"content-security-policy", POLICY.encode())


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
    body = dumps({"error": message} | ({"known": error.known} if error.known else {}))
    headers = tuple(
        (name.replace("_", "-").encode(), value.encode()) for name, value in error.headers.items()
    )
    return Reply(body, status=error.status, headers=headers)


def to_json(value: Any) -> bytes:
    """Return a value as JSON that may be cached; a lone surrogate in it is escaped.

    The bytes are copied: those of orjson keep a larger buffer alive, kilobytes for each reply.
    """
    try:
        return bytes(memoryview(dumps(value)))
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


MAX_PARAMETERS = 100
MAX_BODY = 2_000_000  # bytes
MAX_DISCARDED = 8_000_000  # bytes of a larger body that are read, so that its sender gets the error
BODY_SECONDS = 10.0


def read_query(scope: Scope, names: Collection[str]) -> dict[str, str]:
    """Return the parameters of a query; raises RequestError if it has others than these."""
    raw: bytes = scope["query_string"]
    if not raw:
        return {}
    try:
        pairs = parse_qsl(
            raw.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MAX_PARAMETERS,
        )
    except ValueError as error:
        message = "the query must be NAME=VALUE pairs in UTF-8, joined by &"
        raise RequestError(400, message) from error
    query = dict(pairs)
    for name in query:
        if name not in names:
            unknown, right = printable(repr(name), 60), ", ".join(names) or "none"
            raise RequestError(400, f"unknown parameter {unknown}; the parameters are: {right}")
    if len(query) < len(pairs):
        raise RequestError(400, "the query repeats a parameter; give each one once")
    return query


def parse_integer(name: str, text: str, least: int, most: int) -> int:
    """Return a parameter's text as an integer; raises RequestError unless it is in the range."""
    digits = text.removeprefix("-")
    valid = digits.isascii() and digits.isdigit() and len(digits) <= len(str(max(-least, most)))
    if not (valid and least <= int(text) <= most):
        given = printable(repr(text), 60)
        raise RequestError(400, f"{name} is {given}; it must be an integer from {least} to {most}")
    return int(text)


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the body; raises RequestError if it is too large or arrives too slowly."""
    declared = next((v for k, v in scope["headers"] if k == b"content-length"), b"0")
    size = int(declared) if declared.isdigit() else 0
    parts: list[bytes] = []
    length = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            more = size <= MAX_DISCARDED
            while more and length <= MAX_DISCARDED:
                event = await receive()
                if event["type"] != "http.request":  # the client has disconnected
                    raise RequestError(400, "the body is incomplete")
                part = event.get("body", b"")
                length += len(part)
                if max(size, length) <= MAX_BODY:
                    parts.append(part)
                more = event.get("more_body", False)
    except TimeoutError as error:
        message = f"the body did not arrive within {BODY_SECONDS:g} s"
        raise RequestError(408, message, connection="close") from error
    if max(size, length) > MAX_BODY:
        message = f"the body has more than {MAX_BODY:,} bytes; split it into several requests"
        raise RequestError(413, message, connection="close")
    return b"".join(parts)


def parse_json(body: bytes, example: str) -> Any:
    """Return the JSON value in a body; raises ValueError, with an example of a body."""
    import orjson  # here, since only a server needs it

    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"the body is not JSON: {error}; expected {example}") from error


def source_of(script: str) -> str:
    """Return how a policy names a script, or styles, by their hash."""
    return f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"
