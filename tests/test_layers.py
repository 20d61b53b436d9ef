"""Imports go one way, and `import discreet` stays light."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from tests.conftest import require
from tests.source import SOURCE, texts, trees

import discreet

# From the bottom up: a part may import parts on its own line or on lines above it, never below.
LAYERS = [
    {"errors", "near_files", "already_there", "odds", "extras", "core.progress", "core.domains"},
    {"core.rationals"},
    {"core.histogram", "core.exchange.near_floats"},
    {"core.forms.orbits"},
    {"core.properties", "core.losses"},
    {"core.own_rows"},
    {"core.certificate", "core.forms"},
    {"core.mechanism", "core.exchange"},
    {"core.named", "core.transforms", "core.family"},
    {"proof"},
    {"designer"},
    {"choosing"},
    {"sampler"},
    {"ledger"},
    {"tables"},
    {"reading"},
    {"show"},
    {"reporting"},
    {"auditing"},
    {"paper"},
    {"studio"},
    {"cli"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
LIGHT = {"core", "errors", "proof"}
HEAVY = {
    "numpy",
    "highspy",
    "flint",
    "cryptography",
    "duckdb",
    "pyarrow",
    "pandas",
    "polars",
    "altair",
    "pyspark",
    "starlette",
    "uvicorn",
    "jinja2",
    "rich",
    "click",
}

# Methods that reach forward on purpose; they import when called.
FORWARD = {
    "core.mechanism": {"sampler", "proof", "reading", "show"},
    "core.exchange": {"show"},
    "designer": {"sampler", "show"},
    "choosing": {"reading", "show"},
    "tables": {"reading", "show"},
    "reading": {"show"},
    "auditing": set(),
}


def part_of(module: str) -> str:
    """The part of the house a dotted name belongs to: core is told apart by module, the rest by room."""
    parts = module.split(".")
    if ".".join(parts[:3]) in LEVEL:  # a module of a room in core with a place of its own
        return ".".join(parts[:3])
    return ".".join(parts[:2]) if parts[0] == "core" and len(parts) > 1 else parts[0]


def modules():
    for path in texts():
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts[-1] != "__main__" and parts not in (("__init__",), ("core", "__init__")):
            yield path, part_of(".".join(parts))


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def statements(tree: ast.Module, *, module_level: bool) -> Iterator[ast.stmt]:
    """Every statement of a module, leaving out what only the type checker sees; expressions are not gone through."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, ast.stmt):
                yield child
            for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            later = module_level and isinstance(child, FUNCTIONS)
            if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)) and not later:
                waiting.append(ast.Module(child.orelse, []) if for_types else child)


def names_imported(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """Top-level names that statements import."""
    found = set()
    for one in statements:
        if isinstance(one, ast.Import):
            found.update(alias.name for alias in one.names)
        elif isinstance(one, ast.ImportFrom) and one.module and one.level == 0:
            found.add(one.module)
            if one.module == "discreet":
                found.update(f"discreet.{alias.name}" for alias in one.names)
    return frozenset(found)


@dataclass(frozen=True)
class Facts:
    """What the tests below ask of a module, so that each is parsed once."""

    imports: frozenset[str]
    imports_at_once: frozenset[str]


@cache
def facts() -> dict[Path, Facts]:
    """The facts of every module."""
    found = {}
    for path, tree in trees():
        inside = list(statements(tree, module_level=False))
        at_once = names_imported(statements(tree, module_level=True))
        found[path] = Facts(names_imported(inside), at_once)
    return found


def imported(path: Path, *, module_level: bool) -> frozenset[str]:
    return facts()[path].imports_at_once if module_level else facts()[path].imports


def test_imports_go_one_way():
    wrong = []
    for path, part in modules():
        assert part in LEVEL, f"{part} has no place in the layers yet"
        for name in imported(path, module_level=False):
            if name.startswith("discreet."):
                other = part_of(name.removeprefix("discreet."))
                if LEVEL.get(other, -1) > LEVEL[part] and other not in FORWARD.get(part, set()):
                    wrong.append(
                        f"{path.relative_to(SOURCE)} imports {other}, further along the path of the data"
                    )
    assert not wrong, "\n".join(wrong)


def test_the_exact_core_imports_nothing_heavy():
    light = [path for path, part in modules() if part.split(".")[0] in LIGHT]
    heavy = {
        path: {name.split(".")[0] for name in imported(path, module_level=True)} & HEAVY
        for path in light
    }
    assert len(light) > 15 and not {path: names for path, names in heavy.items() if names}


def test_highs_is_imported_in_one_place():
    """The designer and the experiments share one door to the solver, with its settings."""
    homes = {
        path.relative_to(SOURCE).as_posix()
        for path in texts()
        if "highspy" in imported(path, module_level=False)
    }
    assert homes == {"designer/lp/highs.py"}


def engine_of(name: str) -> str:
    """The engine's private room that a dotted name is in, or nothing."""
    parts = name.removeprefix("discreet.").split(".")
    return (
        parts[2]
        if parts[:2] == ["tables", "engines"] and parts[2:3] in (["duckdb"], ["spark"])
        else ""
    )


def test_engines_are_private():
    """What speaks DuckDB or Spark is in that engine's room, and only `tables.engines` opens the doors to the rooms."""
    spoken = {"duckdb": "duckdb", "pyspark": "spark", "py4j": "spark"}
    for path in texts():
        here = path.relative_to(SOURCE).with_suffix("").parts
        room, names = engine_of(".".join(here)), imported(path, module_level=False)
        if here != ("tables", "engines", "__init__"):
            assert {engine_of(name) for name in names} <= {"", room}, path
        if here[0] == "tables":
            assert {spoken[part] for name in names if (part := name.split(".")[0]) in spoken} <= {
                room
            }, path


def loaded_after(code: str) -> set[str]:
    script = f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r}); {code}; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True
    )
    return {name.split(".")[0] for name in done.stdout.split()}


