"""Audit any black box for counts: refute a claimed epsilon, a claimed matrix or independent rows,
by drawing.

A test of this kind can refute and never prove; for a matrix that is known, `discreet.proof` checks
it exactly.
"""

from __future__ import annotations

from discreet.auditing.examine import audit
from discreet.auditing.findings import Audit

__all__ = ["Audit", "audit"]
