"""The designer: the optimal mechanism of any shape, exact and with its proof."""

from discreet.designer.design import design as design
