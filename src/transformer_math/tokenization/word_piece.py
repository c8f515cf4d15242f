"""WordPiece, the tokenizer of BERT: each word is cut from the left, and every cut takes the longest piece that fits."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from transformer_math.contract import Text, Whole, contract, requires
from transformer_math.errors import require
from transformer_math.tokenization._ids import known_ids
from transformer_math.tokenization.pretokenization import SEPARATORS, _all


class WordPiece(NamedTuple):
    """A vocabulary, and how it is read: the token for what cannot be cut, the mark of a piece that goes on in a word.

    A word of more than `longest_word` characters is not cut at all, as in BERT: it becomes `unknown`.
    """

    vocabulary: Mapping[str, int]
    unknown: str = "[UNK]"
    prefix: str = "##"
    longest_word: int = 100


_has_unknown = requires(
    lambda word_piece: word_piece.unknown in word_piece.vocabulary,
    "the vocabulary lacks the token for unknown words. Fix: WordPiece({{'[UNK]': 0, ...}}).",
)


@contract
def bert_words(text: Text) -> list[str]:
    r"""Cut a text as BERT does before it looks for pieces: at white space, and around every punctuation mark.

    A mark is an ASCII sign that is no letter, digit or control code, or a character of a Unicode category P.
    Source: Devlin et al. (2019), arXiv:1810.04805, `BasicTokenizer`.

    >>> bert_words("Don't say $5!")
    ['Don', "'", 't', 'say', '$', '5', '!']
    """
    return _bert_chunk().findall(text)


@contract
@_has_unknown
@requires(
    lambda start, word: 0 <= start < len(word),
    "start is {start}, outside the word {word!r}. Fix: a place in 0..len(word) - 1.",
)
def longest_piece(word: Text, start: Whole, word_piece: WordPiece) -> int:
    """Where the longest piece ends that begins at `start`; 0 where no piece fits.

        e_i = max_j  j * M_ij,   M_ij = [ the characters i, ..., j - 1 of the word are a piece ]

    Book: eq-longest-piece.

    >>> longest_piece("unable", 2, WordPiece({"[UNK]": 0, "un": 1, "##a": 2, "##able": 3}))
    6
    """
    mark = word_piece.prefix if start else ""
    ends = range(len(word), start, -1)
    fits = (end for end in ends if mark + word[start:end] in word_piece.vocabulary)
    return next(fits, 0)


_longest_piece = longest_piece.__wrapped__  # without its contract, for every piece


@contract
@_has_unknown
@requires(
    lambda words: not isinstance(words, str),
    "words is one text, {words!r:.40}; wanted a list of them. Fix: [word], or bert_words(text).",
)
def encode_word_piece(words: Iterable[str], word_piece: WordPiece) -> list[int]:
    """Encode words: from the left, take the longest piece that fits, and go on behind it.

    A word becomes `unknown` as a whole where no piece fits at some place, or where it is longer than `longest_word`.
    Book: eq-longest-piece. Source: Devlin et al. (2019), arXiv:1810.04805, `WordpieceTokenizer`.

    >>> word_piece = WordPiece({"[UNK]": 0, "un": 1, "##a": 2, "##able": 3})
    >>> encode_word_piece(["unable", "una", "able"], word_piece)
    [1, 3, 1, 2, 0]
    """
    encoded: dict[str, list[int]] = {}
    out: list[int] = []
    for word in words:
        if word not in encoded:
            encoded[word] = _encode_word(word, word_piece)
        out += encoded[word]
    return out


@contract
@requires(
    lambda word_piece: (
        sorted(word_piece.vocabulary.values())
        == list(range(len(word_piece.vocabulary)))
    ),
    "the vocabulary does not number its tokens 0, 1, 2, ..., each once. Fix: build_vocabulary(tokens).",
)
def decode_word_piece(ids: Iterable[int], word_piece: WordPiece) -> str:
    """Read a text off its ids: a piece that goes on is glued to what stands before it, all else gets a space.

    The white space of the text is lost, and so is what became `unknown`. Raises ValueError for what is no id.

    >>> decode_word_piece([1, 2, 0], WordPiece({"[UNK]": 0, "un": 1, "##able": 2}))
    'unable [UNK]'
    """
    tokens = {number: token for token, number in word_piece.vocabulary.items()}
    found = [tokens[number] for number in known_ids(ids, len(tokens))]
    mark = word_piece.prefix
    glued = [
        token.removeprefix(mark) if token.startswith(mark) else " " + token
        for token in found[1:]
    ]
    return "".join(found[:1] + glued)


def _encode_word(word, word_piece: WordPiece) -> list[int]:
    require(
        isinstance(word, str),
        f"the words hold {word!r}; wanted texts. Fix: bert_words(text).",
    )
    vocabulary, unknown, prefix, longest_word = word_piece
    if len(word) > longest_word:
        return [vocabulary[unknown]]
    ids, start = [], 0
    while start < len(word):
        end = _longest_piece(word, start, word_piece)
        if end == 0:
            return [vocabulary[unknown]]
        ids.append(vocabulary[(prefix if start else "") + word[start:end]])
        start = end
    return ids


@cache
def _bert_chunk() -> re.Pattern:
    """A punctuation mark, or a run of what is neither one nor white space."""
    space = _all(lambda c: c.isspace() and c not in SEPARATORS)
    marks = _all(_is_mark)
    return re.compile(f"[{marks}]|[^{marks}{space}]+")


def _is_mark(character: str) -> bool:
    if character.isascii():
        return "!" <= character <= "~" and not character.isalnum()
    return unicodedata.category(character).startswith("P")
