"""Why not just hide small groups? One made-up table, what stewards do with it today, the attack, and the same with us.

Everything on docs/hiding.md comes from here: `python -m tools.hiding` writes its numbers and draws its
pictures.
"""
