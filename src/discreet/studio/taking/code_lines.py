"""The lines that reproduce the screen: Python, and the shell."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from discreet.studio.settings import as_prior

if TYPE_CHECKING:
    from discreet.studio.settings import Reading


def python_lines(reading: Reading) -> str:
    """Return a script that makes the design again and writes its proof file.

    >>> from discreet.studio.settings import read_setting, read_text
    >>> print(python_lines(read_setting(read_text("n=4&epsilon=0.5&properties=F"))))
    import discreet as dc
    m = dc.design(n=4, epsilon="0.5", properties="F")
    print(m, m.score("L0"))
    m.save("mechanism.json")
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
    lines = ["import discreet as dc", f"m = dc.design({', '.join(asked)})", f"print(m, m.score({', '.join(measured)}))"]
    return "\n".join([*lines, 'm.save("mechanism.json")'])


def design_line(reading: Reading) -> str:
    """Return the one line that computes the design elsewhere: a shell command, or Python where the prior is weights."""
    if isinstance(as_prior(reading.setting.prior), list):
        return python_lines(reading).splitlines()[1]
    return shell_line(reading)


def shell_line(reading: Reading) -> str:
    """Return the command that does the same; a prior that is a list of weights is for Python only.

    >>> from discreet.studio.settings import read_setting, read_text
    >>> print(shell_line(read_setting(read_text("n=4&alpha=10/11&properties=WH+CM"))))
    discreet design --n 4 --alpha 10/11 --properties 'CM WH' -o mechanism.json
    """
    s = reading.setting
    if isinstance(as_prior(s.prior), list):
        return "# the command line takes named priors only: use the Python lines for weights of your own"
    words = ["discreet", "design", "--n", str(reading.n), f"--{s.unit}", s.privacy]
    if reading.shape is not None and str(reading.shape):
        words += ["--properties", str(reading.shape)]
    if s.loss != "L0":
        words += ["--loss", s.loss]
    if s.prior != "uniform":
        words += ["--prior", s.prior]
    if s.worst_case:
        words.append("--worst-case")
    return shlex.join([*words, "-o", "mechanism.json"])
