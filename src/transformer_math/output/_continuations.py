"""One step of a beam search: what can become of one of its sequences."""

from collections.abc import Callable

import numpy as np

from transformer_math.output.probabilities import log_softmax


def continuations(
    next_logits: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    added: tuple[int, ...],
    log_p: float,
    width: int,
    end: int | None = None,
) -> dict[tuple[int, ...], float]:
    """What can become of one sequence of a beam, with its log-probability: one token more, of the `width` likeliest.

    Others cannot be among the `width` best. A sequence that has come to `end` stays as it is.

    >>> list(continuations(lambda ids: np.log([0.25, 0.75]), np.array([0]), (1,), -0.5, width=1))
    [(1, 1)]
    """
    if added and added[-1] == end:
        return {added: log_p}
    logits = next_logits(np.array([*start, *added]))
    of_next = log_softmax(logits)
    likeliest = np.argsort(-logits, kind="stable")[:width]
    possible = [int(v) for v in likeliest if logits[v] > -np.inf]
    return {(*added, v): log_p + float(of_next[v]) for v in possible}
