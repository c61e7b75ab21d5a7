"""The web page and the HTTP API; needs the extra `web`, which installs Starlette and uvicorn.

Takes agents and answers HTTP requests. Read `api` first: a function for each endpoint, and the
table of them. A request passes `app`, which checks its head, and finds and calls its endpoint;
`messages` sends the reply, and `server` runs it all. `page/` is the page, `npm/` the package of
perfectplay.js for other pages.
"""

from __future__ import annotations

from solver.errors import needs_extra

with needs_extra("serving", "web"):
    import httptools  # noqa: F401
    import starlette  # noqa: F401
    import uvicorn  # noqa: F401 -- imported to check that all three are installed
