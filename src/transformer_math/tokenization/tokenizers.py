"""One interface for every tokenizer of the book: train it on a text, cut with it, and get the text back.

The classes hold what was learnt and call the functions of their idea's module; no algorithm stands here.
"""

import re
from abc import ABC, abstractmethod
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from inspect import unwrap
from types import MappingProxyType
from typing import Any

import numpy as np

from transformer_math.contract import NonNegative, Size, Text, contract, requires
from transformer_math.errors import require
from transformer_math.tokenization._bpe_by_heap import chunk_encoder
from transformer_math.tokenization._ids import known_ids
from transformer_math.tokenization._reading import (
    bpe_of,
    entry,
    numbered,
    one_text,
    require_all_bytes,
    require_sound,
    scores,
    texts,
    whole,
)
from transformer_math.tokenization._remembered import Remembered, ids_of, one_by_one
from transformer_math.tokenization._sentence_encoder import sentence_encoder
from transformer_math.tokenization._unigram_cutter import unigram_cutter
from transformer_math.tokenization._word_encoder import word_encoder
from transformer_math.tokenization.bpe import BPE, decode_bpe, train_bpe
from transformer_math.tokenization.byte_bpe import (
    ALL_BYTES,
    decode_text,
    train_byte_bpe,
    written_chunks,
)
from transformer_math.tokenization.long_words import sample_by_edges
from transformer_math.tokenization.offsets import (
    Spans,
    spans_of_bytes,
    spans_of_lengths,
    spans_of_units,
)
from transformer_math.tokenization.pretokenization import (
    GPT2_PATTERN,
    _compiled_pattern,
    chunk_counts,
    pretokenize,
)
from transformer_math.tokenization.printable import printable, unprintable
from transformer_math.tokenization.regularisation import _share, encode_with_dropout
from transformer_math.tokenization.sentence_offsets import sentence_spans
from transformer_math.tokenization.sentence_sampling import sample_sentence
from transformer_math.tokenization.sentencepiece import decode_sentence
from transformer_math.tokenization.sentencepiece_model import (
    BYTE_PIECES,
    PieceKind,
    SentencePiece,
    _sound_model,
)
from transformer_math.tokenization.sentencepiece_training import train_sentencepiece
from transformer_math.tokenization.specials import encode_parts, require_unforgeable
from transformer_math.tokenization.unigram import Unigram
from transformer_math.tokenization.unigram_by_levels import train_unigram_by_levels
from transformer_math.tokenization.units import (
    build_vocabulary,
    characters,
    ids_to_tokens,
    tokens_to_ids,
    words,
)
from transformer_math.tokenization.utf8 import _writable, utf8_decode, utf8_encode
from transformer_math.tokenization.word_piece import (
    WordPiece,
    _by_id,
    _glued,
    bert_places,
    bert_words,
)
from transformer_math.tokenization.word_piece_training import (
    BERT_SPECIALS,
    train_word_piece,
)

UNKNOWN = "[UNK]"
_drawn = unwrap(encode_with_dropout)  # without its contract, for every chunk


