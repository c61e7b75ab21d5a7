"""What stands before all handlers: the length of addresses, headers for safety, and errors."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from solver.errors import printable
from solver.web.responses import RefusedError, refusal, send_reply

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST = 16_000  # bytes of an address
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
CONTENT_POLICY = (b"content-security-policy", POLICY.encode())
ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"cross-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"etag"),
)


class Guard:
    """Wraps an application: bounds what comes in, adds headers to what goes out."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = message["headers"] = [*message["headers"], *ALWAYS]
                if not any(name == CONTENT_POLICY[0] for name, _ in headers):
                    headers.append(CONTENT_POLICY)
            await send(message)

        try:
            if len(scope["path"]) + len(scope["query_string"]) > LONGEST:
                raise RefusedError(414, f"the address has more than {LONGEST:,} characters")
            await self.app(scope, receive, guarded)
        except RefusedError as error:
            await send_reply(refusal(error), scope, guarded)
        except Exception as error:
            said = printable(f"{type(error).__name__}: {error}")
            print(f"perfectplay: an error that should not be: {said}", file=sys.stderr, flush=True)
            if started:
                raise
            told = RefusedError(500, "the server has failed at this; it is not your doing")
            await send_reply(refusal(told), scope, guarded)
