"""The log of releases as JSON lines, for whoever collects logs.

Releases tell Python's logging, as the logger "discreet", when they start, spend, publish and end,
or fail (see `Reporter.log`). `JsonLines` formats these records, and any others, one JSON object a
line:

    import logging
    from discreet.tables.jobs.logs import JsonLines

    handler = logging.FileHandler("releases.log")
    handler.setFormatter(JsonLines())
    logging.getLogger("discreet").addHandler(handler)
    logging.getLogger("discreet").setLevel(logging.INFO)

`logging_to` does that for as long as a command runs.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from discreet.errors import DiscreetError, InvalidInput


class JsonLines(logging.Formatter):
    """One JSON object a line: the time in UTC, the level, the event and its facts; the message of
    other records.

    >>> about = {
    ...     "msg": "start: release 3f",
    ...     "levelname": "INFO",
    ...     "created": 0,
    ...     "discreet": {"event": "start"},
    ... }
    >>> JsonLines().format(logging.makeLogRecord(about))
    '{"time": "1970-01-01T00:00:00.000+00:00", "level": "INFO", "event": "start"}'
    """

    def format(self, record: logging.LogRecord) -> str:
        """Write one record."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        facts = getattr(record, "discreet", None) or {"message": record.getMessage()}
        return json.dumps({"time": time, "level": record.levelname, **facts})


@contextmanager
def logging_to(path: str) -> Iterator[None]:
    """Append the log of what is done inside to a file, as JSON lines; "-" is standard error."""
    logger, level = logging.getLogger("discreet"), logging.getLogger("discreet").level
    try:
        handler = (
            logging.StreamHandler() if path == "-" else logging.FileHandler(path, encoding="utf-8")
        )
    except OSError as error:
        raise InvalidInput("log", f"cannot be written ({error.strerror})", found=path) from None
    handler.setFormatter(JsonLines())
    failures: list[logging.LogRecord] = []

    def noted(record: logging.LogRecord) -> bool:
        failures.extend([record] if record.levelno >= logging.ERROR else [])
        return True

    handler.addFilter(noted)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    except DiscreetError as error:
        if not failures:  # refused before it began
            logger.error(
                "fail: error %s",
                error.code,
                extra={"discreet": {"event": "fail", "error": error.code}},
            )
        raise
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        handler.close()
