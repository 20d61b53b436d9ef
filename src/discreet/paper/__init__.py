"""The paper, reproduced and carried further: every figure and table as data, picture and verdict.

`run()` is behind `discreet paper`. One module makes one figure: `make(settings)` returns tables of
plain rows and statements (what the paper says, what we find, agrees or differs), `draw(outcome)`
turns the tables into charts. The modules in `beyond/` are studies of the questions the paper left
open; they say what is proven and what is observed.
"""

from __future__ import annotations

from discreet.paper.experiments import CATALOGUE, Entry
from discreet.paper.judging import Statement
from discreet.paper.results import Outcome, Settings
from discreet.paper.running import make, run

__all__ = ["CATALOGUE", "Entry", "Outcome", "Settings", "Statement", "make", "run"]
