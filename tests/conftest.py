"""What every test shares: optional components are required in full runs and skipped, with the reason, in light ones."""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from tests import scheduling
from tests.amounts import (
    FULL,
    SECTION,
    SERVERS,
    SLOW,
    has_databases_of_its_own,
    is_long,
    tries,
    two_of_each,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

# A width that the shell exports, or that the library readline puts into the environment of processes started here,
# must not fold what tests compare.
with contextlib.suppress(ImportError):
    import readline  # noqa: F401
os.environ.pop("COLUMNS", None)
os.unsetenv("COLUMNS")

# Speed belongs in bench/, so no example has a deadline; in CI the examples are the same every time.
settings.register_profile(
    "discreet",
    deadline=None,
    derandomize="CI" in os.environ,
    max_examples=tries(40),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("discreet")


def _missing(what: str) -> str:
    """Say what is missing for a component, or nothing."""
    modules = {
        "tables": ("duckdb", "pyarrow"),
        "plots": ("altair", "vl_convert"),
        "pandas": ("pandas",),
        "polars": ("polars",),
        "spark": ("pyspark", "pandas"),
        "postgres": ("psycopg",),
        "studio": ("starlette", "uvicorn", "jinja2", "altair", "vl_convert"),
        "browser": ("playwright", "axe_playwright_python", "starlette", "uvicorn"),
        "docs": ("mkdocs",),
        "opendp": ("opendp",),
        "notebook": (
            "nbclient",
            "ipykernel",
            "ipywidgets",
            "duckdb",
            "pyarrow",
            "altair",
            "vl_convert",
        ),
        "clock": (),
    }[what]
    absent = [name for name in modules if importlib.util.find_spec(name) is None]
    if absent:
        return f"Python package {absent[0]}"
    if what == "spark" and not shutil.which("java"):
        return "a Java runtime"
    if what == "browser" and not shutil.which("chromium"):
        return "Chromium"
    if what == "postgres" and not list(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        return "a PostgreSQL server"
    if what == "clock" and not list(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")):
        return "libfaketime"
    return ""


def require(what: str) -> None:
    """Skip the calling test or module when a component is missing; fail instead when DISCREET_FULL=1."""
    if missing := _missing(what):
        message = f"component missing: {what} needs {missing}"
        if FULL:
            pytest.fail(message, pytrace=False)
        pytest.skip(message, allow_module_level=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """With several processes, hand out tests by groups."""
    return scheduling.scheduler(config, log)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """In a quick run, do not even read long modules that nobody named: reading takes as long as many tests."""
    named = any(word.partition("::")[0].endswith(collection_path.name) for word in config.args)
    return True if is_long(collection_path) and not named and _leaves_out_slow(config) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while the tests are read, and look through what was read no more: it stays to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(
            50_000, 20, 20
        )  # after every 700 objects it takes a twentieth of the whole run
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """With several processes, tell the first one only what it shows: five messages a test take as long as many tests."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration > 1:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_sessionfinish() -> None:
    """What stayed to the end may go: some libraries complain on their way out of what is left of them."""
    gc.unfreeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests to `make test`, so that a bare `pytest` answers soon; with several processes, the longest begin."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: scheduling.order(item.nodeid))  # the same in every process
    for item in items:
        if not SERVERS.isdisjoint(item.keywords) or (config.option.markexpr and is_long(item.path)):
            item.add_marker("slow")
    if not _leaves_out_slow(config):
        return
    # left out here and not skipped one by one: hundreds of skipped tests take seconds to report
    quick = [item for item in items if "slow" not in item.keywords]
    if SECTION:
        chosen = two_of_each(item.nodeid for item in quick)
        quick = [item for item in quick if item.nodeid in chosen]
    kept = set(quick)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = quick


def _leaves_out_slow(config: pytest.Config) -> bool:
    """Whether slow tests stay out: not where they are asked for, by a mark or by name."""
    return not (SLOW or config.option.markexpr or any("::" in word for word in config.args))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was left out."""
    if _leaves_out_slow(config):
        terminalreporter.write_line(
            "Slow tests were left out: `make test` runs them (DISCREET_SLOW=1)."
        )


from tests.ledger.places import place, postgres, postgres_server, victims  # noqa: F401 - fixtures; they need `require`


@pytest.fixture(autouse=True, scope="session")
def designs_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests' designs out of the user's own cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCREET_CACHE", str(tmp_path_factory.mktemp("designs")))
        yield


@pytest.fixture(autouse=True, scope="module")
def one_database_for_small_releases(request: pytest.FixtureRequest) -> Iterator[None]:
    """Open no database for every release, but in some modules of a full run: there each has its own, as in use."""
    if _missing("tables") or (SLOW and has_databases_of_its_own(request.path)):
        yield
        return
    from tests.databases import one_database

    with one_database():
        yield
