"""The web page and the HTTP API.

A server needs the extra `web`, which installs Starlette and uvicorn; one file does not.

Takes agents and answers HTTP requests. Read `api` first: a function for each endpoint, and the
table of them. A request passes `app`, which checks its head, and finds and calls its endpoint;
`messages` sends the reply, and `server` runs it all. `page/` is the page, `npm/` the package of
perfectplay.js for other pages.
"""
