"""The web application: the story, the instrument whose address is its state, its parts, and the
files to take away.

Everything is a GET that reads nothing but its own query and changes nothing. There is no place to
send data to, so private data cannot be loaded. The content security policy forbids the browser to
fetch anything from elsewhere. Every request is bounded in size and in time, and work that nobody is
waiting for any more is stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from discreet.show.typeface.faces import FOLDER
from discreet.studio.settings import TABLE, Setting, read_text
from discreet.studio.telling.stories import OPENING_TABLE, STORIES
from discreet.studio.work.answering import LOST, PAGES, PARTS, Answer, Question
from discreet.studio.work.pool import Busy, GivenUp, Pool

MOST_QUERY = 30_000
"""Characters of a query: six pins that each carry a prior of their own fit."""

GRACE = 1.0
"""Seconds that work may go on after the browser has left: ending a process costs about as much
as it saves.
"""

PATIENCE = 3.0
"""Seconds that one price may take before it says so; whoever wants it then asks again and waits."""

AHEAD = (OPENING_TABLE, STORIES["team"].setting)
"""The tables whose plans the page can open with; that of five marks takes a design of its own."""

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src "
    "'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


async def page(request: Request) -> Response:
    """Return the page for a setting; the story when there is none."""
    if not request.url.query:
        return await _respond(request, "story")
    part = "screen" if request.headers.get("x-part") == "screen" else "page"
    return await _respond(request, part, detail=request.query_params.get("prices", ""))


async def part_of_page(request: Request) -> Response:
    """Return a price, the recommendation, draws or exact chances, for a page that already shows
    the picture.
    """
    part = str(request.path_params["part"])
    if part not in PARTS:
        return _response(LOST)
    seconds = (
        PATIENCE if part in ("price", "advice") and "long" not in request.query_params else None
    )
    detail = str(request.path_params.get("detail", ""))
    if known := _known(request, part, detail):
        return _response(known)
    return await _respond(request, part, detail=detail, seconds=seconds)


async def download(request: Request) -> Response:
    """Return one of the files for a setting, or the library's words on why there is none."""
    name = str(request.path_params["name"])
    return await _respond(request, "" if name in (*PAGES, *PARTS) else name)


async def _respond(
    request: Request, part: str, *, detail: str = "", seconds: float | None = None
) -> Response:
    """Answer a question, as long as the browser waits for it."""
    query = str(request.url.query)
    if len(query) > MOST_QUERY:
        return _response(
            Answer.text(f"an address may carry at most {MOST_QUERY:,} characters here", 414)
        )
    question = Question(part=part, query=query, base=str(request.base_url), detail=detail)
    work = asyncio.ensure_future(_worked_out(request.app.state.pool, question, seconds))
    gone = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({work}, timeout=GRACE)
        if not work.done():
            return _response(Answer.text("nobody waited for this", 503))
        found = await work
        if part in ("story", *PAGES) and request.app.state.ahead and not request.app.state.planning:
            request.app.state.planning = asyncio.ensure_future(_plan_ahead(request.app))
        saved = found.status == 200 and part not in (*PAGES, *PARTS)
        return _response(
            found, {"Content-Disposition": f'attachment; filename="{part}"'} if saved else {}
        )
    finally:
        for task in (work, gone):
            task.cancel()
        await asyncio.gather(work, gone, return_exceptions=True)


async def _plan_ahead(app: Starlette) -> None:
    """Work out the plans that the page can open with, once somebody has a page: there when they
    turn to them.
    """
    for setting in AHEAD:
        with contextlib.suppress(GivenUp):
            question = Question(part="table", query=setting.query(), base="")
            app.state.plans[_table_of(setting)] = await app.state.pool.ask(question)


def _known(request: Request, part: str, detail: str) -> Answer | None:
    """Return a plan that was worked out ahead, if that is asked for and there; nothing has to
    come before it.
    """
    if part != "table" or len(request.url.query) > MOST_QUERY:
        return None
    known: Answer | None = request.app.state.plans.get(_table_of(read_text(str(request.url.query))))
    return Answer(body=b"") if known and detail else known


def _table_of(setting: Setting) -> tuple[object, ...]:
    """All that the plan of a table depends on."""
    return (
        *setting.table_price,
        *(getattr(setting, name) for name in TABLE if name != "table_epsilon"),
    )


async def _worked_out(pool: Pool, question: Question, seconds: float | None) -> Answer:
    """Return the answer, or one that says why there is none and which line computes it."""
    try:
        return await pool.ask(question, seconds)
    except Busy as why:
        return Answer.text(str(why), 503)
    except GivenUp as why:
        with contextlib.suppress(GivenUp):
            return await pool.ask(replace(question, given_up=str(why)))
        return Answer.text(str(why), 503)


async def _left(request: Request) -> None:
    """Return when the browser has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def letters(request: Request) -> Response:
    """Return the letters of the page."""
    return FileResponse(FOLDER / "inter.woff2", media_type="font/woff2")


async def lost(request: Request, why: Exception) -> Response:
    """Say that there is nothing here, and where the page is."""
    return _response(LOST)


def _response(answer: Answer, more: dict[str, str] | None = None) -> Response:
    headers = {**_HEADERS, **(more or {}), "Content-Type": answer.kind}
    return Response(answer.body, status_code=answer.status, headers=headers)


def build(hosts: list[str], pool: Callable[[], Pool] = Pool, *, ahead: bool = False) -> Starlette:
    """Return the application; it answers only under the names given, so that no web site can reach
    it by another.

    With `ahead`, the plans that the page can open with are worked out before anybody asks for them.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.ahead, app.state.planning, app.state.plans = ahead, None, {}
        async with pool() as app.state.pool:
            yield
            if app.state.planning:
                app.state.planning.cancel()
                await asyncio.gather(app.state.planning, return_exceptions=True)

    return Starlette(
        routes=[
            Route("/", page),
            Route("/files/{name}", download),
            Route("/static/inter.woff2", letters),
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
            Route("/{part}", part_of_page),
            Route("/{part}/{detail}", part_of_page),
        ],
        exception_handlers={404: lost},
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)],
        lifespan=lifespan,
    )
