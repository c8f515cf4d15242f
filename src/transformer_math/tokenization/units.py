"""The units a text can be cut into: characters, words; and the vocabulary that numbers them."""

import re
from collections.abc import Iterable, Sequence

from transformer_math.contract import Text, Whole, contract, requires
from transformer_math.tokenization._ids import is_numbered, known_ids
from transformer_math.tokenization._words import require_texts


@contract
def characters(text: Text) -> list[str]:
    """Cut a text into its Unicode code points.

    Source: Zhang, Zhao and LeCun (2015), arXiv:1509.01626.

    >>> characters("Hello")
    ['H', 'e', 'l', 'l', 'o']
    """
    return list(text)


@contract
@requires(
    lambda text: not text.isspace(),
    "the text {text!r} holds no word, only white space. Fix: pass some text.",
)
def words(text: Text) -> list[str]:
    r"""Cut a text into words and single punctuation marks; white space is dropped.

        f_word : text ↦ (t_0, …, t_{n-1})
        t_i = match i of \w+|[^\w\s]

    Book: eq-words.

    >>> words("Hello, world!")
    ['Hello', ',', 'world', '!']
    """
    return re.findall(r"\w+|[^\w\s]", text)


@contract
@requires(
    lambda specials: len(set(specials)) == len(specials),
    "a special token stands twice in {specials}; wanted each once, since each gets one id. Fix: dict.fromkeys(specials).",
)
def build_vocabulary(
    tokens: Iterable[str], specials: Sequence[str] = ()
) -> dict[str, int]:
    """Number the distinct tokens: the special ones first, then the others in the order of their code points.

        V : token ↦ id ∈ {0, …, V - 1}

    Raises ValueError for no tokens, for tokens that are no texts, and for a special token that stands twice.
    Book: eq-vocabulary.

    >>> build_vocabulary(["b", "a", "b"], specials=["[UNK]"])
    {'[UNK]': 0, 'a': 1, 'b': 2}
    """
    found = set(tokens)
    require_texts(found)
    ordinary = sorted(found - set(specials))
    return {token: number for number, token in enumerate([*specials, *ordinary])}


@contract
@requires(
    lambda tokens, vocabulary: (
        "[UNK]" in vocabulary or vocabulary.keys() >= set(tokens)
    ),
    lambda tokens, vocabulary: (
        f"the token {next(t for t in tokens if t not in vocabulary)!r} is not among the {len(vocabulary)} of the vocabulary. "
        'Fix: build it with specials=["[UNK]"], or from a text that holds the token.'
    ),
)
def tokens_to_ids(tokens: Sequence[str], vocabulary: dict[str, int]) -> list[int]:
    """Look up each token's number; a token without one becomes `[UNK]` where the vocabulary has that token.

    Raises ValueError for an unknown token where it has not.

    >>> tokens_to_ids(["a", "z"], {"[UNK]": 0, "a": 1})
    [1, 0]
    """
    return [vocabulary[token if token in vocabulary else "[UNK]"] for token in tokens]


@contract
@requires(
    is_numbered,
    "the vocabulary does not number its tokens 0, 1, 2, ..., each once. Fix: build_vocabulary(tokens).",
)
def ids_to_tokens(ids: Sequence[int], vocabulary: dict[str, int]) -> list[str]:
    """Read tokens off their numbers: the inverse of `tokens_to_ids`.

    Raises ValueError for an id that is no whole number, or of no token.

    >>> ids_to_tokens([1, 0], {"a": 0, "b": 1})
    ['b', 'a']
    """
    tokens = {number: token for token, number in vocabulary.items()}
    return [tokens[number] for number in known_ids(ids, len(tokens))]


@contract
@requires(
    lambda ids: len(ids) > 0,
    "there are no ids to count. Fix: pass those of some text.",
)
def unknown_share(ids: Sequence[int], unknown: Whole) -> float:
    r"""The share of tokens for which the vocabulary has no number of their own.

        unknown(t) = 1/n Σ_{i=0}^(n-1) [t_i = u]

    Book: eq-unknown-share.

    >>> unknown_share([4, 0, 2, 0], unknown=0)
    0.5
    """
    return sum(number == unknown for number in ids) / len(ids)
