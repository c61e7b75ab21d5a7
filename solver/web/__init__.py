"""The web page and the HTTP API, with Starlette and uvicorn, which the extra `web` installs.

The files follow the path of a request: `protocol` takes it from the network, `guard` bounds it,
`routes` finds its handler, `requests` reads it, `served` has the tables, `solver.answers` answers
and `replies` sends it back.
"""

from __future__ import annotations

try:
    import httptools  # noqa: F401
    import starlette  # noqa: F401
    import uvicorn  # noqa: F401 -- all three, to see that they are there
except ImportError as error:
    raise ImportError(
        "serving needs Starlette, uvicorn and httptools: pip install 'perfectplay[web]'"
    ) from error