@dataclass(frozen=True)
class Tokenizer(ABC):
    """What every tokenizer does. For any text, `encode(text)` are the ids that `vocabulary` gives to `tokenize(text)`."""

    @property
    def unknown(self) -> str | None:
        """The token for what cannot be written, if there is one."""
        return None

    @cached_property
    def vocabulary(self) -> Mapping[str, int]:
        """Each token, as text that can be read, with its id; made once, and read-only: `dict(vocabulary)` is yours."""
        return MappingProxyType(self._numbered())

    @abstractmethod
    def _numbered(self) -> dict[str, int]:
        """What `vocabulary` shows."""

    @abstractmethod
    def encode(self, text: str) -> list[int]:
        """The ids of a text."""

    @abstractmethod
    def decode(self, ids: Iterable[int]) -> str:
        """The text behind ids."""

    @classmethod
    @abstractmethod
    def train(cls, text: str, vocab_size: int) -> "Tokenizer":
        """A tokenizer learnt from a text, with at most `vocab_size` tokens.

        Raises ValueError for a text that is empty, or that UTF-8 cannot write, and for a size in which what every such
        tokenizer holds has no room.
        """

    @abstractmethod
    def to_plain(self) -> dict[str, Any]:
        """What was learnt, in values that JSON has: the inverse of `from_plain`."""

    @classmethod
    @abstractmethod
    def from_plain(cls, plain: dict[str, Any]) -> "Tokenizer":
        """The tokenizer that `to_plain` wrote down."""

    @abstractmethod
    def offsets(self, text: str) -> Spans:
        """Where each token stands in the text: the place of its first character, and the place after its last one.

        A token that holds some bytes of a character spans the whole of it.
        """

    def sample(
        self, text: str, rng: np.random.Generator, *args: Any, **options: Any
    ) -> list[int]:
        """The ids of a text that is cut in another way each time: BPE by `dropout`, Unigram at a `temperature`.

        Raises ValueError for a tokenizer that has one way only.
        """
        name = type(self).__name__
        raise ValueError(
            f"{name} cuts a text in one way. Fix: encode(text); or a tokenizer with BPE or Unigram inside."
        )

    @contract
    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """The ids of each of several texts."""
        return [self.encode(text) for text in texts]

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text."""
        return [self._names[number] for number in self.encode(text)]

    @cached_property
    def _names(self) -> dict[int, str]:
        return {number: token for token, number in self.vocabulary.items()}

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: what was looked up for speed is made anew by a copy."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True)
class CharacterTokenizer(Tokenizer):
    """One token for each character; one that the training text lacked becomes `[UNK]`.

    >>> CharacterTokenizer.train("to be or not to be", 6).tokenize("to do")
    ['t', 'o', ' ', '[UNK]', 'o']
    """

    ids: dict[str, int]
    unknown = UNKNOWN

    def __post_init__(self) -> None:
        _require_numbered(self.ids, "ids", UNKNOWN)

    def _numbered(self) -> dict[str, int]:
        return self.ids

    @contract
    def encode(self, text: str) -> list[int]:
        return tokens_to_ids(list(text), self.ids)

    @contract
    def offsets(self, text: str) -> Spans:
        return spans_of_lengths([1] * len(text))

    @contract
    def decode(self, ids: Iterable[int]) -> str:
        return "".join(ids_to_tokens(list(ids), self.ids))

    @classmethod
    @contract
    @_writable
    def train(cls, text: Text, vocab_size: Size) -> "CharacterTokenizer":
        return cls(frequent_vocabulary(characters(text), vocab_size))

    def to_plain(self) -> dict[str, Any]:
        return {"ids": self.ids}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "CharacterTokenizer":
        return cls(numbered(entry(plain, "ids"), "ids"))


@dataclass(frozen=True)
class WordTokenizer(Tokenizer):
    """One token for each word or mark; a rare one becomes `[UNK]`. Decoding puts one space between any two.

    >>> WordTokenizer.train("to be or not to be", 3).tokenize("To be, to be!")
    ['[UNK]', 'be', '[UNK]', 'to', 'be', '[UNK]']
    """

    ids: dict[str, int]
    unknown = UNKNOWN

    def __post_init__(self) -> None:
        _require_numbered(self.ids, "ids", UNKNOWN)

    def _numbered(self) -> dict[str, int]:
        return self.ids

    @contract
    def encode(self, text: str) -> list[int]:
        return tokens_to_ids(_words(text), self.ids)

    @contract
    def offsets(self, text: str) -> Spans:
        return spans_of_units(_words(text), text)

    @contract
    def decode(self, ids: Iterable[int]) -> str:
        return " ".join(ids_to_tokens(list(ids), self.ids))

    @classmethod
    @contract
    @_writable
    def train(cls, text: Text, vocab_size: Size) -> "WordTokenizer":
        return cls(frequent_vocabulary(words(text), vocab_size))

    def to_plain(self) -> dict[str, Any]:
        return {"ids": self.ids}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "WordTokenizer":
        return cls(numbered(entry(plain, "ids"), "ids"))


@dataclass(frozen=True)
class ByteTokenizer(Tokenizer):
    """The 256 bytes of UTF-8, each by its two hexadecimal digits. There is nothing to learn.

    >>> ByteTokenizer().tokenize("é")
    ['c3', 'a9']
    """

    def _numbered(self) -> dict[str, int]:
        return {f"{byte:02x}": byte for byte in range(256)}

    def encode(self, text: str) -> list[int]:
        return utf8_encode(text)

    def offsets(self, text: str) -> Spans:
        return spans_of_bytes([1] * len(self.encode(text)), text)

    @contract
    def decode(self, ids: Iterable[int]) -> str:
        return utf8_decode(list(ids))

    @classmethod
    @contract
    @_writable
    @requires(
        lambda vocab_size: vocab_size >= 256,
        "vocab_size is {vocab_size}, but the 256 bytes alone are more. Fix: ask for at least 256.",
    )
    def train(cls, text: Text, vocab_size: Size = 256) -> "ByteTokenizer":
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

    def __post_init__(self) -> None:
        found = texts(self.bpe.tokens, "tokens")
        require(UNKNOWN in found, f"the tokens lack {UNKNOWN}. Fix: add it.")
        require_sound(self.bpe)

    def _numbered(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.bpe.tokens)}

    def encode(self, text: str) -> list[int]:
        return self._chunks.of_all(pretokenize(text))

    @cached_property
    def _chunks(self) -> Remembered:
        return Remembered(one_by_one(chunk_encoder(self.bpe)))

    def offsets(self, text: str) -> Spans:
        names, unknown = self.bpe.tokens, self.vocabulary.get(UNKNOWN)
        ids = self.encode(text)
        return spans_of_lengths(1 if i == unknown else len(names[i]) for i in ids)

    @contract
    @_share
    def sample(
        self, text: str, rng: np.random.Generator, dropout: NonNegative = 0.1
    ) -> list[int]:
        known = re.escape("".join(t for t in self.bpe.tokens if len(t) == 1))
        parts = re.compile(f"[{known}]+|." if known else ".", re.DOTALL)
        return [
            number
            for chunk in pretokenize(text)
            for part in parts.findall(chunk)
            for number in (
                _drawn(part, self.bpe, rng, dropout)
                if part[0] in self.vocabulary
                else self.encode(part)
            )
        ]

    def decode(self, ids: Iterable[int]) -> str:
        return decode_bpe(ids, self.bpe)

    @classmethod
    @contract
    @_writable
    def train(cls, text: Text, vocab_size: Size) -> "BPETokenizer":
        alphabet = [UNKNOWN, *sorted(set(text))]
        return cls(train_bpe(chunk_counts(text), vocab_size, alphabet))

    def to_plain(self) -> dict[str, Any]:
        return {"tokens": list(self.bpe.tokens), "merges": self.bpe.triples()}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "BPETokenizer":
        tokens = texts(entry(plain, "tokens"), "tokens")
        return cls(bpe_of(tokens, entry(plain, "merges")))


@dataclass(frozen=True)
class ByteBPETokenizer(Tokenizer):
    """Byte-level BPE. Tokens are written with GPT-2's printable characters; special tokens have ids, and no text.

    >>> ByteBPETokenizer.train("the then there", 258).tokenize("the then")
    ['the', 'Ġ', 'the', 'n']
    """

    bpe: BPE
    specials: dict[str, int] = field(default_factory=dict)
    pattern: str = GPT2_PATTERN

    def __post_init__(self) -> None:
        require_unforgeable(self.bpe, self.specials)
        taken = self.specials.keys() & set(map(printable, self.bpe.tokens))
        require(
            not taken,
            f"the special tokens {sorted(taken)} are ordinary tokens already. Fix: other names, such as <|end|>.",
        )
        require_all_bytes(self.bpe.tokens)
        require_sound(self.bpe)
        numbered(self.specials, "specials", gaps=True)
        _compiled_pattern(self.pattern)

    def _numbered(self) -> dict[str, int]:
        numbers = {printable(token): i for i, token in enumerate(self.bpe.tokens)}
        return {t: i for t, i in numbers.items() if t} | self.specials

    def encode(self, text: str) -> list[int]:
        return self._chunks.of_all(written_chunks(text, self.pattern))

    def offsets(self, text: str) -> Spans:
        lengths = [len(self.bpe.tokens[number]) for number in self.encode(text)]
        return spans_of_bytes(lengths, text)

    @contract
    @_share
    def sample(
        self, text: str, rng: np.random.Generator, dropout: NonNegative = 0.1
    ) -> list[int]:
        return [
            number
            for chunk in written_chunks(text, self.pattern)
            for number in _drawn(chunk.encode("utf-8"), self.bpe, rng, dropout)
        ]

    @cached_property
    def _chunks(self) -> Remembered:
        encode = chunk_encoder(self.bpe)
        return Remembered(one_by_one(lambda chunk: encode(chunk.encode("utf-8"))))

    def encode_parts(self, parts: Iterable) -> list[int]:
        """The ids of texts and of special tokens among them, each of these given as `Special(name)`."""
        return encode_parts(parts, self.encode, self.specials)

    def decode(self, ids: Iterable[int]) -> str:
        return decode_text(ids, self.bpe)

    @classmethod
    @contract
    def train(
        cls,
        text: str,
        vocab_size: Size,
        specials: Sequence[str] = (),
        pattern: str = GPT2_PATTERN,
    ) -> "ByteBPETokenizer":
        _require_names(specials)
        bpe = train_byte_bpe(text, vocab_size - len(specials), pattern)
        numbers = {name: len(bpe.tokens) + i for i, name in enumerate(specials)}
        tokens = bpe.tokens + (b"",) * len(specials)
        return cls(bpe._replace(tokens=tokens), numbers, pattern)

    def to_plain(self) -> dict[str, Any]:
        tokens = [printable(token) for token in self.bpe.tokens]
        return {
            "tokens": tokens,
            "merges": self.bpe.triples(),
            "specials": self.specials,
            **({} if self.pattern == GPT2_PATTERN else {"pattern": self.pattern}),
        }

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "ByteBPETokenizer":
        names = texts(entry(plain, "tokens"), "tokens", empty=True)
        tokens = [unprintable(name) for name in names]
        specials = numbered(entry(plain, "specials"), "specials", gaps=True)
        pattern = one_text(plain.get("pattern", GPT2_PATTERN), "pattern")
        return cls(bpe_of(tokens, entry(plain, "merges")), specials, pattern)


@dataclass(frozen=True)
class UnigramTokenizer(Tokenizer):
    """Unigram in GPT-2's chunks, with byte fallback: ids 0 to 255 are bytes, for characters without a piece of their own.

    >>> UnigramTokenizer.train("low lower low", 263).tokenize("slow")
    ['<0x73>', 'low']
    """

    unigram: Unigram

    def __post_init__(self) -> None:
        pieces = texts(self.unigram.pieces, "pieces")
        found = np.asarray(self.unigram.log_probabilities).tolist()
        kept = scores(found, "log_probabilities", len(pieces))
        require(
            max(kept, default=-np.inf) > -np.inf,
            "no piece has a probability above 0. Fix: train_unigram makes a Unigram.",
        )
        taken = set(pieces) & set(BYTE_PIECES)
        require(not taken, f"{sorted(taken)[:3]} are bytes. Fix: other pieces.")

    def _numbered(self) -> dict[str, int]:
        return {name: i for i, name in enumerate([*BYTE_PIECES, *self.unigram.pieces])}

    def encode(self, text: str) -> list[int]:
        return self._chunks.of_all(pretokenize(text))

    @cached_property
    def _chunks(self) -> Remembered:
        cut, ids = unigram_cutter(self.unigram), self._numbered()
        return Remembered(
            lambda chunks: {
                chunk: ids_of(pieces, ids, utf8_encode)
                for chunk, pieces in cut(chunks).items()
            }
        )

    def offsets(self, text: str) -> Spans:
        pieces = self.unigram.pieces
        lengths = [
            len(pieces[i - 256].encode("utf-8")) if i >= 256 else 1
            for i in self.encode(text)
        ]
        return spans_of_bytes(lengths, text)

    @contract
    def sample(
        self, text: str, rng: np.random.Generator, temperature: float = 1.0
    ) -> list[int]:
        ids = self.vocabulary
        return [
            number
            for chunk in pretokenize(text)
            for piece in sample_by_edges(chunk, self.unigram, rng, temperature)
            for number in ([ids[piece]] if piece in ids else utf8_encode(piece))
        ]

    @contract
    def decode(self, ids: Iterable[int]) -> str:
        tokens = self._tokens
        return utf8_decode(b"".join(tokens[i] for i in known_ids(ids, len(tokens))))

    @cached_property
    def _tokens(self) -> list[bytes]:
        return [*ALL_BYTES, *(piece.encode("utf-8") for piece in self.unigram.pieces)]

    @classmethod
    @contract
    @_writable
    @requires(
        lambda vocab_size: vocab_size > len(BYTE_PIECES),
        "vocab_size is {vocab_size}, and the bytes alone are 256 pieces. Fix: vocab_size = 257 or more.",
    )
    def train(cls, text: Text, vocab_size: Size) -> "UnigramTokenizer":
        # no piece is called like a byte: chunks end where letters, digits and other signs meet
        size = vocab_size - len(BYTE_PIECES)
        return cls(train_unigram_by_levels(chunk_counts(text), size))

    def to_plain(self) -> dict[str, Any]:
        kept = self.unigram.log_probabilities.tolist()
        return {"pieces": list(self.unigram.pieces), "log_probabilities": kept}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "UnigramTokenizer":
        pieces = texts(entry(plain, "pieces"), "pieces")
        found = entry(plain, "log_probabilities")
        kept = scores(found, "log_probabilities", len(pieces))
        return cls(Unigram(tuple(pieces), np.array(kept)))


@dataclass(frozen=True)
class SentencePieceTokenizer(Tokenizer):
    """SentencePiece, with BPE inside or another of its algorithms; ▁ is a space, `<0x0A>` a byte.

    >>> SentencePieceTokenizer.train("low lower low", 270).tokenize("low é")
    ['▁low', '▁', '<0xC3>', '<0xA9>']
    """

    model: SentencePiece

    def __post_init__(self) -> None:
        size = len(texts(self.model.pieces, "pieces"))
        scores(self.model.scores, "scores", size)
        scores(self.model.kinds, "kinds", size)
        _sound_model(self.model)

    @property
    def unknown(self) -> str | None:
        kinds = self.model.kinds
        bytes_too = PieceKind.BYTE in kinds
        return None if bytes_too else self.model.pieces[kinds.index(PieceKind.UNKNOWN)]

    def _numbered(self) -> dict[str, int]:
        return {piece: number for number, piece in enumerate(self.model.pieces)}

    def encode(self, text: str) -> list[int]:
        return self._encoder(text)

    @cached_property
    def _encoder(self) -> Callable[[str], list[int]]:
        return sentence_encoder(self.model)

    def offsets(self, text: str) -> Spans:
        return sentence_spans(text, self.model)

    @contract
    def sample(
        self, text: str, rng: np.random.Generator, **options: float
    ) -> list[int]:
        ids = self.vocabulary
        return [ids[p] for p in sample_sentence(text, self.model, rng, **options)]

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
        kept = {name: entry(plain, name) for name in SentencePiece._fields}
        pieces = texts(kept["pieces"], "pieces")
        kept["pieces"] = tuple(pieces)
        kept["scores"] = tuple(scores(kept["scores"], "scores", len(pieces)))
        kept["kinds"] = tuple(scores(kept["kinds"], "kinds", len(pieces)))
        kept["rules"] = _rules(kept["rules"])
        return cls(_sound_model(SentencePiece(**kept)))


@dataclass(frozen=True)
class WordPieceTokenizer(Tokenizer):
    """WordPiece in BERT's words. Decoding puts one space between any two words or marks.

    >>> WordPieceTokenizer.train("low lower low", 12).tokenize("lower slow")
    ['low', '##e', '##r', '[UNK]']
    """

    word_piece: WordPiece
    unknown = UNKNOWN

    def __post_init__(self) -> None:
        vocabulary, unknown, prefix, longest_word = self.word_piece
        _require_numbered(vocabulary, "vocabulary", one_text(unknown, "unknown"))
        one_text(prefix, "prefix")
        whole(longest_word, "longest_word")

    def _numbered(self) -> dict[str, int]:
        return dict(self.word_piece.vocabulary)

    def encode(self, text: str) -> list[int]:
        return self._words.of_all(bert_words(text))

    @cached_property
    def _words(self) -> Remembered:
        return Remembered(one_by_one(word_encoder(self.word_piece)))

    def offsets(self, text: str) -> Spans:
        return [
            (places[begin], places[end - 1] + 1)
            for word, places in bert_places(text)
            for begin, end in self._spans_in(word)
        ]

    def _spans_in(self, word: str) -> Spans:
        """Where the pieces of a word stand in it; an unknown word is one."""
        pieces = [self._names[i] for i in self._words.of_all([word])]
        if pieces == [self.word_piece.unknown]:
            return [(0, len(word))]
        mark = len(self.word_piece.prefix)
        lengths = (len(piece) - mark * (k > 0) for k, piece in enumerate(pieces))
        return spans_of_lengths(lengths)

    @contract
    def decode(self, ids: Iterable[int]) -> str:
        return _glued(ids, self._tokens, self.word_piece.prefix)

    @cached_property
    def _tokens(self) -> list[str]:
        return _by_id(self.word_piece)

    @classmethod
    @contract
    @_writable
    def train(
        cls, text: Text, vocab_size: Size, specials: Sequence[str] = BERT_SPECIALS
    ) -> "WordPieceTokenizer":
        counts = Counter(bert_words(text))
        return cls(train_word_piece(counts, vocab_size, specials))

    def to_plain(self) -> dict[str, Any]:
        return self.word_piece._asdict()

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "WordPieceTokenizer":
        return cls(WordPiece(*(entry(plain, name) for name in WordPiece._fields)))


@contract
def frequent_vocabulary(tokens: Sequence[str], vocab_size: Size) -> dict[str, int]:
    """Number `[UNK]` and the `vocab_size - 1` most frequent tokens; of equals, those of the smaller code points stay.

    >>> frequent_vocabulary(["b", "a", "b"], vocab_size=2)
    {'[UNK]': 0, 'b': 1}
    """
    counts = Counter(tokens)
    kept = sorted(counts, key=lambda token: (-counts[token], token))[: vocab_size - 1]
    return build_vocabulary([UNKNOWN, *kept], [UNKNOWN])


def _words(text: str) -> list[str]:
    return words(text) if text and not text.isspace() else []


def _require_numbered(ids: Any, name: str, unknown: str) -> None:
    """Raise ValueError unless texts have the ids 0, 1, 2, …, the unknown token among them."""
    require(
        unknown in numbered(ids, name),
        f"there is no {unknown!r:.40} in {name}. Fix: add it.",
    )


def _rules(rules: Any) -> Any:
    """The rules of SentencePiece as they stand in JSON: a name, or a map in base64."""
    if not isinstance(rules, dict):
        return rules
    written = one_text(entry(rules, "charsmap"), "charsmap")
    try:
        return b64decode(written, validate=True)
    except ValueError:
        raise ValueError(
            f"the map {written!r:.40} is no base64. Fix: pass a file as it was written."
        ) from None


def _require_names(specials: Any) -> None:
    """Special tokens are listed by names, each once."""
    others = [one for one in specials if not isinstance(one, str) or not one]
    require(
        others == [],
        f"specials holds {others[:5]}; wanted names, texts of at least one character. Fix: specials=['<|end|>'].",
    )
    often = [name for name, times in Counter(specials).items() if times > 1]
    require(
        often == [],
        f"specials holds {often[:5]} more than once; wanted each once, since each gets one id. "
        "Fix: list(dict.fromkeys(specials)).",
    )
