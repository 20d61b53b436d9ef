"""A process of the studio: works out the questions it is sent, one line each, until nobody sends
any more.

Started as `python -m discreet.studio.work.process SECONDS`. Each question sets an alarm that ends
this process even inside a solver, so that no work goes on for long even if the server was killed
and cannot stop it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import asdict

from discreet.studio.telling.pathologies import gallery
from discreet.studio.work.answering import Answer, Question, answer


def main(seconds: float, work: Callable[[Question], Answer] = answer) -> None:
    """Answer questions from standard input on standard output: a line of JSON that says how many
    bytes follow.

    An empty line comes first, when everything is ready.
    """
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get between the answers
    # designed before the first question, and with it all that designing needs is imported
    gallery()
    out.write(b"\n")
    out.flush()
    for line in sys.stdin.buffer:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            found = work(Question(**json.loads(line)))
        except Exception:
            traceback.print_exc()
            found = Answer.text("the studio failed; the reason is where it was started", 500)
        head = {**asdict(found), "body": len(found.body)}
        signal.setitimer(signal.ITIMER_REAL, 0)
        out.write(json.dumps(head).encode() + b"\n" + found.body)
        out.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]))
