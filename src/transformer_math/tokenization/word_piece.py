"""WordPiece, the tokenizer of BERT: each word is cut from the left, and every cut takes the longest piece that fits."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from transformer_math.contract import Text, Whole, contract, requires
from transformer_math.tokenization._ids import is_numbered, known_ids
from transformer_math.tokenization._words import require_word
from transformer_math.tokenization.pretokenization import _category, _matching, _space


class WordPiece(NamedTuple):
    """A vocabulary, and how it is read: the token for what cannot be cut, the mark of a piece that goes on in a word.

    A word of more than `longest_word` characters is not cut at all: it becomes `unknown`. BERT's own code has 200 there,
    Hugging Face's 100.
    """

    vocabulary: Mapping[str, int]
    unknown: str = "[UNK]"
    prefix: str = "##"
    longest_word: int = 100


_has_unknown = requires(
    lambda word_piece: word_piece.unknown in word_piece.vocabulary,
    "the vocabulary lacks the token for unknown words. Fix: WordPiece({{'[UNK]': 0, ...}}).",
)
_numbered = requires(
    lambda word_piece: is_numbered(word_piece.vocabulary),
    "the vocabulary does not number its tokens 0, 1, 2, ..., each once. Fix: build_vocabulary(tokens).",
)


@contract
def split_on_marks(text: str) -> list[str]:
    r"""Cut a text at white space, and around every punctuation mark, as Hugging Face's `BertPreTokenizer` does.

    A mark is an ASCII sign that is no letter, digit or control code, or a character of a Unicode category P.

    >>> split_on_marks("Don't say $5!")
    ['Don', "'", 't', 'say', '$', '5', '!']
    """
    return _chunk_of_marks().findall(text)


@contract
def bert_words(text: str) -> list[str]:
    """Cut a text as BERT does before it looks for pieces: at white space, around every mark, around every CJK ideograph.

    NUL, U+FFFD, control codes and formatting characters are deleted first. The models that keep upper case cut so.
    Source: Devlin et al. (2019), arXiv:1810.04805, `BasicTokenizer`.

    >>> bert_words("Don't say 白鲸!")
    ['Don', "'", 't', 'say', '白', '鲸', '!']
    """
    return _bert_chunk().findall(_deleted().sub("", text))


@contract
def bert_words_uncased(text: str) -> list[str]:
    """`bert_words` of a text in lower case and without accents, as BERT's models without upper case cut it.

    Source: Devlin et al. (2019), arXiv:1810.04805, `BasicTokenizer`.

    >>> bert_words_uncased("Élan vital, naïve")
    ['elan', 'vital', ',', 'naive']
    """
    lower = _deleted().sub("", text).lower()
    marks = unicodedata.normalize("NFD", lower)
    return bert_words("".join(c for c in marks if unicodedata.category(c) != "Mn"))


@contract
def bert_places(text: str) -> list[tuple[str, list[int]]]:
    """The words of `bert_words`, each with the places of its characters in the text.

    >>> bert_places("my wha" + chr(0) + "le")
    [('my', [0, 1]), ('whale', [3, 4, 5, 7, 8])]
    """
    found, deleted = [], _deleted()
    for match in _bert_chunk().finditer(text):
        places = [
            place for place in range(*match.span()) if not deleted.match(text, place)
        ]
        if places:
            found.append(("".join(map(text.__getitem__, places)), places))
    return found


@contract
@_has_unknown
@requires(
    lambda start, word: 0 <= start < len(word),
    "start is {start}, outside the word {word!r}. Fix: a place in 0..len(word) - 1.",
)
def longest_piece(word: Text, start: Whole, word_piece: WordPiece) -> int:
    """Where the longest piece ends that begins at `start`; 0 where no piece fits.

        end(i) = max u
        u_j = j M_ij

    Book: eq-longest-piece.

    >>> longest_piece("unable", 2, WordPiece({"[UNK]": 0, "un": 1, "##a": 2, "##able": 3}))
    6
    """
    mark = word_piece.prefix if start else ""
    ends = range(len(word), start, -1)
    fits = (end for end in ends if mark + word[start:end] in word_piece.vocabulary)
    return next(fits, 0)


@contract
@_has_unknown
def encode_word(word: str, word_piece: WordPiece) -> list[int]:
    """Encode one word: from the left, take the longest piece that fits, and go on after it.

    It becomes `unknown` as a whole where no piece fits at some place, or where it is longer than `longest_word`.
    Source: Devlin et al. (2019), arXiv:1810.04805, `WordpieceTokenizer`.

    >>> encode_word("unable", WordPiece({"[UNK]": 0, "un": 1, "##a": 2, "##able": 3}))
    [1, 3]
    """
    vocabulary, unknown, prefix, longest_word = word_piece
    if len(word) > longest_word:
        return [vocabulary[unknown]]
    ids, start = [], 0
    while start < len(word):
        end = longest_piece(word, start, word_piece)
        if end == 0:
            return [vocabulary[unknown]]
        ids.append(vocabulary[prefix * (start > 0) + word[start:end]])
        start = end
    return ids


@contract
@_has_unknown
@_numbered
def encode_word_piece(words: Iterable[str], word_piece: WordPiece) -> list[int]:
    """Encode words: from the left, take the longest piece that fits, and go on after it.

        end(i) = max u
        u_j = j M_ij

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
            require_word(word)
            encoded[word] = encode_word(word, word_piece)
        out += encoded[word]
    return out


