"""Questions that a reader answers in the page: a field to type into, a choice, a guess before the result opens.

Answers and mistakes are values that the cell computes. The page holds them hashed, and what is said to each of them
veiled (see `hidden`), so that an answer does not stand in the page in the open; `questions.js` makes the fields. Where
there is no script, in a notebook or on paper, the question alone is shown, and the solution answers it.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, TypeVar

import numpy as np

from transformer_math.errors import require
from transformer_math.plots import symbols
from transformer_math.plots.canonical import (
    DIGITS,
    canonical,
    cut,
    first_digits,
    kind,
    numbers,
    points,
    rounded,
    variables,
)
from transformer_math.plots.hidden import mark, veil
from transformer_math.plots.numbers import cell, minus

Option = TypeVar("Option")
_FEW = 100  # steps of a slider
_TIE = 1e-12  # what tips a tie, such as 1.125, which a browser rounds up
_THOUSAND, _BILLION = 1000, 1e9  # between them a number is written out
TYPED = "application/vnd.executable-transformer.typed+json"


@dataclass(frozen=True)
class Question:
    """A question, what can be chosen, and what the page needs to answer."""

    text: str
    data: dict[str, Any]
    typed: tuple[tuple[str, Any], ...]  # what tests answer, with the verdict to come
    options: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """The question as one would type it."""
        return symbols.plain(self.text)

    def _repr_html_(self) -> str:
        data = escape(json.dumps(self.data, ensure_ascii=False))
        listed = "".join(f"<li>{rich(option)}</li>" for option in self.options)
        return (
            f'<div class="question {self.data["kind"]}" data-question="{data}"><p>{rich(self.text)}</p>'
            + (f"<ul>{listed}</ul></div>" if listed else "</div>")
        )

    def _repr_mimebundle_(self, **_) -> dict[str, Any]:
        return Questions((self,))._repr_mimebundle_()


@dataclass(frozen=True)
class Questions:
    """Several questions of one exercise."""

    all: tuple[Question, ...]

    def _repr_html_(self) -> str:
        return "".join(question._repr_html_() for question in self.all)

    def _repr_mimebundle_(self, **_) -> dict[str, Any]:
        """What an executed notebook keeps, and no page: the right answers and the mistakes, for the tests."""
        return {TYPED: [question.typed for question in self.all]}


def together(*several: Question) -> Questions:
    """Show several questions from one cell."""
    return Questions(several)


def ask(
    text: str,
    answer: Any,
    *mistakes: tuple[Any, str],
    because: str = "",
    digits: int | None = None,
) -> Question:
    """A question with a field: the answer is a number, several (a shape, a row), words, or a function: a short formula.

    Each mistake is a value that somebody may find, with the reason why it is wrong. Whole numbers must be right to the
    last digit, others to three, or to `digits`. Raises ValueError where two of these values cannot be told apart.
    """
    values = [answer, *(value for value, _ in mistakes)]
    _finite(text, values)
    _told_apart(text, values, digits)
    salt = mark(text)
    right = f"+{_shown(answer)}{rich(because)}"
    said = dict.fromkeys(_rounded(answer, digits), "~")
    said |= dict.fromkeys(_near(answer, digits), right)
    said |= {canonical(value, digits): f"-{rich(why)}" for value, why in mistakes}
    said[canonical(answer, digits)] = right
    data = {
        "kind": kind(answer),
        "salt": salt,
        "replies": _veiled(salt, said),
        **_wanted(answer, digits),
    }
    typed = [("right", answer), *(("wrong", value) for value, _ in mistakes)]
    return Question(text, data, tuple((said, _typed(value)) for said, value in typed))


def choose(text: str, answer: Any, *options: tuple[Any, str]) -> Question:
    """A question with a choice: the options, and what is to be said of each. `answer` is the right one, as it was computed."""
    labels, salt = _labels(text, answer, options), mark(text)
    said = {
        str(i): f"{'+' if _same(option, answer) else '-'}{rich(why)}"
        for i, (option, why) in enumerate(options)
    }
    data = {"kind": "choice", "salt": salt, "replies": _veiled(salt, said)}
    return Question(text, data, _chosen(answer, options), labels)


def only(fitting: Iterable[Option]) -> Option:
    """The one option that fits, where each was tried on a faulty version. Raises ValueError where none fits, or several do.

    >>> only(ids for ids in ([0, 1], [2, 2]) if len(set(ids)) < 2)
    [2, 2]
    """
    found = list(fitting)
    require(
        len(found) == 1,
        f"{len(found)} options fit; wanted one. Fix: where you have repaired the version above, all is well, and this question "
        "has no answer any more; else, other options.",
    )
    return found[0]


def predict(text: str, answer: Any, *options: tuple[Any, str]) -> Question:
    """A choice that is made once, before the result opens; then both stand beside each other."""
    labels, salt = _labels(text, answer, options), mark(text)
    right, reason = next(
        (i, why) for i, (o, why) in enumerate(options) if _same(o, answer)
    )
    truth = f"<b>{rich(labels[right])}</b>. {rich(reason)}"
    said = {
        str(i): f"+{rich(why)}"
        if i == right
        else f"-{rich(why) if why != reason else ''}\n{truth}"
        for i, (_, why) in enumerate(options)
    }
    data = {"kind": "prediction", "salt": salt, "replies": _veiled(salt, said)}
    return Question(text, data, _chosen(answer, options), labels)


def estimate(
    text: str, answer: float, low: float, high: float, unit: str = "", because: str = ""
) -> Question:
    """A guess on a slider from `low` to `high`, made before the result opens; then guess and result stand on one scale."""
    require(
        bool(np.isfinite([low, high]).all()),
        f"the slider goes from {low} to {high}; wanted finite numbers. Fix: the least and the most one may expect.",
    )
    require(
        low <= answer <= high,
        f"the answer {answer} does not lie between {low} and {high}. Fix: a longer slider.",
    )
    salt = mark(text)
    said = {"result": json.dumps([float(answer), _short(answer), rich(because)])}
    data = {
        "kind": "estimate",
        "salt": salt,
        "unit": unit,
        "replies": _veiled(salt, said),
        "range": [low, high, _step(answer, high - low)],
    }
    return Question(text, data, (("right", float(answer)),))


def rich(text: str) -> str:
    """A text with its symbols typeset and its `code` marked.

    >>> rich("`n` is $d_k$")
    '<code>n</code> is <span class="symbol"><i>d</i><sub><i>k</i></sub></span>'
    """
    pieces = re.split(r"`([^`]*)`", text)
    pieces[::2] = map(symbols.html, pieces[::2])
    pieces[1::2] = [f"<code>{escape(code)}</code>" for code in pieces[1::2]]
    return "".join(pieces)


def _finite(text: str, values: list[Any]) -> None:
    typed = [v for v in values if not callable(v) and not isinstance(v, str)]
    odd = [v for v in typed if not np.isfinite(np.asarray(v, float)).all()]
    require(
        not odd,
        f"“{text}”: {odd[:1]} cannot be typed. Fix: finite numbers, or words.",
    )


def _told_apart(text: str, values: list[Any], digits: int | None) -> None:
    forms = [canonical(value, digits) for value in values]
    twice = {form for form in forms if forms.count(form) > 1}
    require(
        not twice,
        f"“{text}”: two of the answer and the mistakes are {', '.join(twice)}. Fix: other numbers, or leave a mistake out.",
    )
    require(len(values) > 1, f"“{text}” knows no mistake. Fix: add a usual one.")


def _same(option: Any, answer: Any) -> bool:
    """Whether an option is the answer; True is not 1."""
    kinds = [isinstance(value, (bool, np.bool_)) for value in (option, answer)]
    return kinds[0] == kinds[1] and bool(option == answer)


def _labels(text: str, answer: Any, options: tuple) -> tuple[str, ...]:
    arrays = any(isinstance(v, np.ndarray) for v in (answer, *(o for o, _ in options)))
    require(
        not arrays,
        f"“{text}”: an array is no option. Fix: x.tolist(), or a number of it.",
    )
    labels = tuple(cell(option) for option, _ in options)
    require(
        len(set(labels)) == len(labels) > 1,
        f"“{text}”: the options are {labels}. Fix: two or more, all different.",
    )
    require(
        any(_same(option, answer) for option, _ in options),
        f"“{text}”: the answer is {answer!r}, which is none of {labels}. Fix: offer it.",
    )
    return labels


def _veiled(salt: str, said: dict[str, str]) -> dict[str, str]:
    """What is said to each answer, by the hash of the answer; in the hashes' order, which tells nothing."""
    keys = {f"{salt}|{words}": text for words, text in said.items()}
    return dict(sorted((mark(key), veil(text, key)) for key, text in keys.items()))


