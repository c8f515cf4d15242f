"""A sentence with computed numbers in it, for the running text between two cells."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sentence:
    """Markdown that Jupyter and the built page show as prose."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text


def say(text: str) -> Sentence:
    """Show a sentence; numbers go in with an f-string, where they are computed.

    >>> say(f"Two and two is {2 + 2}.").text
    'Two and two is 4.'
    """
    return Sentence(text)