def test_the_wheel_is_what_make_wheel_tests():
    if os.environ.get("DISCREET_WHEEL") == "1":
        assert SOURCE.is_relative_to(sys.prefix), "discreet must come from the installed wheel"
    assert (SOURCE / "py.typed").exists()


@pytest.mark.smoke
def test_importing_discreet_loads_nothing_heavy():
    assert not loaded_after("import discreet") & HEAVY


def test_named_mechanisms_need_nothing_heavy_either():
    code = "import discreet as dc; m = dc.fair(n=8, epsilon=0.5); str(m); m.score('L2'); m.id"
    assert not loaded_after(code) & HEAVY


def test_every_public_name_exists_and_is_documented():
    for name in discreet.__all__:
        value = getattr(discreet, name)
        assert not callable(value) or value.__doc__, name
    assert set(discreet.__all__) <= set(dir(discreet))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        discreet.nothing  # noqa: B018


def test_no_module_shadows_a_public_function():
    homes = {path.stem for path in SOURCE.glob("*.py")} | {
        path.name for path in SOURCE.iterdir() if path.is_dir()
    }
    assert homes & set(discreet.__all__) == {"errors"}, "the one module that is public as such"


def test_type_checkers_see_every_public_name_where_it_lives():
    block = next(
        node for node in ast.parse(texts()[SOURCE / "__init__.py"]).body if isinstance(node, ast.If)
    )
    seen = {alias.asname: node.module for node in block.body for alias in node.names}
    assert seen == {"errors": "discreet"} | {
        name: f"discreet.{home}" for name, home in discreet._HOME.items()
    }


def test_types_are_checked_alike_in_the_light_and_in_the_full_set():
    """What `make check` finds must not depend on extras that a fresh clone does not install."""
    root = Path(__file__).parents[1]
    overrides = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "mypy"
    ]["overrides"]
    untyped = {name.partition(".")[0] for one in overrides for name in one["module"]}
    light = set(
        re.findall(
            r"^([\w.-]+)==",
            (root / "requirements" / "dev.txt").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    homes = packages_distributions()
    for path, _ in modules():
        for name in imported(path, module_level=False):
            part = name.partition(".")[0]
            if part in sys.stdlib_module_names or part == "discreet" or part in untyped:
                continue
            # a light run knows the home of what it has; what is not installed goes by its own name
            assert {home.lower() for home in homes.get(part, [part])} & light, (
                f"{path.name} imports {part}"
            )


def test_a_full_run_checks_formatting_and_types_first():
    run = (Path(__file__).parents[1] / ".ci" / "run").read_text(encoding="utf-8")
    assert run.index("\nmake check") < run.index("\nmake test\n")


def test_reading_a_release_needs_no_designer_and_no_engine():
    """Who reads a table waits for what a reader needs: the rest is loaded where it is asked for."""
    require("tables")
    code = (
        "import sys, discreet\n"
        f"e = discreet.estimate({str(Path(__file__).parent / 'fixtures' / 'release-ranges')!r})\n"
        "e.total, e.table(prior='estimated')\n"
        "print(*(name for name in sys.modules if name.startswith('discreet.') or '.' not in name))"
    )
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split()
    )
    rooms = {
        name
        for name in loaded
        if name.startswith(("discreet.designer", "discreet.sampler", "discreet.choosing"))
    }
    assert "discreet.reading.estimates" in loaded
    assert not rooms | (
        loaded
        & {"pandas", "duckdb", "highspy", "multiprocessing", "discreet.tables.asking.question"}
    )