def _rounded(answer: Any, digits: int | None) -> Iterator[str]:
    """The forms of an answer that was rounded too far, with the number of digits in front."""
    if callable(answer) or isinstance(answer, str):
        return
    values = [float(value) for value in np.ravel(answer)]
    whole = digits is None and all(value == round(value) for value in values)
    longest = max(len(str(abs(round(value)))) for value in values)
    for kept in range(2, longest) if whole else range(1, digits or DIGITS):
        yield f"{kept}~" + ",".join(first_digits(value, kept) for value in values)


def _near(answer: Any, digits: int | None) -> Iterator[str]:
    """The forms of an answer that was rounded twice, or cut off behind the last digit that is wanted."""
    if callable(answer) or isinstance(answer, str):
        return
    values = [float(value) for value in np.ravel(answer)]
    if digits is None and all(value == round(value) for value in values):
        return
    kept = digits or DIGITS
    yield numbers([value * (1 + _TIE) for value in values], digits)
    for more in range(kept + 1, kept + 4):
        yield numbers([rounded(value, more) for value in values], digits)
    yield "cut~" + ",".join(first_digits(cut(value, kept), kept) for value in values)


def _typed(answer: Any) -> Any:
    """An answer as somebody types it; a formula by its values at the points."""
    if callable(answer):
        return [float(answer(*point)) for point in points(len(variables(answer)))]
    if isinstance(answer, str):
        return answer
    return ", ".join(repr(float(value)) for value in np.ravel(answer))


