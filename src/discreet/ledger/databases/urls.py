"""URLs of ledgers in PostgreSQL, whose passwords are never shown or written.

libpq finds a password in the environment (PGPASSWORD) or in the password file (~/.pgpass, or
PGPASSFILE), so a URL need not hold one.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from discreet.errors import InvalidInput

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]*)(:[0-9]{1,5})?")

_PLAIN_OPTIONS = frozenset(
    (
        "application_name",
        "channel_binding",
        "client_encoding",
        "connect_timeout",
        "dbname",
        "fallback_application_name",
        "gssdelegation",
        "gssencmode",
        "gsslib",
        "host",
        "hostaddr",
        "keepalives",
        "keepalives_count",
        "keepalives_idle",
        "keepalives_interval",
        "krbsrvname",
        "load_balance_hosts",
        "max_protocol_version",
        "min_protocol_version",
        "options",
        "passfile",
        "port",
        "require_auth",
        "requirepeer",
        "service",
        "servicefile",
        "ssl_max_protocol_version",
        "ssl_min_protocol_version",
        "sslcert",
        "sslcertmode",
        "sslcompression",
        "sslcrl",
        "sslcrldir",
        "sslkey",
        "sslmode",
        "sslnegotiation",
        "sslrootcert",
        "sslsni",
        "target_session_attrs",
        "tcp_user_timeout",
        "user",
    )
)
"""Options of libpq that hold no secret. Any other is left out of what is written, known or not."""

_TYPED = re.compile(
    r"(postgres(?:ql)?:[^\s:@]*:)[^\n@]*(?:@[^\s@]*)*@|(password\s*=\s*)[^\s&'\"]+", re.IGNORECASE
)


_SLIP = re.compile(r"^\s*postgres(ql)?:|://|\bpassword\s*=", re.IGNORECASE)


def is_url(ledger: str) -> bool:
    """Say whether a ledger is given by URL; anything else is a path."""
    return ledger.startswith(("postgresql://", "postgres://"))


def refuse_secret(path: str) -> None:
    """Refuse a path that looks like a mistyped URL, or like libpq's other form of one, without
    showing it.
    """
    if _SLIP.search(path):
        rule = "must be a path or a postgresql:// URL (not shown: it may hold a password)"
        raise InvalidInput("ledger", rule, remedy="write postgresql://user@host/database")


def shown(url: str) -> str:
    """Return the URL as it may be shown, and refuse one whose password might be mistaken for
    something else.

    >>> shown("postgresql://ann:secret@db.example:5433/budgets?sslmode=require")
    'postgresql://ann@db.example:5433/budgets'
    """
    rule = (
        "must be postgresql://user:password@host:port/database (not shown: it may hold a password)"
    )
    remedy = "write special characters in the password as %40 (@), %2F (/), %23 (#), %3F (?)"
    refused = InvalidInput("ledger", rule, remedy=remedy)
    try:
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
    except ValueError:
        raise refused from None
    before, _, hosts = parts.netloc.rpartition("@")
    if "@" in before + parts.path + parts.query or "#" in url or not url.isprintable():
        raise refused
    if not all(_HOST.fullmatch(host) for host in hosts.split(",")):
        raise refused
    user = unquote(before.partition(":")[0]) or options.get("user", "")
    return (
        f"postgresql://{user + '@' if user else ''}{hosts or options.get('host', '')}{parts.path}"
    )


def without_secrets(url: str) -> tuple[str, tuple[str, ...]]:
    """Return a URL without passwords, which is the same ledger where libpq finds them elsewhere,
    and what was left out.

    >>> without_secrets("postgresql://ann:secret@db.example/budgets?sslmode=require&sslpassword=x")
    ('postgresql://ann@db.example/budgets?sslmode=require', ('password', 'sslpassword'))
    """
    shown(url)  # refuses a URL in which a password might be taken for another part
    parts = urlsplit(url)
    before, at, hosts = parts.netloc.rpartition("@")
    user, colon, _ = before.partition(":")
    options = parse_qsl(parts.query, keep_blank_values=True)
    query = urlencode(
        [(name, value) for name, value in options if name in _PLAIN_OPTIONS], quote_via=quote
    )
    left_out = ["password"] * bool(colon) + [
        name for name, _ in options if name not in _PLAIN_OPTIONS
    ]
    plain = f"{parts.scheme}://{user}{at}{hosts}{parts.path}" + (f"?{query}" if query else "")
    return plain, tuple(dict.fromkeys(left_out))


def hidden(text: str) -> str:
    """Return a message that may quote what was typed, with a password in it blotted out.

    >>> hidden("No such command 'postgresql://ann:secret@db.example/budgets'.")
    "No such command 'postgresql://ann:***@db.example/budgets'."
    """
    return _TYPED.sub(lambda found: f"{found[1]}***@" if found[1] else f"{found[2]}***", text)
