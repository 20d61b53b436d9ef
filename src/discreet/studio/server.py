"""Serving the page from this machine to this machine, until interrupted."""

from __future__ import annotations

import ipaddress
import os
import socket
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from discreet.errors import InvalidInput
from discreet.studio import PORT
from discreet.studio.app import build


def run(*, host: str, port: int | None, open_browser: bool, say: Callable[[str], None]) -> None:
    """Bind, say the address, open it when asked, and serve."""
    listener = _usual(host) if port is None else _listen(host, port)
    bound = listener.getsockname()[1]
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{bound}/"
    say(f"discreet studio: {address}  (Ctrl+C ends it)")
    if not loopback(host):
        say(
            f"Anyone who can reach this machine can open this page: it listens on {host}, not "
            "only on this machine."
        )
    config = uvicorn.Config(
        build(names(host), ahead=True),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="on",
        limit_concurrency=100,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()


def _usual(host: str) -> socket.socket:
    """Listen on the usual port, or on a free one where another studio has it."""
    try:
        return _listen(host, PORT)
    except InvalidInput as error:
        if error.parameter != "port":
            raise
        return _listen(host, 0)


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise InvalidInput("port", "must be between 0 and 65535", port, remedy="0 picks a free one")
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # an ended studio's port can be used again at once; a running one's cannot be shared
        return socket.create_server(address[:2], family=family)
    except socket.gaierror as error:
        raise InvalidInput("host", f"cannot be found ({error.strerror})", found=host) from None
    except OSError as error:
        # as the system says it: Python adds the address, in brackets of its own
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise InvalidInput(
            "port",
            f"{port} cannot be listened on at {host} ({reason})",
            remedy="choose another, or 0 for a free one",
        ) from None


def loopback(host: str) -> bool:
    """Whether only this machine can reach a host name.

    >>> loopback("127.0.0.1"), loopback("localhost"), loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def names(host: str) -> list[str]:
    """Return the names the page answers to: this machine's own, the one asked for, or any when
    it serves every host.
    """
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared with, not bound to
        return ["*"]
    return ["127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host]
