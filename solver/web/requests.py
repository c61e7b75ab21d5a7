"""Parsing requests: the query of an address, and the body within limits of size and time."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.types import Receive, Scope

from solver.errors import printable
from solver.web.responses import RequestError

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
            unknown, known = printable(repr(name), 60), ", ".join(names) or "none"
            raise RequestError(400, f"unknown parameter {unknown}; the parameters are: {known}")
    if len(query) < len(pairs):
        raise RequestError(400, "the query repeats a parameter; give each one once")
    return query


def parse_integer(name: str, text: str, least: int, most: int) -> int:
    """Return a parameter's text as an integer; raises RequestError unless it is in the range."""
    digits = text.removeprefix("-")
    valid = digits.isascii() and digits.isdigit() and len(digits) <= len(str(max(-least, most)))
    if not (valid and least <= int(text) <= most):
        found = printable(repr(text), 60)
        raise RequestError(400, f"{name} is {found}; it must be an integer from {least} to {most}")
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
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"the body is not JSON: {error}; expected {example}") from error
