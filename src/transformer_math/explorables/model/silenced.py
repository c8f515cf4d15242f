"""Heads that are switched off: what they found is left out, as if the rows of W_O that read them were 0."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from transformer_math.attention.multi_head import AttentionParameters
from transformer_math.explorables._traits import require

N_HEADS = 4  # of all models in the page


def heads_off(off: Sequence[str], kind: str, layer: int) -> list[int]:
    """The heads of a layer among names such as "self.0.2" (kind, layer, head).

    >>> heads_off(["self.0.2", "self.1.0"], "self", 0)
    [2]
    """
    split = [name.split(".") for name in off]
    return [int(h) for k, l, h in split if (k, l) == (kind, str(layer))]


def known_heads(off: Sequence[str], kinds: Sequence[str], layers: int) -> list[str]:
    """The names, unless one is no head of the model."""
    known = [
        f"{k}.{l}.{h}" for k in kinds for l in range(layers) for h in range(N_HEADS)
    ]
    unknown = [name for name in off if name not in known]
    require(
        unknown == [],
        f"off holds {unknown[:1]}; wanted names such as {known[0]!r}: {' or '.join(kinds)}, layer, head.",
    )
    return list(off)


def without(layer, heads: Mapping[str, Sequence[int]]):
    """A layer whose attentions, by their field, leave out what some heads found."""
    changed = {
        field: _silenced(getattr(layer, field), off) for field, off in heads.items()
    }
    return replace(layer, **changed)


def _silenced(
    attention: AttentionParameters, heads: Sequence[int]
) -> AttentionParameters:
    by_head = attention.W_O.copy().reshape(N_HEADS, -1, attention.W_O.shape[1])
    by_head[list(heads)] = 0
    return replace(attention, W_O=by_head.reshape(attention.W_O.shape))
