"""Faults really performed, counted, and what was found afterwards: `python -m bench.faults
[--quick] [--only ...]`.

Releases run in children (`victims`) that meet a fault at a named moment of their way or at a random
one: killed with -9 (`kills`), a disk that fills or becomes read-only (`disks`), a database
connection or server that goes away (`connections`), a clock set back (`clocks`), several releases
at once (`races`), Spark tasks and executors killed (`sparks`). After each, `judging` asks what must
hold whatever happened, and takes the release up again.
"""
