"""The exact core: numbers, privacy, losses, properties, mechanisms. It imports no solver, engine
or plot library.
"""