def _chosen(answer: Any, options: tuple) -> tuple[tuple[str, int], ...]:
    return tuple(
        ("right" if _same(option, answer) else "wrong", i)
        for i, (option, _) in enumerate(options)
    )


def _wanted(answer: Any, digits: int | None) -> dict[str, Any]:
    """What the page must know to read an answer: letters and points of a formula, how many numbers, how many digits."""
    if callable(answer):
        letters = variables(answer)
        return {"letters": letters, "points": list(points(len(letters)))}
    if isinstance(answer, str):
        return {}
    return {"count": int(np.size(answer))} | ({"digits": digits} if digits else {})


def _shown(answer: Any) -> str:
    """The answer as it is shown to whoever found it: a number that is not whole."""
    if callable(answer) or isinstance(answer, str) or np.ndim(answer):
        return ""
    return f"It is {_short(answer)}. " if float(answer) != round(answer) else ""


def _step(answer: float, length: float) -> float:
    """The step of a slider: a whole number where the answer is one that was counted."""
    step = length / _FEW
    return max(1, round(step)) if isinstance(answer, (int, np.integer)) else step


def _short(value: float) -> str:
    is_long = _THOUSAND <= abs(value) < _BILLION
    return (
        cell(round(value))
        if is_long or float(value).is_integer()
        else minus(f"{value:.4g}")
    )
