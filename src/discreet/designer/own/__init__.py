"""Problems with rows of the caller's own: their program, its exact answer, and the proof where
there is none.
"""
