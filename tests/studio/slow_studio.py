"""A process of the studio that never ends a question with epsilon 7 by itself, and one with epsilon 6 when it is told to.

With epsilon 5 it designs for ever. It leaves its id in a folder first; the file `go` there is what it waits for.
"""

import os
import sys
import time
from fractions import Fraction
from itertools import count
from pathlib import Path


def work(question):
    from discreet.designer import design
    from discreet.studio.work.answering import answer

    if question.given_up:
        return answer(question)
    if "epsilon=7" in question.query:
        began()
        while True:
            time.sleep(60)  # slow, and leaves the processors to other tests
    if "epsilon=6" in question.query:
        folder = began()
        while not (folder / "go").exists():
            time.sleep(0.02)
    if "epsilon=5" in question.query:
        began()
        for steps in count(300):  # another design each time, so that none is kept
            design(
                n=24,
                epsilon=Fraction(steps, 100),
                properties="CH RH",
                loss="L2",
                prior="Binomial(0.05)",
            )
    return answer(question)


def began():
    """Say that the work has begun; return the folder in which this was said."""
    folder = Path(os.environ["SLOW_STUDIO"])
    (folder / str(os.getpid())).touch()
    return folder


if __name__ == "__main__":
    from discreet.studio.work.process import (
        main,
    )  # here: without the studio's extra this file can be read, not run

    main(float(sys.argv[1]), work)
