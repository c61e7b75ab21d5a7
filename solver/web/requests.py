"""Reading what is asked: the query of an address and the body of a request."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from solver.errors import printable
from solver.web.responses import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import Receive, Scope

MOST_FIELDS = 100
LARGEST = 2_000_000  # bytes of a body
DISCARDED = 8_000_000  # bytes of a body too large that are read, so that its sender hears why
SLOWEST = 10.0  # seconds for a body


def read_query(scope: Scope, names: Sequence[str]) -> dict[str, str]:
    """Return the fields of an address's query; raises RefusedError unless it has only these."""
    given: bytes = scope["query_string"]
    if not given:
        return {}
    try:
        pairs = parse_qsl(
            given.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError as error:
        said = "the query is no list of NAME=VALUE in UTF-8, joined by &"
        raise RefusedError(400, said) from error
    found = dict(pairs)
    known = ", ".join(names) or "none"
    for name in found:
        if name not in names:
            said = printable(repr(name), 60)
            raise RefusedError(400, f"there is no parameter {said} here; known are: {known}")
    if len(found) < len(pairs):
        raise RefusedError(400, "a parameter stands twice in the query; give each of them once")
    return found


def whole_number(found: dict[str, str], name: str, default: int, least: int, most: int) -> int:
    """Return a field as a whole number; raises RefusedError unless it is one in the range."""
    text = found.get(name, str(default))
    plain = text.removeprefix("-")
    fits = plain.isascii() and plain.isdigit() and len(plain) <= len(str(max(-least, most)))
    if not (fits and least <= int(text) <= most):
        said = f"{name} is {printable(repr(text), 60)}"
        raise RefusedError(400, f"{said}; it must be a whole number from {least} to {most}")
    return int(text)


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return a body; raises RefusedError if it is too large, or comes too slowly."""
    declared = next((v for k, v in scope["headers"] if k == b"content-length"), b"0")
    size = int(declared) if declared.isdigit() else 0
    parts: list[bytes] = []
    length = 0
    try:
        async with asyncio.timeout(SLOWEST):
            more = size <= DISCARDED
            while more and length <= DISCARDED:
                message = await receive()
                if message["type"] != "http.request":  # the other side has gone
                    raise RefusedError(400, "the body is not whole")
                piece = message.get("body", b"")
                length += len(piece)
                if max(size, length) <= LARGEST:
                    parts.append(piece)
                more = message.get("more_body", False)
    except TimeoutError as error:
        raise RefusedError(
            408, f"the body did not come within {SLOWEST:g} s", connection="close"
        ) from error
    if max(size, length) > LARGEST:
        said = f"the body has more than {LARGEST:,} bytes; send several smaller ones"
        raise RefusedError(413, said, connection="close")
    return b"".join(parts)
