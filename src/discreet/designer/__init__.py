"""The designer: the optimal mechanism of any shape, exact and with its proof.

Front room   single: `design`; many: `design_many`, on all cores (worker); cache: designs kept on
             disk
theorems/    closed_form: which theorem answers a problem; multipliers: its proof as numbers
lp/          program: the paper's linear program, as small as it can be made; highs: the float solve
             (the only HiGHS import); start: a basis to walk from; answer: the exact answer and its
             proof; bounds: what is proven so far
orbits/      folding, orbit_program: the program over histograms, folded; histogram_answer,
             orbit_multipliers: its exact answer and proof; cell_by_cell: what is left where it is
             too large
own/         own_answer: problems with rows of the caller's own; contradiction: the proof that there
             is no mechanism; derivable_answer, derived_map: mechanisms that are GM followed by a
             random map; regret_answer: for several priors at once
simplex/     one exact simplex: basis, system, vertex, pivots, repair; unfold: what multipliers
             prove

`design` reads a problem (`core.certificate`) and asks a theorem, then the cache. Else `lp.answer`
builds the program, walks to a basis in floats, and has `simplex.pivots` make it exact, optimal and
the only one. What is returned was checked against the full rows (`core.domains`).
"""

from discreet.designer.many import design_many as design_many
from discreet.designer.single import design as design
