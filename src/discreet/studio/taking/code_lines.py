"""The lines that reproduce the screen: Python, and the shell."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from discreet.studio.settings import as_prior

if TYPE_CHECKING:
    from discreet.studio.settings import Reading, Setting


def python_lines(reading: Reading) -> str:
    """Return a script that makes the design again, writes its proof file, and draws from it.

    >>> from discreet.studio.settings import read_setting, read_text
    >>> print(python_lines(read_setting(read_text("n=4&epsilon=0.5&properties=F"))))
    import discreet as dc
    m = dc.design(n=4, epsilon="0.5", properties="F")
    print(m, m.score("L0"))
    m.save("mechanism.json")
    print(m.release([0, 2, 4]))  # a private count for each true one; each draw costs epsilon
    """
    s = reading.setting
    asked = [f"n={reading.n}", f'{s.unit}="{s.privacy}"']
    if reading.shape is not None and str(reading.shape):
        asked.append(f'properties="{reading.shape}"')
    if s.loss != "L0":
        asked.append(f'loss="{s.loss}"')
    measured = [f'"{s.loss}"']
    if s.prior != "uniform":
        asked.append(f"prior={json.dumps(as_prior(s.prior))}")
        measured.append(f"prior={json.dumps(as_prior(s.prior))}")
    if s.worst_case:
        asked.append("worst_case=True")
        measured.append("worst_case=True")
    lines = [
        "import discreet as dc",
        f"m = dc.design({', '.join(asked)})",
        f"print(m, m.score({', '.join(measured)}))",
    ]
    drawn = "  # a private count for each true one; each draw costs epsilon"
    return "\n".join(
        [
            *lines,
            'm.save("mechanism.json")',
            f"print(m.release([{', '.join(_truths(reading))}])){drawn}",
        ]
    )


def _truths(reading: Reading) -> list[str]:
    """Some true counts to draw for."""
    n = reading.n or 0
    return [str(count) for count in sorted({0, n // 2, n})]


def design_line(reading: Reading) -> str:
    """Return the one line that computes the design elsewhere: a shell command, or Python where
    the prior is weights.
    """
    if isinstance(as_prior(reading.setting.prior), list):
        return python_lines(reading).splitlines()[1]
    return shell_line(reading).splitlines()[0]


def objective_words(reading: Reading) -> list[str]:
    """The options that say what shape is asked for and what is minimised, where that is not the
    default.
    """
    s, words = reading.setting, []
    if reading.shape is not None and str(reading.shape):
        words += ["--properties", str(reading.shape)]
    if s.loss != "L0":
        words += ["--loss", s.loss]
    if s.prior != "uniform":
        words += ["--prior", s.prior]
    return [*words, "--worst-case"] if s.worst_case else words


def export_line(setting: Setting) -> str:
    """Return the command that writes what is on the screen as one page for any web server.

    >>> from discreet.studio.settings import read_text
    >>> print(export_line(read_text("n=4&epsilon=0.5&properties=F")))
    discreet studio --export page.html --setting 'n=4&epsilon=0.5&properties=F&loss=L0'
    """
    return shlex.join(
        ["discreet", "studio", "--export", "page.html", "--setting", setting.as_pin()]
    )


def shell_line(reading: Reading) -> str:
    """Return the commands that do the same, a line each; a prior that is a list of weights is for
    Python only.

    >>> from discreet.studio.settings import read_setting, read_text
    >>> print(shell_line(read_setting(read_text("n=4&alpha=10/11&properties=WH+CM"))))
    discreet design --n 4 --alpha 10/11 --properties 'CM WH' -o mechanism.json
    discreet draw mechanism.json 0 2 4
    """
    s = reading.setting
    if isinstance(as_prior(s.prior), list):
        return (
            "# the command line takes named priors only: use the Python lines for weights of your "
            "own"
        )
    words = ["discreet", "design", "--n", str(reading.n), f"--{s.unit}", s.privacy]
    words += objective_words(reading)
    draw = ["discreet", "draw", "mechanism.json", *_truths(reading)]
    return "\n".join(map(shlex.join, ([*words, "-o", "mechanism.json"], draw)))
