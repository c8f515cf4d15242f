"""What is wrong with a function that ends in an exception, in words for the person who wrote it."""

import re

from transformer_math.checks.recording import Trial

SHAPES = {  # what NumPy's message holds, and what is said
    "matmul": "NumPy cannot multiply two of your matrices: columns of the left one must be as many as rows of the right one.",
    "1- or 2-d": (
        "`np.diag` reads one vector or one matrix, and there may be leading axes: `x[..., :, None] * np.eye(m)` makes a "
        "diagonal for each row."
    ),
    "ellipsis": (
        'There may be leading axes, for batches and heads: write them as `...` in einsum, as in `"...ij,...jd->...id"`.'
    ),
    "broadcast": (
        "NumPy cannot bring two of your shapes together. After a sum, mean or max over an axis, `keepdims=True` keeps "
        "each row's number beside its row."
    ),
}
OTHERS = {  # patterns of other messages
    "truth value of an array": (
        "Python cannot say whether a whole array is true: write `if mask is not None:` for `if mask:`, `a & b` for "
        "`a and b`, and `np.where` where each entry has its own case."
    ),
    "'NoneType' object": (
        "Something is None where a value is wanted: an optional argument that was left out (ask `if x is None` first), or "
        "what a call without a `return` gave."
    ),
    "empty (sequence|iterable)": "`min` or `max` has nothing to choose from: ask first whether anything is left.",
    "gradient is a tuple": (
        "A pullback returns a tuple, even where there is one gradient only: unpack it, as in `(dx,) = pullback(dy)`."
    ),
    "[Pp]robabilities do not sum to 1": (
        "You draw with numbers that do not add up to 1: divide them by their sum, or ask whether they are the shares that are "
        "wanted."
    ),
}
ENDLESS = (
    "Your function calls itself without end: it must answer the simplest case (nothing left) without calling itself, "
    "and each call must hand on less than it was given."
)


ALL = [*SHAPES.values(), *OTHERS.values(), ENDLESS]  # what tells most comes first


def diagnose_exceptions(trials: list[Trial]) -> tuple[str, list[Trial]] | None:
    """What is said where most failing cases ended in exceptions, and the cases of which that is said; None for unknown ones."""
    raised = [t for t in trials if t.raised and t.exception is not None]
    if 2 * len(raised) <= sum(trial.failed for trial in trials):
        return None
    said = [(words, t) for t in raised if (words := _words(t.exception)) is not None]
    if not said:
        return None
    first = min((words for words, _ in said), key=ALL.index)
    return first, [trial for words, trial in said if words == first]


def _words(exception: Exception | None) -> str | None:
    """What is said of one exception, if it is a known one."""
    if isinstance(exception, RecursionError):
        return ENDLESS
    text = str(exception)
    if isinstance(exception, ValueError):
        for part, words in SHAPES.items():
            if part in text:
                return words
    return next(
        (words for part, words in OTHERS.items() if re.search(part, text)), None
    )
