"""The linear program over histograms, folded by the permutations of the answers."""
