"""The application that a server runs."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from solver.web.catalogue import FIRST, etag_of, tag
from solver.web.description import describe
from solver.web.handlers import Handlers
from solver.web.middleware import Guard
from solver.web.pages import Pages
from solver.web.requests import read_query
from solver.web.responses import ASK, Reply, json_reply
from solver.web.routes import Endpoint, nothing_here, routes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import Receive, Scope

    from solver.agent.agent import TableAgent

WORTHWHILE = 1_000  # bytes from which an answer is compressed


def create_app(agents: Sequence[TableAgent]) -> Starlette:
    """Return the page and the API for some agents, one of them of tic-tac-toe."""
    handlers = Handlers(agents)
    pages = Pages(handlers.games[FIRST].agent)
    told = json_reply(describe(list(handlers.games)))
    told = told._replace(etag=etag_of(tag(hashlib.sha256(told.body).hexdigest())), kept=ASK)

    async def description(scope: Scope, receive: Receive) -> Reply:
        read_query(scope, ())
        return told

    app = Starlette(
        routes=routes(handlers, pages, description),
        middleware=[
            Middleware(Guard),
            Middleware(GZipMiddleware, minimum_size=WORTHWHILE, compresslevel=6),
        ],
    )
    app.router.redirect_slashes = False
    app.router.default = Endpoint(nothing_here)
    return app
