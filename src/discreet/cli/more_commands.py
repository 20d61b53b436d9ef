"""`discreet paper` and `discreet studio`."""

from __future__ import annotations

import click

from discreet.cli.bars import progress_options, watching
from discreet.cli.spelling import Command


@click.command(cls=Command)
@click.argument("figures", nargs=-1)
@click.option("--output", "-o", default="paper", show_default=True, type=click.Path(file_okay=False))
@click.option("--quick", is_flag=True, help="Fewer repetitions: under a minute.")
@click.option("--adult", type=click.Path(exists=True, dir_okay=False), help="A UCI Adult file you have.")
@progress_options
def paper_command(figures: tuple[str, ...], output: str, quick: bool, adult: str | None, progress: str) -> None:
    """Regenerate the paper's figures and tables, as data and pictures, with a verdict on each.

    \b
    discreet paper                  everything, about two minutes
    discreet paper heatmaps         one figure
    discreet paper fetch-adult      fetch the Adult data set, checked by hash

    \b
    Figures: anomalies structure flowchart properties-table heatmaps
    combinations scores adult binomial histograms rmse. Beyond the paper:
    beyond-wm beyond-columns beyond-losses beyond-output-dp beyond-winners
    beyond-ranges.
    """
    from discreet.paper import run

    with watching(progress) as watch:
        run(figures, output=output, quick=quick, adult=adult, say=watch.say, progress=watch)


@click.command(cls=Command)
@click.option("--port", type=int, default=0, help="0 picks a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Only this machine, unless you say otherwise.")
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening it.")
def studio_command(port: int, host: str, no_browser: bool) -> None:
    """See the trade-off in a browser. Binds to this machine only and never loads private data."""
    from discreet.studio import serve

    serve(host=host, port=port, open_browser=not no_browser, say=click.echo)
