"""Which address leads to which handler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from solver.web.responses import RefusedError, Reply, refusal, send_reply

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import Receive, Scope, Send

    from solver.web.handlers import Handlers
    from solver.web.pages import Pages

    Handler = Callable[[Scope, Receive], Awaitable[Reply]]

PREFIX = "/api/v1"
READS = ("GET", "HEAD", "OPTIONS")
ASKS = ("POST", "OPTIONS")


class Endpoint:
    """An address: hands a request to its handler, and sends the reply or the error."""

    def __init__(self, handler: Handler, methods: tuple[str, ...] = READS) -> None:
        self.handler, self.methods = handler, methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        allowed = ", ".join(self.methods)
        try:
            if scope["method"] not in self.methods:
                message = f"{scope['method'][:20]} is not for this address; it takes {allowed}"
                raise RefusedError(405, message, allow=allowed)
            if scope["method"] == "OPTIONS":
                reply = preflight(allowed)
            else:
                reply = await self.handler(scope, receive)
        except RefusedError as error:
            reply = refusal(error)
        await send_reply(reply, scope, send)


def preflight(allowed: str) -> Reply:
    """Return what tells a browser that pages from elsewhere may ask."""
    more = (
        (b"allow", allowed.encode()),
        (b"access-control-allow-methods", allowed.encode()),
        (b"access-control-allow-headers", b"content-type, if-none-match"),
        (b"access-control-max-age", b"86400"),
    )
    return Reply(b"", status=204, more=more)


async def nothing_here(scope: Scope, receive: Receive) -> Reply:
    """Refuse an address that leads nowhere."""
    raise RefusedError(404, f"there is nothing here; the API is described at {PREFIX}/openapi.json")


def routes(handlers: Handlers, pages: Pages, description: Handler) -> list[Route]:
    """Return the routes, the more special ones first."""
    game = f"{PREFIX}/{{game:path}}"
    found: list[tuple[str, Handler, tuple[str, ...]]] = [
        ("/healthz", handlers.health, READS),
        (f"{PREFIX}/openapi.json", description, READS),
        (f"{PREFIX}/games", handlers.all_games, READS),
        (f"{game}/line", handlers.line, READS),
        (f"{game}/explain", handlers.explain, READS),
        (f"{game}/player", handlers.player, READS),
        (f"{game}/puzzles", handlers.puzzles, READS),
        (f"{game}/map", handlers.map, READS),
        (f"{game}/batch", handlers.batch, ASKS),
        (game, handlers.best, READS),
        ("/", pages.file, READS),
        ("/{name}", pages.file, READS),
    ]
    return [Route(path, Endpoint(handler, methods)) for path, handler, methods in found]
