"""Heads that are switched off, by names such as "self.0.2": kind of attention, layer, head."""

from collections.abc import Mapping, Sequence
from typing import Any

import traitlets

from transformer_math.explorables._traits import require
from transformer_math.trained.ablation import without_heads


def all_heads(kinds: Sequence[str], layers: int, heads: int) -> list[str]:
    """The names of all heads.

    >>> all_heads(["self"], 1, 2)
    ['self.0.0', 'self.0.1']
    """
    return [f"{k}.{l}.{h}" for k in kinds for l in range(layers) for h in range(heads)]


class HeadsOff(traitlets.List):
    """The names of heads that are switched off, of a model with so many layers and heads.

    >>> class Model(traitlets.HasTraits):
    ...     off = HeadsOff(["self"], 1, 2)
    >>> Model(off=["self.0.2"])
    Traceback (most recent call last):
    transformer_math.explorables._traits.InvalidState: off holds 'self.0.2'; wanted names from 'self.0.0' to 'self.0.1'.
    """

    def __init__(self, kinds: Sequence[str], layers: int, heads: int):
        super().__init__(traitlets.Unicode())
        self.known = all_heads(kinds, layers, heads)
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> list[str]:
        """The names, unless one is no head of the model."""
        names = super().validate(obj, value)
        unknown = [name for name in names if name not in self.known]
        first, last = self.known[0], self.known[-1]
        require(
            unknown == [],
            f"{self.name} holds {', '.join(unknown)!r:.40}; wanted names from {first!r} to {last!r}.",
        )
        return names


def silenced(
    parameters: Any, off: Sequence[str], places: Mapping[str, str], n_heads: int
) -> Any:
    """The model without what some heads found; `places` says for each kind where its attentions stand, `{}` the layer."""
    for name in off:
        kind, layer, head = name.split(".")
        place = places[kind].format(layer)
        parameters = without_heads(parameters, place, [int(head)], n_heads)
    return parameters
