"""One interface for every tokenizer of the book: train it on a text, cut with it, and get the text back.

The classes hold what was learnt and call the functions of their idea's module; no algorithm stands here.
"""

from abc import ABC, abstractmethod
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from transformer_math.contract import Size, contract
from transformer_math.errors import require
from transformer_math.tokenization._ids import known_ids
from transformer_math.tokenization.bpe import BPE, decode_bpe, encode_bpe, train_bpe
from transformer_math.tokenization.byte_bpe import (
    decode_text,
    encode_text,
    train_byte_bpe,
)
from transformer_math.tokenization.pretokenization import chunk_counts, pretokenize
from transformer_math.tokenization.printable import printable, unprintable
from transformer_math.tokenization.sentencepiece import (
    BYTE_PIECES,
    PieceKind,
    SentencePiece,
    decode_sentence,
    encode_sentence,
    sentence_pieces,
    train_sentencepiece,
)
from transformer_math.tokenization.specials import encode_parts, require_unforgeable
from transformer_math.tokenization.unigram import Unigram, encode_unigram
from transformer_math.tokenization.unigram_training import train_unigram
from transformer_math.tokenization.units import (
    build_vocabulary,
    characters,
    ids_to_tokens,
    tokens_to_ids,
    words,
)
from transformer_math.tokenization.utf8 import utf8_decode, utf8_encode
from transformer_math.tokenization.word_piece import (
    WordPiece,
    bert_words,
    decode_word_piece,
    encode_word_piece,
)
from transformer_math.tokenization.word_piece_training import (
    BERT_SPECIALS,
    train_word_piece,
)

UNKNOWN = "[UNK]"


