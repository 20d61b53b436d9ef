"""A process of the studio that never ends a question with epsilon 7 by itself; it leaves its id in a folder first."""

import os
import sys
from pathlib import Path


def work(question):
    from discreet.studio.work.answering import answer

    if "epsilon=7" in question.query and not question.given_up:
        Path(os.environ["SLOW_STUDIO"], str(os.getpid())).touch()
        while True:
            pass
    return answer(question)


if __name__ == "__main__":
    from discreet.studio.work.process import main  # here: without the studio's extra this file can be read, not run

    main(float(sys.argv[1]), work)
