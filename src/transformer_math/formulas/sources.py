"""Where the values on which a formula is run come from: its checks' own calls, or more than that; noted while they are made."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

WITHOUT = "without"
WITH = "with"
READ = "read"
GRADIENT = "gradient"
AS_THEY_ARE = "Its values are the arguments and results of the checks' own calls."
SAID = {
    WITHOUT: "Where a check's call has an argument that the formula leaves out, the function was called again without it.",
    WITH: "The function was called again with arguments of the formula's own; the others are those of the checks' calls.",
    READ: "A short function turns the checks' calls into the symbols of this formula, and adds what they lack.",
    GRADIENT: "The gradient that goes in was drawn anew, and the function pulled it back again.",
}
_NOTED: ContextVar[set[str] | None] = ContextVar("what was noted", default=None)


@contextmanager
def noting() -> Iterator[set[str]]:
    """What is noted while cases are made, as keys of `SAID`; nothing where they are the calls as they are."""
    noted: set[str] = set()
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def note(source: str) -> None:
    """Note that a case is more than a call of the check: `source` is a key of `SAID`."""
    noted = _NOTED.get()
    if noted is not None:
        noted.add(source)


def told(sources: tuple[str, ...]) -> str:
    """Say in a few sentences where the values of a formula come from.

    >>> told(())
    "Its values are the arguments and results of the checks' own calls."
    >>> told(("gradient",))
    'The gradient that goes in was drawn anew, and the function pulled it back again.'
    """
    return " ".join(SAID[one] for one in SAID if one in sources) or AS_THEY_ARE