@contract
@_numbered
def decode_word_piece(ids: Iterable[int], word_piece: WordPiece) -> str:
    """Read a text off its ids: a piece that goes on is glued to what stands before it, all else gets a space.

    The white space of the text is lost, and so is what became `unknown`. Raises ValueError for what is no id.

    >>> decode_word_piece([1, 2, 0], WordPiece({"[UNK]": 0, "un": 1, "##able": 2}))
    'unable [UNK]'
    """
    return _glued(ids, _by_id(word_piece), word_piece.prefix)


@contract
@_numbered
def _by_id(word_piece: WordPiece) -> list[str]:
    """The tokens in the order of their ids."""
    return sorted(word_piece.vocabulary, key=word_piece.vocabulary.__getitem__)


def _glued(ids: Iterable[int], tokens: list[str], mark: str) -> str:
    """The text behind ids, given the tokens by id."""
    found = [tokens[number] for number in known_ids(ids, len(tokens))]
    glued = [
        token.removeprefix(mark) if token.startswith(mark) else " " + token
        for token in found[1:]
    ]
    return "".join(found[:1] + glued)


# What follows stands inside the brackets of a regular expression.
_ASCII_MARKS = r"!-/:-@\[-`{-~"
_CONTROLS = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # all of category Cc but tab and line ends
)
# CJK ideographs, as BERT has them: the blocks of unified and of compatibility ideographs.
_IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f"


@cache
def _chunk_of_marks() -> re.Pattern:
    """A punctuation mark, or a run of what is neither one nor white space."""
    return re.compile(f"[{_marks()}]|[^{_marks()}{_space()}]+")


@cache
def _bert_chunk() -> re.Pattern:
    """A mark, an ideograph, or a run of what is neither one nor white space; what is deleted stands in runs."""
    alone = _marks() + _IDEOGRAPHS
    space = _matching(rf"[^\S{_CONTROLS}]+")
    return re.compile(f"[{alone}]|[^{alone}{space}]+")


@cache
def _deleted() -> re.Pattern:
    """Control codes and formatting characters, NUL and U+FFFD; tab and line ends are white space."""
    return re.compile(f"[{_CONTROLS}{_category('Cf')}\ufffd]+")


def _marks() -> str:
    return _ASCII_MARKS + _category("P")
