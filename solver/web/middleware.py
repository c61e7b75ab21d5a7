"""What every request passes first: checks of its head, security headers, internal errors."""

from __future__ import annotations

import base64
import sys
from hashlib import sha256

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from solver.errors import described, printable
from solver.web.messages import RequestError, error_reply, send_reply

MAX_ADDRESS = 16_000  # bytes, as sent
MAX_HEADERS = 64_000  # bytes of their lines, as sent
CLIENT_LEFT = "the handler is closed"  # how uvloop says that a connection ended during an answer
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
CONTENT_POLICY = (b"content-security-policy", POLICY.encode())
SECURITY = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"cross-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"etag"),
)


class Guard:
    """ASGI middleware that checks requests, adds security headers and catches all errors."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = message["headers"] = [*message["headers"], *SECURITY]
                if not any(name == CONTENT_POLICY[0] for name, _ in headers):
                    headers.append(CONTENT_POLICY)
            await send(message)

        try:
            _check_head(scope)
            await self.app(scope, receive, send_guarded)
        except RequestError as error:
            await send_reply(error_reply(error), scope, send_guarded)
        except Exception as error:
            cause = printable(described(error))
            if not (started and CLIENT_LEFT in cause):
                print(f"perfectplay: internal server error: {cause}", file=sys.stderr, flush=True)
            if started:
                raise
            reply = error_reply(RequestError(500, "internal server error"))
            await send_reply(reply, scope, send_guarded)


def source_of(script: str) -> str:
    """Return how a policy names a script, or styles, by their hash."""
    return f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"


def _check_head(scope: Scope) -> None:
    """Raise RequestError if the address or the headers are too long, or the Host is not one."""
    query, headers = scope["query_string"], scope["headers"]
    if len(scope["raw_path"]) + bool(query) + len(query) > MAX_ADDRESS:
        raise RequestError(414, f"the address has more than {MAX_ADDRESS:,} characters")
    if sum(len(name) + len(value) + len(b": \r\n") for name, value in headers) > MAX_HEADERS:
        raise RequestError(431, f"the headers have more than {MAX_HEADERS:,} bytes")
    hosts = sum(name == b"host" for name, _ in headers)
    if hosts > 1 or (not hosts and scope["http_version"] != "1.0"):
        raise RequestError(400, f"the request has {hosts} Host headers; it must have one")
