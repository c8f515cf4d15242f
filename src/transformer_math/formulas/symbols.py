"""From names in the code to symbols on the page: what a function's arguments are called in its printed formula."""

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin

from transformer_math.attention.multi_head import AttentionParameters
from transformer_math.contract import Pullback

# Where a symbol is not the argument's own name. Keys are what the code writes, values what the runner of formulas looks for.
SYMBOLS = {
    "W": "W^Q",
    "W_K": "W^K",
    "W_O": "W^O",
    "W_Q": "W^Q",
    "W_V": "W^V",
    "W_out": "W^out",
    "a_K": "a^K",
    "a_V": "a^V",
    "b_K": "b^K",
    "b_O": "b^O",
    "b_Q": "b^Q",
    "b_V": "b^V",
    "b_out": "b^out",
    "angles": "a",
    "base": "b",
    "byte": "x",
    "code_point": "c",
    "eps": "varepsilon",
    "ids": "t",
    "itemsize": "c",
    "l": "ell",
    "lengths": "length",
    "E_source": "E^source",
    "E_target": "E^target",
    "mask": "M",
    "mass": "theta",
    "memory": "Y",
    "n_heads": "H",
    "n_layers": "N",
    "offset": "k",
    "prefix": "p",
    "smoothing": "alpha",
    "source": "Y",
    "source_ids": "s",
    "target_ids": "t",
    "temperature": "T",
    "unknown": "u",
    "update": "O'",
    "vocab_size": "V",
    "weights": "a",
    "window": "w",
}


def symbol(name: str) -> str:
    """The symbol of an argument."""
    return SYMBOLS.get(name, name)


def core(annotation: Any) -> list[str] | None:
    """The letters of an annotation's own axes, without those in front that stand for batches; None where it is no array.

    >>> import numpy as np
    >>> from jaxtyping import Float
    >>> core(Float[np.ndarray, "... n d_k"])
    ['n', 'd_k']
    """
    union = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else ()
    for part in (annotation, *union):
        dims = getattr(part, "dim_str", None)
        if dims is not None:
            return [axis for axis in dims.split() if axis != "..." and "*" not in axis]
    return None


def sizes_of(function: Callable) -> list[list[str]]:
    """The letters of each array that a function takes, in order; after them those of the value that a twin pulls back from."""
    signature = inspect.signature(function)
    kinds = [parameter.annotation for parameter in signature.parameters.values()]
    value, *others = get_args(signature.return_annotation) or (None,)
    kinds += [value] if others == [Pullback] else []
    return [own for kind in kinds if (own := core(kind)) is not None]


def parameters_as_symbols(tree: Any, n_heads: int) -> dict[str, Any]:
    """A tree of parameters as symbols: each head's piece by itself, each part's parameters under the part's name."""
    out: dict[str, Any] = {}
    for field in fields(tree):
        for name, value in _part(
            field.name, getattr(tree, field.name), n_heads
        ).items():
            out[name] = value
    if isinstance(tree, AttentionParameters):
        out |= {
            "d_k": tree.W_Q.shape[1] // n_heads,
            "d_v": tree.W_V.shape[1] // n_heads,
        }
    return out


_PARTS = {
    "attention": "MultiHead",
    "self_attention": "MaskedMultiHead",
    "cross_attention": "MultiHead",
    "rotary_attention": "RotaryAttention",
    "feed_forward": "FFN",
    "encoder": "Encoder",
    "decoder": "Decoder",
    "time": "Time",
    "space": "Space",
    "norm": "LayerNorm",
    "norm_1": "LayerNorm_1",
    "norm_2": "LayerNorm_2",
    "norm_3": "LayerNorm_3",
}


def _part(name: str, value: Any, n_heads: int) -> dict[str, Any]:
    if name == "layers":
        return layers_as_symbols(value, n_heads)
    if name in ("encoder", "decoder"):
        return {_PARTS[name]: {"parameters": layers_as_symbols(value, n_heads)}}
    if is_dataclass(value):
        return {_PARTS[name]: {"parameters": parameters_as_symbols(value, n_heads)}}
    return {symbol(name): _by_head(name, value, n_heads)}


def _by_head(name: str, value: Any, n_heads: int) -> Any:
    if name in ("W_Q", "W_K", "W_V"):
        return value.reshape(len(value), n_heads, -1).swapaxes(0, 1)
    return value.reshape(n_heads, -1) if name in ("b_Q", "b_K", "b_V") else value


def layers_as_symbols(
    layers: Any, n_heads: int, name: str | None = None
) -> dict[str, Any]:
    """The parameters of a stack: those of EncoderLayer_1 to EncoderLayer_N, or under another name."""
    own = {
        f"{name or type(layer).__name__.removesuffix('Parameters')}_{number}": {
            "parameters": parameters_as_symbols(layer, n_heads)
        }
        for number, layer in enumerate(layers, 1)
    }
    return own | {"N": len(layers)}
