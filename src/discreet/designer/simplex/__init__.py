"""One exact simplex: bases as forests of tight ratios, their vertices and duals, pivots, and the tie-break."""
