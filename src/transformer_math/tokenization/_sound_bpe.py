"""What a BPE must be, whoever made it: a file, a training or a hand."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from transformer_math.tokenization._ids import is_whole


def fault_of_bpe(tokens: Sequence, merges: Mapping) -> str:
    """What keeps a BPE from being one, with what to do; an empty text where its merges join tokens into what they spell.

    >>> fault_of_bpe(("a", "b", "ab"), {(0, 1): 2})
    ''
    >>> fault_of_bpe(("a", "b", "zz"), {(0, 1): 2})
    "the merge (0, 1) → 2 joins 'a' and 'b' into 'zz'. Fix: the id of the token that the two spell."
    """
    kinds = {type(token) for token in tokens}
    if kinds not in ({str}, {bytes}):
        return f"the tokens are {sorted(k.__name__ for k in kinds)}; wanted all str or all bytes. Fix: train_bpe makes a BPE."
    named = [token for token in tokens if token]
    if len(set(named)) < len(named):
        return f"the tokens hold {twice(named)!r:.60} twice. Fix: each once, since each has one id."
    faults = (_fault_of_merge(pair, made, tokens) for pair, made in merges.items())
    return next(filter(None, faults), "")


def twice(values: Sequence) -> Any:
    """The first of the values that stands more than once."""
    return next((one for one, times in Counter(values).items() if times > 1), None)


def _fault_of_merge(pair: Any, made: Any, tokens: Sequence) -> str:
    ids = (*pair, made) if isinstance(pair, tuple) else ()
    if (
        len(ids) != 3
        or not all(map(is_whole, ids))
        or not 0 <= min(ids) <= max(ids) < len(tokens)
    ):
        return f"the merge {pair!r:.40} → {made!r:.40} is not three ids in 0..{len(tokens) - 1}. Fix: train_bpe makes a BPE."
    first, second, whole = (tokens[number] for number in ids)
    if first + second != whole or whole in (first, second):
        return (
            f"the merge {pair} → {made} joins {first!r} and {second!r} into {whole!r}. "
            "Fix: the id of the token that the two spell."
        )
    return ""
