"""A sentence with computed numbers in it, for the running text between two cells."""

import re
from dataclasses import dataclass

from transformer_math.plots.numbers import typographic

_KEPT = re.compile(r"(`[^`]*`|\$[^$]*\$|\]\([^)]*\)|<[^>]*>)")


@dataclass(frozen=True)
class Sentence:
    """Markdown that Jupyter and the built page show as prose."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text


def say(text: str) -> Sentence:
    """Show a sentence; numbers go in with an f-string, where they are computed, and get real minus signs and a space before %.

    >>> say(f"Two minus three is {2 - 3}; `x[-1]` is code.").text
    'Two minus three is −1; `x[-1]` is code.'
    """
    parts = _KEPT.split(text)
    parts[::2] = map(typographic, parts[::2])
    return Sentence("".join(parts))
