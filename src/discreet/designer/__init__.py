"""The designer: the optimal mechanism of any shape, exact and with its proof.

problems     what was asked, as one exact value
theorems     which closed form answers it, with its guards; relabelling: one that needs some work
program      the paper's linear program, folded and thinned
starting     a basis to start from; solver (the only HiGHS import) walks from there in floats
forest       a basis as trees of tight ratios; exact: its vertex and dual; completing, pivots: its repair
canonical    which optimum, when there are many
unfold       back to the full matrix and the certificate; bounds: what multipliers prove
designing    `design`; many: `design_many`; cache: designs kept on disk; estimate: how long it takes
"""

from discreet.designer.many import design_many as design_many
from discreet.designer.single import design as design
