"""What a formula that readers may edit needs: its numbers, how they are shown, and the edits that a button makes.

An edit is a list of replacements in the printed LaTeX. What is wrong with it is not said here: where its numbers are
those of a wrong version that a check of the formula knows, the check's message stands beside them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Replacement = tuple[str, str]


@dataclass(frozen=True)
class View:
    """How a result is shown: `kind` is "heatmap", "table" or "curve"; `name` is the symbol of what is shown.

    A heatmap's ink is full at `limit`. A curve has its x in `columns`. `place` names the two axes in words.
    """

    kind: str
    name: str
    caption: str
    rows: list[str]
    columns: list[Any]
    place: tuple[str, str]
    limit: float = 1.0


@dataclass(frozen=True)
class Offer:
    """One formula: a word for its title, its calls on the chapter's numbers, its view, its edits by their button's text.

    `extra` are symbols that an edit may use and the printed formula does not, `stated` those whose values are printed, so
    that an edit of them counts; `also` are calls with further arguments, each with what to say where an edit gives the
    numbers of the right function called so; `wrong_with` are the arguments with which wrong versions are called once more;
    `mistakes` are what to say of numbers that no one function gives: those of a mistake in one of several calls, or on one
    side of an equation; `others` are calls with other sizes, where the cases of the formula's check would be long. `lines`
    is the room that the typeset formula takes, in lines of text.
    """

    title: str
    calls: Callable[[], list[tuple]]
    view: Callable[[], View]
    edits: dict[str, list[Replacement]]
    lines: int
    extra: Callable[[], dict[str, Any]] = dict
    stated: tuple[str, ...] = ()
    also: Callable[[], list[tuple[str, dict]]] = list
    wrong_with: Callable[[], dict] = dict
    mistakes: Callable[[], list[tuple[str, dict[str, Any]]]] = list
    others: Callable[[], list[tuple]] = list
