"""What a tokenizer must be, in a file or made by hand, looked at before it is believed: each fault is a ValueError."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from transformer_math.errors import require
from transformer_math.tokenization._ids import is_whole
from transformer_math.tokenization._sound_bpe import fault_of_bpe, twice
from transformer_math.tokenization.bpe import BPE


def entry(plain: Any, name: str) -> Any:
    """The entry of that name."""
    require(
        isinstance(plain, Mapping) and name in plain,
        f"the file lacks {name!r}. Fix: pass a whole file, as it was written.",
    )
    return plain[name]


def texts(value: Any, name: str, empty: bool = False) -> list[str]:
    """A list of distinct texts that UTF-8 can write; several may be empty where that is said."""
    require(
        isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value),
        f"{name} is {value!r:.60}; wanted a list of texts. Fix: pass a file as it was written.",
    )
    odd = next((one for one in value if not _sound(one) or not (one or empty)), None)
    require(
        odd is None,
        f"{name} holds {odd!r:.60}, which is no text that can be written. Fix: leave it out.",
    )
    named = [one for one in value if one]
    require(
        len(set(named)) == len(named),
        f"{name} holds {twice(named)!r:.60} twice. Fix: each once, since each has one id.",
    )
    return list(value)


def one_text(value: Any, name: str) -> str:
    """A text that UTF-8 can write."""
    require(
        isinstance(value, str) and _sound(value),
        f"{name} is {value!r:.60}; wanted a text. Fix: pass a file as it was written.",
    )
    return value


def scores(value: Any, name: str, size: int) -> list[float]:
    """As many numbers as there are pieces; minus infinity is one."""
    require(
        isinstance(value, (list, tuple)) and len(value) == size,
        f"{name} is not a list of {size} numbers, one for each piece. Fix: pass a file as it was written.",
    )
    odd = [one for one in value if not _is_score(one)]
    require(not odd, f"{name} holds {odd[:1]!r:.60}; wanted numbers. Fix: log(p).")
    return [float(one) for one in value]


def numbered(value: Any, name: str, gaps: bool = False) -> dict[str, int]:
    """Texts with their ids 0, 1, 2, …, each once; with gaps where that is said."""
    require(
        isinstance(value, Mapping)
        and all(isinstance(one, str) and _sound(one) for one in value),
        f"{name} is {value!r:.60}; wanted texts with their ids. Fix: build_vocabulary(tokens), or a file as it was written.",
    )
    odd = [one for one in value.values() if not is_whole(one) or one < 0]
    require(
        not odd,
        f"{name} holds the ids {odd[:1]!r:.60}; wanted whole numbers. Fix: 0, 1, 2, …",
    )
    ids = sorted(value.values())
    require(
        len(set(ids)) == len(ids),
        f"{name} has the id {twice(ids)} twice. Fix: an id of its own for each token.",
    )
    require(
        gaps or ids == list(range(len(ids))),
        f"{name} has gaps between its ids. Fix: number its tokens 0, 1, 2, …, each once.",
    )
    return dict(value)


def whole(value: Any, name: str) -> int:
    """A whole number of at least 1."""
    require(
        is_whole(value) and value >= 1,
        f"{name} is {value!r:.60}; wanted a whole number, at least 1. Fix: 100.",
    )
    return value


def bpe_of(tokens: Sequence, triples: Any) -> BPE:
    """A BPE whose merges a file has as triples of ids, no pair twice."""
    merges: dict[tuple[int, int], int] = {}
    require(
        isinstance(triples, (list, tuple)),
        f"merges is {triples!r:.60}; wanted a list. Fix: pass a file as it was written.",
    )
    for triple in triples:
        require(
            isinstance(triple, (list, tuple))
            and len(triple) == 3
            and all(is_whole(number) for number in triple),
            f"the merge {triple!r:.60} is not three ids in 0..{len(tokens) - 1}. Fix: pass a file as it was written.",
        )
        first, second, made = triple
        require(
            (first, second) not in merges,
            f"the merge {triple} stands twice in the file. Fix: leave the second one out.",
        )
        merges[first, second] = made
    return BPE(tuple(tokens), merges)


def require_sound(bpe: BPE) -> None:
    """Raise ValueError unless the merges join tokens that are there into the token that they spell."""
    fault = fault_of_bpe(*bpe)
    require(not fault, fault)


def require_all_bytes(tokens: Sequence[bytes]) -> None:
    """Raise ValueError unless each of the 256 bytes is a token, so that every text can be written."""
    missing = {bytes([byte]) for byte in range(256)} - set(tokens)
    require(
        not missing,
        f"{len(missing)} of the 256 bytes have no token, {min(missing, default=b'')!r} first. Fix: train with all bytes.",
    )


def _sound(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _is_score(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and not math.isnan(value) and value < math.inf
