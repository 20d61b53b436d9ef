"""The web application: one page whose address is its state, its parts, and the files to take away.

Everything is a GET that reads nothing but its own query and changes nothing. There is no place to send data to,
so private data cannot be loaded. The content policy forbids the browser to fetch anything from elsewhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from discreet import __version__
from discreet.errors import DiscreetError
from discreet.properties import PROPERTIES
from discreet.studio import controls
from discreet.studio.downloads import FILES
from discreet.studio.lines import python_lines, shell_line
from discreet.studio.pathologies import gallery
from discreet.studio.settings import MOST_PINS, RIVALS, Reading, Setting, read_query, read_setting
from discreet.studio.view import View, objective, pinned, see, title_of

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

_pages = Environment(
    loader=PackageLoader("discreet.studio"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_pages.filters["percent"] = lambda value: f"{value:.1%}"


def _read(request: Request) -> Reading:
    return read_setting(read_query(request.query_params.multi_items()))


def _view(reading: Reading, *, quick: bool) -> tuple[Reading, View | None]:
    """Work the screen out; what the designer refuses is said at the foot of the controls."""
    if not reading.valid:
        return reading, None
    try:
        return reading, see(reading, quick=quick)
    except DiscreetError as error:
        refused = Reading(setting=reading.setting, n=reading.n, privacy=reading.privacy, errors={"design": str(error)})
        return refused, None


def _render(request: Request, template: str, *, quick: bool = False) -> HTMLResponse:
    reading, view = _view(_read(request), quick=quick)
    setting = reading.setting
    words: dict[str, Any] = {
        "version": __version__,
        "setting": setting,
        "reading": reading,
        "errors": reading.errors,
        "view": view,
        "quick": quick,
        "properties": PROPERTIES,
        "rivals": RIVALS,
        "losses": controls.losses(setting.loss),
        "priors": controls.PRIORS,
        "slider": controls.privacy_slider(setting, reading.privacy),
        "sizes": controls.SIZES,
        "other_unit": controls.other_unit(setting, reading.privacy),
        "query": setting.query(),
        "address": f"{request.base_url}?{setting.query()}",
        "objective": objective(setting),
        "python": python_lines(reading) if view else "",
        "shell": shell_line(reading) if view else "",
        "pin": setting.but(pins=(*setting.pins, setting.query(pins=False))).query() if view else "",
        "pin_title": title_of(reading) if view else "",
        "pinned": pinned(setting) if template == "page.html" else [],
        "most_pins": MOST_PINS,
        "is_pinned": setting.query(pins=False) in setting.pins,
        "gallery": gallery(),
        "start": Setting().query(),
    }
    return HTMLResponse(_pages.get_template(template).render(words), headers=_HEADERS)


def page(request: Request) -> Response:
    """Return the page for a setting; the worked example when there is none."""
    return _render(request, "page.html", quick=request.headers.get("x-part") == "screen")


def rest(request: Request) -> Response:
    """Return what takes longest, for a page that already shows the picture: prices and the recommendation."""
    return _render(request, "rest.html")


def download(request: Request) -> Response:
    """Return one of the files for a setting, or the library's words on why there is none."""
    name = request.path_params["name"]
    if name not in FILES:
        return Response("no such file", status_code=404, headers=_HEADERS)
    kind, make = FILES[name]
    reading = _read(request)
    try:
        if not reading.valid:
            return Response(next(iter(reading.errors.values())), status_code=400, headers=_HEADERS)
        data = make(reading)
    except DiscreetError as error:
        return Response(str(error), status_code=400, headers=_HEADERS)
    return Response(
        data, media_type=kind, headers={**_HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    )


def build(hosts: list[str]) -> Starlette:
    """Return the application; it answers only under the names given, so that no web site can reach it by another."""
    return Starlette(
        routes=[
            Route("/", page),
            Route("/rest", rest),
            Route("/files/{name}", download),
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)],
    )
