"""A trained tokenizer as plain JSON, and back: the name of its class, and what it learnt."""

import json
from typing import Any

from transformer_math.contract import Text, contract
from transformer_math.errors import require
from transformer_math.tokenization.tokenizers import Tokenizer


@contract
def to_json(tokenizer: Tokenizer) -> str:
    """Write any tokenizer of the book as JSON; `from_json` makes an equal one.

    >>> from transformer_math.tokenization import WordTokenizer
    >>> to_json(WordTokenizer.train("to be or not to be", 3))
    '{"type": "WordTokenizer", "ids": {"[UNK]": 0, "be": 1, "to": 2}}'
    """
    plain = {"type": type(tokenizer).__name__, **tokenizer.to_plain()}
    return json.dumps(plain, ensure_ascii=False)


@contract
def from_json(text: Text) -> Tokenizer:
    """Read a tokenizer that `to_json` wrote. Raises ValueError for what it did not write.

    >>> from_json('{"type": "ByteTokenizer"}').encode("hi")
    [104, 105]
    """
    plain = parsed(text)
    kinds = {kind.__name__: kind for kind in Tokenizer.__subclasses__()}
    name: Any = plain.get("type") if isinstance(plain, dict) else None
    require(
        isinstance(name, str) and name in kinds,
        f"the JSON is of type {name!r}; wanted one of {', '.join(sorted(kinds))}. Fix: pass what to_json(...) wrote.",
    )
    return kinds[name].from_plain(plain)


@contract
def parsed(text: Text) -> Any:
    """What a JSON text says. Raises ValueError for what is no JSON.

    >>> parsed("[1]")
    [1]
    """
    try:
        return json.loads(text, object_pairs_hook=_once, parse_int=_integer)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(
            f"the text is no JSON: {error}. Fix: pass a whole file."
        ) from None


def _integer(digits: str) -> int:
    require(
        len(digits) < 20,
        f"the JSON has a whole number of {len(digits)} digits, {digits[:20]}…; wanted ids and sizes. Fix: pass a whole file.",
    )
    return int(digits)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    require(
        len(found) == len(pairs),
        f"the JSON has two entries of one name among {list(found)[:3]}. Fix: leave the second one out.",
    )
    return found
