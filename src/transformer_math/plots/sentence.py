"""A sentence with computed numbers in it, for the running text between two cells."""

import re
from dataclasses import dataclass

from transformer_math.plots.numbers import minus_signs

_KEPT = re.compile(r"(`[^`]*`|\$[^$]*\$|\]\([^)]*\)|<[^>]*>)")
_PERCENT = re.compile(r"(?<=\d) %")


@dataclass(frozen=True)
class Sentence:
    """Markdown that Jupyter and the built page show as prose."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text


def say(text: str) -> Sentence:
    """Show a sentence; numbers go in with an f-string, where they are computed, and get real minus signs.

    >>> say(f"Two minus three is {2 - 3}; `x[-1]` is code.").text
    'Two minus three is −1; `x[-1]` is code.'

    A line does not end between a number and its %.
    """
    parts = _KEPT.split(text)
    parts[::2] = [_PERCENT.sub("\u00a0%", minus_signs(part)) for part in parts[::2]]
    return Sentence("".join(parts))