class Tokenizer(ABC):
    """What every tokenizer does. For any text, `encode(text)` are the ids that `vocabulary` gives to `tokenize(text)`."""

    unknown: str | None = None  # the token for what cannot be written, if there is one

    @property
    @abstractmethod
    def vocabulary(self) -> dict[str, int]:
        """Each token, as text that can be read, with its id."""

    @abstractmethod
    def encode(self, text: str) -> list[int]:
        """The ids of a text."""

    @abstractmethod
    def decode(self, ids: Iterable[int]) -> str:
        """The text behind ids."""

    @classmethod
    @abstractmethod
    def train(cls, text: str, vocab_size: int) -> "Tokenizer":
        """A tokenizer learnt from a text, with at most `vocab_size` tokens."""

    @abstractmethod
    def to_plain(self) -> dict[str, Any]:
        """What was learnt, in values that JSON has: the inverse of `from_plain`."""

    @classmethod
    @abstractmethod
    def from_plain(cls, plain: dict[str, Any]) -> "Tokenizer":
        """The tokenizer that `to_plain` wrote down."""

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text."""
        return [self._names[number] for number in self.encode(text)]

    @cached_property
    def _names(self) -> dict[int, str]:
        return {number: token for token, number in self.vocabulary.items()}


@dataclass(frozen=True)
class CharacterTokenizer(Tokenizer):
    """One token for each character; one that the training text lacked becomes `[UNK]`.

    >>> CharacterTokenizer.train("to be or not to be", 6).tokenize("to do")
    ['t', 'o', ' ', '[UNK]', 'o']
    """

    ids: dict[str, int]
    unknown = UNKNOWN

    @property
    def vocabulary(self) -> dict[str, int]:
        return self.ids

    def encode(self, text: str) -> list[int]:
        return tokens_to_ids(characters(text), self.ids)

    def decode(self, ids: Iterable[int]) -> str:
        return "".join(ids_to_tokens(list(ids), self.ids))

    @classmethod
    def train(cls, text: str, vocab_size: int) -> "CharacterTokenizer":
        return cls(frequent_vocabulary(characters(text), vocab_size))

    def to_plain(self) -> dict[str, Any]:
        return {"ids": self.ids}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "CharacterTokenizer":
        return cls(plain["ids"])


@dataclass(frozen=True)
class WordTokenizer(Tokenizer):
    """One token for each word or mark; a rare one becomes `[UNK]`. Decoding puts one space between any two.

    >>> WordTokenizer.train("to be or not to be", 3).tokenize("To be, to be!")
    ['[UNK]', 'be', '[UNK]', 'to', 'be', '[UNK]']
    """

    ids: dict[str, int]
    unknown = UNKNOWN

    @property
    def vocabulary(self) -> dict[str, int]:
        return self.ids

    def encode(self, text: str) -> list[int]:
        return tokens_to_ids(words(text), self.ids)

    def decode(self, ids: Iterable[int]) -> str:
        return " ".join(ids_to_tokens(list(ids), self.ids))

    @classmethod
    def train(cls, text: str, vocab_size: int) -> "WordTokenizer":
        return cls(frequent_vocabulary(words(text), vocab_size))

    def to_plain(self) -> dict[str, Any]:
        return {"ids": self.ids}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "WordTokenizer":
        return cls(plain["ids"])


@dataclass(frozen=True)
class ByteTokenizer(Tokenizer):
    """The 256 bytes of UTF-8, each by its two hexadecimal digits. There is nothing to learn.

    >>> ByteTokenizer().tokenize("é")
    ['c3', 'a9']
    """

    @property
    def vocabulary(self) -> dict[str, int]:
        return {f"{byte:02x}": byte for byte in range(256)}

    def encode(self, text: str) -> list[int]:
        return utf8_encode(text)

    def decode(self, ids: Iterable[int]) -> str:
        return utf8_decode(list(ids))

    @classmethod
    def train(cls, text: str, vocab_size: int = 256) -> "ByteTokenizer":
        return cls()

    def to_plain(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "ByteTokenizer":
        return cls()


@dataclass(frozen=True)
class BPETokenizer(Tokenizer):
    """Byte-pair encoding of characters, in GPT-2's chunks; a character that the training text lacked becomes `[UNK]`.

    >>> BPETokenizer.train("low lower low", 9).tokenize("slow")
    ['[UNK]', 'low']
    """

    bpe: BPE
    unknown = UNKNOWN

    @property
    def vocabulary(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.bpe.tokens)}

    def encode(self, text: str) -> list[int]:
        return encode_bpe(pretokenize(text), self.bpe)

    def decode(self, ids: Iterable[int]) -> str:
        return decode_bpe(ids, self.bpe)

    @classmethod
    def train(cls, text: str, vocab_size: int) -> "BPETokenizer":
        alphabet = [UNKNOWN, *sorted(set(text))]
        return cls(train_bpe(chunk_counts(text), vocab_size, alphabet))

    def to_plain(self) -> dict[str, Any]:
        return {"tokens": list(self.bpe.tokens), "merges": _triples(self.bpe)}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "BPETokenizer":
        return cls(_bpe(plain["tokens"], plain["merges"]))


@dataclass(frozen=True)
class ByteBPETokenizer(Tokenizer):
    """Byte-level BPE. Tokens are written with GPT-2's printable characters; special tokens have ids, and no text.

    >>> ByteBPETokenizer.train("the then there", 258).tokenize("the then")
    ['the', 'Ġ', 'the', 'n']
    """

    bpe: BPE
    specials: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_unforgeable(self.bpe, self.specials)
        taken = self.specials.keys() & set(map(printable, self.bpe.tokens))
        require(
            not taken,
            f"the special tokens {sorted(taken)} are ordinary tokens already. Fix: other names, such as <|end|>.",
        )

    @property
    def vocabulary(self) -> dict[str, int]:
        numbers = {printable(token): i for i, token in enumerate(self.bpe.tokens)}
        return {t: i for t, i in numbers.items() if t} | self.specials

    def encode(self, text: str) -> list[int]:
        return encode_text(text, self.bpe)

    def encode_parts(self, parts: Iterable) -> list[int]:
        """The ids of texts and of special tokens among them, each of these given as `Special(name)`."""
        return encode_parts(parts, self.encode, self.specials)

    def decode(self, ids: Iterable[int]) -> str:
        return decode_text(ids, self.bpe)

    @classmethod
    def train(
        cls, text: str, vocab_size: int, specials: Sequence[str] = ()
    ) -> "ByteBPETokenizer":
        bpe = train_byte_bpe(text, vocab_size - len(specials))
        numbers = {name: len(bpe.tokens) + i for i, name in enumerate(specials)}
        return cls(bpe._replace(tokens=bpe.tokens + (b"",) * len(specials)), numbers)

    def to_plain(self) -> dict[str, Any]:
        tokens = [printable(token) for token in self.bpe.tokens]
        return {
            "tokens": tokens,
            "merges": _triples(self.bpe),
            "specials": self.specials,
        }

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "ByteBPETokenizer":
        tokens = [unprintable(token) for token in plain["tokens"]]
        return cls(_bpe(tokens, plain["merges"]), plain["specials"])


@dataclass(frozen=True)
class UnigramTokenizer(Tokenizer):
    """Unigram in GPT-2's chunks, with byte fallback: ids 0 to 255 are bytes, for characters without a piece of their own.

    >>> UnigramTokenizer.train("low lower low", 263).tokenize("slow")
    ['<0x73>', 'low']
    """

    unigram: Unigram

    @property
    def vocabulary(self) -> dict[str, int]:
        return {name: i for i, name in enumerate([*BYTE_PIECES, *self.unigram.pieces])}

    def encode(self, text: str) -> list[int]:
        ids = self.vocabulary
        return [
            number
            for piece in encode_unigram(pretokenize(text), self.unigram)
            for number in ([ids[piece]] if piece in ids else utf8_encode(piece))
        ]

    def decode(self, ids: Iterable[int]) -> str:
        tokens = [*(bytes([byte]) for byte in range(256))]
        tokens += [piece.encode("utf-8") for piece in self.unigram.pieces]
        return utf8_decode(b"".join(tokens[i] for i in known_ids(ids, len(tokens))))

    @classmethod
    def train(cls, text: str, vocab_size: int) -> "UnigramTokenizer":
        # no piece is called like a byte: chunks end where letters, digits and other signs meet
        return cls(train_unigram(chunk_counts(text), vocab_size - len(BYTE_PIECES)))

    def to_plain(self) -> dict[str, Any]:
        scores = self.unigram.log_probabilities.tolist()
        return {"pieces": list(self.unigram.pieces), "log_probabilities": scores}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "UnigramTokenizer":
        scores = np.array(plain["log_probabilities"], dtype=float)
        return cls(Unigram(tuple(plain["pieces"]), scores))


@dataclass(frozen=True)
class SentencePieceTokenizer(Tokenizer):
    """SentencePiece, with BPE inside or another of its algorithms; ▁ is a space, `<0x0A>` a byte.

    >>> SentencePieceTokenizer.train("low lower low", 270).tokenize("low é")
    ['▁low', '▁', '<0xC3>', '<0xA9>']
    """

    model: SentencePiece

    @property
    def unknown(self) -> str | None:
        kinds = self.model.kinds
        bytes_too = PieceKind.BYTE in kinds
        return None if bytes_too else self.model.pieces[kinds.index(PieceKind.UNKNOWN)]

    @property
    def vocabulary(self) -> dict[str, int]:
        return {piece: number for number, piece in enumerate(self.model.pieces)}

    def tokenize(self, text: str) -> list[str]:
        return sentence_pieces(text, self.model)

    def encode(self, text: str) -> list[int]:
        return encode_sentence(text, self.model)

    def decode(self, ids: Iterable[int]) -> str:
        return decode_sentence(ids, self.model)

    @classmethod
    def train(
        cls, text: str, vocab_size: int, **options: Any
    ) -> "SentencePieceTokenizer":
        return cls(train_sentencepiece(text, vocab_size, **options))

    def to_plain(self) -> dict[str, Any]:
        plain, rules = self.model._asdict(), self.model.rules
        if isinstance(rules, bytes):
            plain["rules"] = {"charsmap": b64encode(rules).decode("ascii")}
        return plain

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "SentencePieceTokenizer":
        rules = plain["rules"]
        if isinstance(rules, dict):
            rules = b64decode(rules["charsmap"])
        lists = {name: tuple(plain[name]) for name in ("pieces", "scores", "kinds")}
        kept = {name: plain[name] for name in SentencePiece._fields}
        return cls(SentencePiece(**kept | lists | {"rules": rules}))


@dataclass(frozen=True)
class WordPieceTokenizer(Tokenizer):
    """WordPiece in BERT's words. Decoding puts one space between any two words or marks.

    >>> WordPieceTokenizer.train("low lower low", 12).tokenize("lower slow")
    ['low', '##e', '##r', '[UNK]']
    """

    word_piece: WordPiece
    unknown = UNKNOWN

    @property
    def vocabulary(self) -> dict[str, int]:
        return dict(self.word_piece.vocabulary)

    def encode(self, text: str) -> list[int]:
        return encode_word_piece(bert_words(text), self.word_piece)

    def decode(self, ids: Iterable[int]) -> str:
        return decode_word_piece(ids, self.word_piece)

    @classmethod
    def train(
        cls, text: str, vocab_size: int, specials: Sequence[str] = BERT_SPECIALS
    ) -> "WordPieceTokenizer":
        counts = Counter(bert_words(text))
        return cls(train_word_piece(counts, vocab_size, specials))

    def to_plain(self) -> dict[str, Any]:
        return self.word_piece._asdict()

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "WordPieceTokenizer":
        return cls(WordPiece(**{name: plain[name] for name in WordPiece._fields}))


@contract
def frequent_vocabulary(tokens: Sequence[str], vocab_size: Size) -> dict[str, int]:
    """Number `[UNK]` and the `vocab_size - 1` most frequent tokens; of equals, those of the smaller code points stay.

    >>> frequent_vocabulary(["b", "a", "b"], vocab_size=2)
    {'[UNK]': 0, 'b': 1}
    """
    counts = Counter(tokens)
    kept = sorted(counts, key=lambda token: (-counts[token], token))[: vocab_size - 1]
    return build_vocabulary([UNKNOWN, *kept], [UNKNOWN])


def _triples(bpe: BPE) -> list[list[int]]:
    return [[first, second, merged] for (first, second), merged in bpe.merges.items()]


def _bpe(tokens: list, merges: list[list[int]]) -> BPE:
    return BPE(tuple(tokens), {(a, b): merged for a, b, merged in merges})
