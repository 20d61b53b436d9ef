"""Verify proof files where nothing but Python is installed: `python -m discreet.proof m.json`."""

from __future__ import annotations

import sys

from discreet.proof import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
