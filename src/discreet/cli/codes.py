"""What the codes of the command line mean, for its help: the properties, the losses, the named
mechanisms.
"""

from __future__ import annotations

import re

from discreet.core.properties import EVERYDAY, PROPERTIES
from discreet.show.text import folded

PROPERTY_CODES = {
    **{code: EVERYDAY[code] for code in PROPERTIES},
    "ODP:r": "neighbouring answers are within ratio r",
}
LOSS_CODES = {
    "L0": "every wrong answer alike",
    "L1": "by its distance",
    "L2": "by its distance squared",
    "L0,1": "every answer more than 1 off alike",
}
MECHANISM_CODES = {
    "GM": "geometric noise cut off at 0 and n: the usual noise",
    "WM": "the best weakly honest mechanism",
    "EM": "the best fair mechanism",
    "UM": "blind guessing",
    "RR": "randomised response",
    "Laplace": "rounded and clamped",
    "exponential": "less likely the further from the truth",
    "staircase": "width 2: protects counts that differ by up to 2",
}

_BRIEFLY = {
    **{code: EVERYDAY[code] for code in PROPERTIES},
    "ODP": "neighbouring answers within a ratio",
    "GM": "the usual noise",
    "WM": "the best weakly honest one",
    "EM": "the best fair one",
    "UM": "blind guessing",
    "L0": "wrong answers, guessing 1",
    "L0,1": "more than 1 off",
    "L1": "distance",
    "L2": "distance squared",
}
"""A few words on each, for the line below a result; the sentences are in the help."""
_TIE = "\u00a0"  # no line is broken between a code and what it means
_CODE = re.compile(r"(?<![A-Za-z])(?:L0,1(?![\d.])|[A-Z]+\d?)(?![A-Za-z\d])")


def explained(*texts: str) -> str:
    """What the codes in some texts mean, in one line for the foot of a result.

    >>> print(explained("CH or CM", "F"))
    Codes: CH nothing likelier than the truth, CM no farther answer likelier,
      F fair to every count (all: discreet design --help)
    """
    words = set(_CODE.findall(" ".join(texts)))
    found = [f"{code}{_TIE}{meaning}" for code, meaning in _BRIEFLY.items() if code in words]
    said = (
        f"Codes: {', '.join(found)} (all: discreet design --help)"
        if found
        else "Codes: discreet design --help"
    )
    return "\n".join(folded(said, later="  ")).replace(_TIE, " ")


def listed(codes: dict[str, str]) -> str:
    """Lay codes out below each other, as click's help keeps them.

    >>> listed({"F": "fair", "ODP:r": "even"}).splitlines()[3:]
    ['F      fair', 'ODP:r  even']
    """
    wide = max(map(len, codes))
    return "\n\n\b\n" + "\n".join(f"{code:<{wide}}  {meaning}" for code, meaning in codes.items())


_SENTENCES = {
    "RH": "An answer is never more likely for another true count than for its own.",
    "RM": "An answer never becomes likelier as the truth moves away from it.",
    "CH": "No answer is likelier than the truth.",
    "CM": "On each side of the truth, closer answers are at least as likely.",
    "WH": "The truth is published at least as often as a blind guess would hit it.",
    "F": "Every true count has the same chance of being published.",
    "S": "Yes and no are treated alike: the matrix looks the same when turned by half a turn.",
    "ODP:r": "Neighbouring answers have similar chances: within a factor r, such as ODP:9/10.",
}
"""The properties in a sentence each, as docs/old/properties.md has them."""


def properties_page() -> str:
    """What `discreet help properties` prints."""
    listing = [
        line
        for code, said in _SENTENCES.items()
        for line in (
            f"  {PROPERTY_CODES[code]} ({code})",
            *folded(said, width=79, first="    ", later="    "),
        )
    ]
    said = (
        "Properties that noise can be asked to have. Nearly nobody needs one: without any, the "
        "usual noise is taken. What each costs: discreet recommend --n 8 --epsilon 1"
    )
    typed = 'Give one, or several: --properties F, --properties "WH CM"'
    return "\n".join([*folded(said), "", *listing, "", typed])


_TOPIC_PAGES = {
    "help": """\
discreet help COMMAND explains a command, as discreet COMMAND --help does.
It explains three words too:
  discreet help epsilon
  discreet help budget
  discreet help properties""",
    "epsilon": """\
epsilon says how much one person gives away: smaller is safer.

A reader who knows everybody else's answer, and was 50% sure of yours, can
become at most so sure of it:
  epsilon 0.1   {0.1}
  epsilon 0.5   {0.5}
  epsilon 1     {1}
  epsilon 2     {2}
  epsilon 3     {3}  from here on it protects little

Begin with 1. What it does to your table, free and before any noise is drawn:
  discreet plan people.csv --by clinic --unit person \\
      --answers smoker yes,no --epsilon 1
More: the page "epsilon" of the documentation""",
    "budget": """\
A budget is what each person may lose in all: the epsilons of all releases
about the same people add up, and a release that does not fit is refused
before any noise is drawn. It is kept in a ledger, which is one file.

Open it once, for these people, under a name of your choice:
  discreet ledger open budget.db patients --budget 2
Name it in every release: --ledger budget.db --dataset patients
What is left, and what it was spent on:
  discreet ledger show budget.db patients
More: the page "ledger" of the documentation""",
}


def topic_page(topic: str) -> str:
    """What `discreet help` prints of a word that is no command.

    >>> topic_page("budget").splitlines()[0]
    'A budget is what each person may lose in all: the epsilons of all releases'
    """
    if topic == "properties":
        return properties_page()
    from discreet.core.rationals import read_alpha
    from discreet.odds import most_sure

    page = _TOPIC_PAGES[topic]
    for epsilon in ("0.1", "0.5", "1", "2", "3"):
        page = page.replace(f"{{{epsilon}}}", most_sure(read_alpha(epsilon=epsilon).value))
    return page
