"""`discreet design`, `recommend`, `compare`, `plot`: find, choose, compare and draw mechanisms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.bars import progress_options, watching
from discreet.cli.codes import MECHANISM_CODES, explained, listed
from discreet.cli.existing import OneOf, check_given, picture_of
from discreet.cli.help_pages import DESIGN_SECTIONS
from discreet.cli.json_values import describe
from discreet.cli.shared import (
    Command,
    Refused,
    Words,
    design_options,
    emit,
    json_option,
    objective_options,
    privacy_options,
    properties_option,
    quoted,
    say,
)
from discreet.errors import Infeasible, InvalidInput, about_file, did_you_mean
from discreet.show.text import laid_out

if TYPE_CHECKING:
    from discreet.choosing.comparison import Comparison
    from discreet.core.mechanism import Mechanism
    from discreet.designer.large.any_size import BestCost
    from discreet.designer.orbits.cell_by_cell import Cells

categories_option = click.option(
    "--categories",
    multiple=True,
    metavar="ANSWERS",
    help="For a histogram: the number of answers, or each answer's name, one by one.",
)
_BLIND = "At epsilon 0 nothing can be learnt from what is published: it is a blind guess."
_NAMED = "What the names mean:" + listed(MECHANISM_CODES)


def _somebody(ctx: click.Context, _: click.Parameter, n: int) -> int:
    if n == 0:
        rule, remedy = (
            "must be 1 or more",
            "a group of nobody has one count, 0, and nothing to protect",
        )
        raise Refused(InvalidInput("n", rule, n, remedy=remedy), Words(ctx))
    return n


n_option = click.option(
    "--n", "-n", type=int, required=True, callback=_somebody, help="The group size."
)
KINDS = ("heatmap", "columns", "accuracy", "intervals", "triangle", "answers")


@click.command(cls=Command, sections=DESIGN_SECTIONS)
@n_option
@design_options
@categories_option
@click.option("--step", type=int, help="How far one person can move the count; 1 unless said.")
@click.option(
    "--derivable", is_flag=True, help="Only mechanisms that are GM followed by a random map."
)
@click.option(
    "--priors", multiple=True, help="With --regret: one of the priors; give it again for each."
)
@click.option("--regret", is_flag=True, help="The least worst ratio to each prior's own optimum.")
@click.option(
    "--rows",
    multiple=True,
    type=click.Path(dir_okay=False),
    help="Inequalities of your own, a JSON file.",
)
@click.option(
    "--gap", metavar="NUMBER", help="Accept a mechanism proven within this of optimal, e.g. 0.01."
)
@click.option(
    "--seconds", metavar="NUMBER", help="Give up after about this long; ten minutes unless said."
)
@click.option(
    "--output", "-o", "path", type=click.Path(dir_okay=False), help="Write the proof file here."
)
@click.option("--no-cache", is_flag=True, help="Design afresh.")
@click.option(
    "--cost-only", is_flag=True, help="Only the least L0, uniform prior: for groups of any size."
)
@click.option(
    "--details", is_flag=True, help="Every property and score by its code, and the mechanism's id."
)
@progress_options
@json_option
def design_command(
    path: str | None,
    rows: tuple[str, ...],
    no_cache: bool,
    cost_only: bool,
    details: bool,
    progress: str,
    as_json: bool,
    **asked: Any,
) -> None:
    """Find the best mechanism of the shape asked for, with its proof.

    \b
    discreet design --n 8 --epsilon 0.5
    discreet design --n 8 --alpha 10/11 --properties "WH CM" --loss L1 -o m.json
    discreet design --n 8 --categories 3 --epsilon 1 --loss L1
    discreet design --n 8 --epsilon 1 --properties WH --rows cap.json
    discreet design --n 10000 --epsilon 0.1 --properties "WH CM" --cost-only
    """
    import discreet as dc

    if cost_only:
        emit(_least_cost(asked | {"rows": rows, "path": path}), as_json=as_json)
        return
    if rows:
        from discreet.cli.rows_option import read_rows_files

        asked["properties"] = [asked["properties"], *read_rows_files(rows)]
    with watching(progress) as watch:
        try:
            m = dc.design(cache=not no_cache, **_filled(asked), progress=watch)
        except Infeasible as error:
            if path and error.proof is not None:
                error.proof.save(path)
                error.consequence = f"The proof of it is in {path}"
            raise
    if path:
        m.save(path)
    after = [
        *([_BLIND] if m.privacy.value == 1 else []),
        *([f"proof file: {path}"] if path else []),
    ]
    if as_json or details:
        text = "\n".join([str(m), "", *after, _codes(m, asked)])
    else:
        text = "\n".join(
            [
                _designed(m),
                "",
                *after,
                "all properties by their codes, scores, and its id: --details",
            ]
        )
    emit(describe(m) if as_json else m, as_json=as_json, text=text)


def _designed(m: Mechanism | Cells) -> str:
    """A mechanism in everyday words; answers that are drawn one by one say themselves what they
    are.
    """
    from discreet.core.mechanism import Mechanism
    from discreet.show.chosen.brief_mechanism import mechanism_words

    return mechanism_words(m) if isinstance(m, Mechanism) else str(m)


def _codes(m: Mechanism | Cells, asked: dict[str, Any]) -> str:
    """What the codes mean that are printed of a mechanism, and those asked for."""
    wanted = asked["properties"] if isinstance(asked["properties"], str) else asked["properties"][0]
    return explained(str(m), wanted.upper(), asked["loss"].upper())


def _least_cost(asked: dict[str, Any]) -> BestCost:
    """What the best mechanism costs; whatever that does not depend on, or is known for, is
    refused.
    """
    import discreet as dc

    kept = ("n", "epsilon", "alpha", "properties")
    for name, value in asked.items():
        if name not in kept and value not in (None, (), False, "L0"):
            raise InvalidInput(name, "must be left out where only the cost is asked for", value)
    return dc.best_cost(**{name: asked[name] for name in kept})


@click.command(cls=Command)
@n_option
@privacy_options
@properties_option
@categories_option
@click.option(
    "--details", is_flag=True, help="Why: the paper's flowchart, the properties, and the proof."
)
@json_option
def recommend_command(details: bool, as_json: bool, **asked: Any) -> None:
    """Say which mechanism to use, what it is worth, and what each property costs.

    \b
    discreet recommend --n 8 --epsilon 0.5 --properties F
    discreet recommend --n 8 --categories 3 --epsilon 1
    """
    import discreet as dc

    found = dc.recommend(**_filled(asked))
    again = _again(found, asked)
    design = f"make it with: discreet design {again} -o m.json"
    if not asked["categories"]:
        name = "epsilon" if asked["epsilon"] is not None else "alpha"
        other = f"--n {asked['n']} --{name} {quoted(str(asked[name]))}"
        design += f'\nif 30% say yes: discreet compare {other} --prior "Binomial(0.3)"'
    with laid_out(None, command_line=True):
        text = (
            f"{found}\n\n{design}\n{_wished(found)}"
            if details or as_json
            else _first_screen(found, design)
        )
    emit(found, as_json=as_json, text=text)


def _first_screen(found: Any, design: str) -> str:
    """What is recommended and what properties cost, without codes and lemmas."""
    from discreet.show.chosen.brief_recommendation import brief_text

    return f"{brief_text(found)}\n\nwhy, and the proof: --details\n{design}"


def _wished(found: Any) -> str:
    """What the codes mean that decide here: those asked for, and those of the properties that
    are priced.
    """
    return explained(
        str(found.asked), *(cost.wish for cost in found.costs if cost.mechanism != "WH+CM")
    )


def _again(found: Any, asked: dict[str, Any]) -> str:
    """The options that make what is recommended: it may have been designed for more than was
    asked.
    """
    name = "epsilon" if asked["epsilon"] is not None else "alpha"
    problem = None if asked["categories"] else found.mechanism.origin.problem
    shape = str(problem.shape) if problem and "dc.design(" in found.code else asked["properties"]
    words = [
        "--n",
        str(asked["n"]),
        *(word for answer in asked["categories"] or () for word in ("--categories", answer)),
    ]
    words += [f"--{name}", str(asked[name]), *(["-p", shape] if shape else [])]
    return " ".join(map(quoted, words))


@click.command(cls=Command, aliases={"over": ("path",)}, epilog=_NAMED)
@click.argument("mechanisms", nargs=-1)
@click.option(
    "--n",
    "-n",
    multiple=True,
    type=int,
    required=True,
    help="Group size; give it again for a grid.",
)
@click.option(
    "--epsilon", multiple=True, metavar="NUMBER", help="Privacy; again for a grid. Or --alpha."
)
@click.option(
    "--alpha", multiple=True, metavar="NUMBER", help="Privacy as alpha = exp(-epsilon), e.g. 10/11."
)
@objective_options
@categories_option
@click.option("--csv", type=click.Path(dir_okay=False), help="Write the table here as CSV.")
@click.option(
    "--plot",
    "path",
    type=click.Path(dir_okay=False),
    help="Draw the comparison (PNG, SVG, PDF, HTML).",
)
@click.option("--details", is_flag=True, help="Every score, and the properties that each has.")
@progress_options
@json_option
def compare_command(
    mechanisms: tuple[str, ...],
    csv: str | None,
    path: str | None,
    details: bool,
    progress: str,
    as_json: bool,
    **asked: Any,
) -> None:
    """Put mechanisms side by side: named ones (GM WM EM UM RR Laplace exponential staircase) and
    designs ("WH CM").

    Designs are the best for --loss, --prior and --worst-case; every row is measured under --prior.
    With --categories: joint, cells, RR (of each person) and UM, and designs, over histograms.

    \b
    discreet compare --n 8 --epsilon 0.5
    discreet compare GM "WH CM" EM --n 4 --n 8 --alpha 10/11
    discreet compare "" "WH CM" F --n 8 --alpha 10/11 --loss L2
    discreet compare joint F cells --n 8 --categories 3 --epsilon 1
    """
    import discreet as dc

    usual = (
        ["GM"]
        if len(mechanisms) == 1 and mechanisms[0].upper() != "GM" and not asked["categories"]
        else []
    )
    named = [[*usual, *mechanisms]] if mechanisms else []
    with watching(progress) as watch:
        table = dc.compare(*named, **_filled(asked), progress=watch)
    if csv:
        table.to_csv(csv)
    if path:
        table.plot(path=path)
    brief = not (details or asked["categories"] or as_json)
    emit(table, as_json=as_json, text=_brief(table) if brief else f"{table}\n{_compared(table)}")


def _brief(table: Comparison) -> str:
    """What decides among mechanisms; the other scores are asked for."""
    from discreet.show.chosen.brief_comparison import brief_text

    return brief_text(table, more="More scores, and codes: --details.")


def _compared(table: Any) -> str:
    """What the codes of the rows mean, of names and of properties; what the scores are, a
    comparison says itself.
    """
    return explained(*(f"{entry.label} {' '.join(entry.mechanism.shape)}" for entry in table))


@click.command(cls=Command, epilog=_NAMED)
@click.argument("what", required=False)
@click.option(
    "--kind",
    type=OneOf(KINDS),
    help="heatmap for counts, triangle or answers for histograms unless said.",
)
@click.option("--n", "-n", type=int, help="The group size, when WHAT is not a file.")
@design_options
@categories_option
@click.option(
    "--truth", metavar="COUNTS", help="For a histogram: draw this true one, its counts as 6,2,0."
)
@click.option(
    "--output",
    "-o",
    "path",
    type=click.Path(dir_okay=False),
    help="PNG, SVG, PDF or HTML; m.png of m.json, else mechanism.png, unless said.",
)
@progress_options
def plot_command(
    what: str | None,
    kind: str | None,
    n: int | None,
    truth: str | None,
    path: str | None,
    progress: str,
    **asked: Any,
) -> None:
    """Draw a mechanism: a proof file, a name (GM WM EM UM RR Laplace exponential staircase), or a
    design.

    With --categories a design over histograms, or cells, RR (of each person), UM.

    \b
    discreet plot m.json -o m.png
    discreet plot EM --n 8 --epsilon 0.5 -o em.svg
    discreet plot --n 8 --epsilon 0.5 --properties "WH CM" -o design.pdf
    discreet plot --n 8 --categories 3 --epsilon 1 --truth 6,2,0 -o column.svg
    """
    check_given(what, n, asked)
    unsaid, path = path is None, path or picture_of(what)
    with watching(progress) as watch:
        m = find(what, n, asked | {"progress": watch})
    counts = [int(part) if part.strip().isdecimal() else part for part in (truth or "").split(",")]
    m.plot(kind, path, **({} if truth is None else {"truth": counts}))
    say(
        f"wrote {path}"
        + ("; -o FILE writes it elsewhere, as PNG, SVG, PDF or HTML" if unsaid else "")
    )


def find(what: str | None, n: int | None, asked: dict[str, Any]) -> Mechanism | Cells:
    """Return the mechanism meant: from a proof file, by name, or designed."""
    import discreet as dc
    from discreet.core.named import NAMED, find_named

    if what is not None and Path(what).is_file():
        with about_file(what):
            loaded: Mechanism = dc.load(what)
        return loaded
    rival = bool(asked.get("categories"))
    named = find_named(what) if what is not None and not rival else None
    if what is not None and named is None and not rival:
        if (Path(what) / "manifest.json").is_file():
            folder = quoted(what)
            remedy = (
                f"draw it with: discreet estimate {folder} --plot out.png, or write a "
                f"page: discreet report {folder}"
            )
            raise InvalidInput("what", "is a release, not a mechanism", found=what, remedy=remedy)
        nearest = did_you_mean(what.upper(), NAMED)
        raise InvalidInput(
            "what", "is neither a file that exists nor a known name", found=what, remedy=nearest
        )
    if n is None:
        raise InvalidInput("n", "is needed", remedy="give it, or the path of a proof file")
    if named is not None:
        return named.build(n=n, epsilon=asked["epsilon"], alpha=asked["alpha"])
    given = _filled(asked)
    if what is None:
        designed: Mechanism | Cells = dc.design(n=n, **given)
        return designed
    asked = {name: given[name] for name in ("categories", "epsilon", "alpha") if name in given}
    found: Mechanism | Cells = dc.compare(what, n=n, **asked).entries[0].mechanism
    return found


def _filled(asked: dict[str, Any]) -> dict[str, Any]:
    """Leave out what was not given: then the library's own default holds. One number of answers
    is a number.
    """
    given = {name: value for name, value in asked.items() if value not in (None, ())}
    named = given.get("categories")
    if named is not None:
        given["categories"] = (
            int(named[0]) if len(named) == 1 and named[0].isdecimal() else list(named)
        )
    return given
