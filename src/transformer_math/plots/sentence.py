"""A sentence with computed numbers in it, for the running text between two cells; a false one is not printed."""

import re
from dataclasses import dataclass

import numpy as np

from transformer_math.plots.numbers import typographic

_OVER = re.compile(r" on average over \d+ \w+(?= \()")
_KEPT = re.compile(r"(`[^`]*`|\$[^$]*\$|\]\([^)]*\)|<[^>]*>)")


@dataclass(frozen=True)
class Sentence:
    """Markdown that Jupyter and the built page show as prose."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text


def say(text: str, holds: bool | np.bool_ = True) -> Sentence:
    """Show a sentence; numbers go in with an f-string, where they are computed, and get real minus signs and a space before %.

    `holds` is the condition under which the sentence is true. Where it is not met, the sentence is not printed: a
    ValueError quotes it, and a build that runs the cell stops.

    >>> say(f"Two minus three is {2 - 3}; `x[-1]` is code.", holds=2 < 3).text
    'Two minus three is −1; `x[-1]` is code.'
    >>> say("Three is less than two.", holds=3 < 2)
    Traceback (most recent call last):
    ValueError: “Three is less than two.” is false here. Fix: say what was computed, or correct what computes it.
    """
    if not isinstance(holds, (bool, np.bool_)):
        raise ValueError(
            f"holds is {holds!r}; wanted True or False. Fix: say whether it holds for all or for any, as in (a < b).all()"
        )
    if not holds:
        raise ValueError(
            f"“{text}” is false here. Fix: say what was computed, or correct what computes it."
        )
    parts = _KEPT.split(said_once(text))
    parts[::2] = map(typographic, parts[::2])
    return Sentence("".join(parts))


def said_once(text: str) -> str:
    """Say over how many seeds, texts or places a mean was taken, and again only where it changes.

    >>> said_once("1 on average over 3 seeds (0 to 2), 4 on average over 3 seeds (3 to 5)")
    '1 on average over 3 seeds (0 to 2), 4 (3 to 5)'
    """
    said = ""

    def new(found: re.Match) -> str:
        nonlocal said
        last, said = said, found[0]
        return "" if said == last else said

    return _OVER.sub(new, text)
