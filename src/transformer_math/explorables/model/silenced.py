"""Heads that are switched off, by names such as "self.0.2": kind of attention, layer, head."""

from collections.abc import Mapping, Sequence
from typing import Any

from transformer_math.explorables._traits import require
from transformer_math.trained.ablation import without_heads


def all_heads(kinds: Sequence[str], layers: int, heads: int) -> list[str]:
    """The names of all heads.

    >>> all_heads(["self"], 1, 2)
    ['self.0.0', 'self.0.1']
    """
    return [f"{k}.{l}.{h}" for k in kinds for l in range(layers) for h in range(heads)]


def known_heads(off: Sequence[str], known: Sequence[str]) -> list[str]:
    """The names, unless one is no head of the model."""
    unknown = [name for name in off if name not in known]
    require(
        unknown == [],
        f"off holds {unknown[:1]}; wanted names such as {known[0]!r} (kind, layer, head), up to {known[-1]!r}.",
    )
    return list(off)


def silenced(
    parameters: Any, off: Sequence[str], places: Mapping[str, str], n_heads: int
) -> Any:
    """The model without what some heads found; `places` says for each kind where its attentions stand, `{}` the layer."""
    for name in off:
        kind, layer, head = name.split(".")
        place = places[kind].format(layer)
        parameters = without_heads(parameters, place, [int(head)], n_heads)
    return parameters
