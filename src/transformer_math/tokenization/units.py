"""The units a text can be cut into: characters, words; and the vocabulary that numbers them."""

import re
from collections.abc import Iterable, Sequence

from transformer_math.errors import require

_WORD = re.compile(r"\w+|[^\w\s]")


def characters(text: str) -> list[str]:
    """Cut a text into its Unicode code points.

    Source: Zhang, Zhao and LeCun (2015), arXiv:1509.01626.

    >>> characters("Hello")
    ['H', 'e', 'l', 'l', 'o']
    """
    require(
        text != "",
        'the text is empty; wanted at least one character. Fix: pass some text, e.g. characters("Hello").',
    )
    return list(text)


def words(text: str) -> list[str]:
    r"""Cut a text into words and single punctuation marks; white space is dropped.

        f_word : text -> (t_1, ..., t_n),  the matches of \w+|[^\w\s], from left to right

    Book: eq-words.

    >>> words("Hello, world!")
    ['Hello', ',', 'world', '!']
    """
    found = _WORD.findall(text)
    require(
        found != [],
        f"{text!r} holds no word; wanted at least one that is no white space. Fix: pass some text.",
    )
    return found


def build_vocabulary(
    tokens: Iterable[str], specials: Sequence[str] = ()
) -> dict[str, int]:
    """Number the distinct tokens: the special ones first, then the others in the order of their code points.

        V : token -> {0, ..., |V| - 1}

    Book: eq-vocabulary.

    >>> build_vocabulary(["b", "a", "b"], specials=["[UNK]"])
    {'[UNK]': 0, 'a': 1, 'b': 2}
    """
    ordinary = sorted(set(tokens) - set(specials))
    require(
        ordinary != [] or len(specials) > 0,
        "there are no tokens to number; wanted at least one. Fix: pass some.",
    )
    return {token: number for number, token in enumerate([*specials, *ordinary])}


def tokens_to_ids(tokens: Sequence[str], vocabulary: dict[str, int]) -> list[int]:
    """Look up each token's number; a token without one becomes `[UNK]` where the vocabulary has that token.

    Raises ValueError for an unknown token where it has not.

    >>> tokens_to_ids(["a", "z"], {"[UNK]": 0, "a": 1})
    [1, 0]
    """
    unknown = vocabulary.get("[UNK]")
    missing = next((token for token in tokens if token not in vocabulary), None)
    require(
        missing is None or unknown is not None,
        f"the token {missing!r} is not among the {len(vocabulary)} of the vocabulary. "
        'Fix: build it with specials=["[UNK]"], or from a text that holds the token.',
    )
    return [vocabulary.get(token, unknown) for token in tokens]


def ids_to_tokens(ids: Sequence[int], vocabulary: dict[str, int]) -> list[str]:
    """Read tokens off their numbers: the inverse of `tokens_to_ids`.

    >>> ids_to_tokens([1, 0], {"a": 0, "b": 1})
    ['b', 'a']
    """
    tokens = {number: token for token, number in vocabulary.items()}
    outside = next((number for number in ids if number not in tokens), None)
    require(
        outside is None,
        f"the id {outside} is outside 0..{len(tokens) - 1}. Fix: use ids of this vocabulary.",
    )
    return [tokens[number] for number in ids]
