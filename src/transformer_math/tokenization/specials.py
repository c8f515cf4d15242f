"""Special tokens: put in by the program, by their ids, never read from a text, however it is spelt."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from transformer_math.contract import contract, requires
from transformer_math.errors import require
from transformer_math.tokenization.bpe import BPE


class Special(NamedTuple):
    """A special token among the parts of a message, by its name. A text that spells the name is no such thing."""

    name: str


@contract
@requires(
    lambda parts: not isinstance(parts, (str, bytes, Special)),
    "parts is one text or token, {parts!r:.40}; wanted a list of texts and special tokens. Fix: [{parts!r:.40}].",
)
def encode_parts(
    parts: Iterable,
    encode: Callable[[str], list[int]],
    specials: Mapping[str, int],
) -> list[int]:
    """Encode a message that a program put together: texts by `encode`, special tokens by their ids.

    Raises ValueError for a special token without an id.

    >>> encode_parts([Special("<|end|>"), "<|"], lambda text: [*text.encode()], {"<|end|>": 256})
    [256, 60, 124]
    """
    return [
        number
        for part in parts
        for number in (
            [_known(part, specials)] if isinstance(part, Special) else encode(part)
        )
    ]


@contract
def require_unforgeable(bpe: BPE, specials: Mapping[str, int]) -> None:
    """Raise ValueError unless the special tokens have places of their own, which no merge and no byte leads to.

    Their places in `bpe.tokens` hold no text. An encoder gives the ids of single bytes and of what merges make; so no
    text has the id of a special token.

    >>> require_unforgeable(BPE((b"a", b""), {}), {"<|end|>": 1})
    """
    empty = {number for number, token in enumerate(bpe.tokens) if token == b""}
    require(
        set(specials.values()) == empty and len(specials) == len(empty),
        f"the special tokens {dict(specials)} and the tokens without text, {sorted(empty)}, are not the same. "
        "Fix: give each special token a place of its own, which holds b''.",
    )
    made = empty & set(bpe.merges.values())
    require(
        not made,
        f"a merge makes the special token {min(made, default=0)}, so a text could forge it. Fix: leave that merge out.",
    )


def _known(special: Special, specials: Mapping[str, int]) -> int:
    require(
        special.name in specials,
        f"{special.name!r} is none of the special tokens {sorted(specials)}. Fix: train with it, or spell it right.",
    )
    return specials[special.name]
