"""What a release leaves behind: the bundle with its manifest, table and proofs, and how it is
read back.
"""
