"""Models of SentencePiece as files, in its own format: a protocol buffer, read and written field by field.

Such a file is a row of fields. Each begins with a number that holds the field's number and its kind: 0 a whole number,
1 eight bytes, 2 some bytes after their length, 5 four bytes. Whole numbers come seven bits at a time, the last bits first,
and every byte but the last has its highest bit set.
"""

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from transformer_math.contract import contract, requires
from transformer_math.errors import require
from transformer_math.tokenization._reading import scores, texts
from transformer_math.tokenization.sentencepiece_model import (
    PieceKind,
    SentencePiece,
    _sound_model,
)

# Fields of the file, of one piece, of what trained it and of what normalises (sentencepiece_model.proto).
_PIECE, _TRAINER, _NORMALISER, _DENORMALISER = 1, 2, 3, 5
_SPELLING, _SCORE, _KIND = 1, 2, 3
_ALGORITHM, _SIZE, _MARK_BEHIND, _BYTE_FALLBACK, _UNKNOWN_SURFACE = 3, 4, 24, 35, 44
_RULES_NAME, _CHARSMAP, _DUMMY_PREFIX, _SQUEEZE, _ESCAPE = 1, 2, 3, 4, 5
_ALGORITHMS: dict[Any, int] = {"unigram": 1, "bpe": 2}
_SHOWN = " \u2047 ".encode()  # an unknown piece in a text
_OF_PIECE = {_SPELLING: bytes, _SCORE: float, _KIND: int}
_OF_TRAINER = {_ALGORITHM: int, _MARK_BEHIND: int, _UNKNOWN_SURFACE: bytes}
_OF_NORMALISER = {_CHARSMAP: bytes, _DUMMY_PREFIX: int, _SQUEEZE: int, _ESCAPE: int}


@contract
@requires(
    lambda model: model.rules != "nfkc",
    "SentencePiece keeps NFKC as a compiled map, and Python has none. Fix: train with rules=charsmap, the map's bytes.",
)
def write_sentencepiece(model: SentencePiece) -> bytes:
    """A model as a file that SentencePiece loads.

    >>> from transformer_math.tokenization import train_sentencepiece
    >>> write_sentencepiece(train_sentencepiece("hi hi", vocab_size=264))[:9]
    b'\\n\\x0e\\n\\x05<unk>'
    """
    rows = zip(model.pieces, model.scores, model.kinds)
    pieces = b"".join(_field(_PIECE, _piece(*row)) for row in rows)
    trainer = (
        _field(_ALGORITHM, _ALGORITHMS[model.inside])
        + _field(_SIZE, len(model.pieces))
        + _field(_BYTE_FALLBACK, int(PieceKind.BYTE in model.kinds))
    )
    charsmap = model.rules if isinstance(model.rules, bytes) else b""
    normaliser = (
        _field(_RULES_NAME, b"user_defined" if charsmap else b"identity")
        + _field(_CHARSMAP, charsmap)
        + _field(_DUMMY_PREFIX, 1)
        + _field(_SQUEEZE, int(model.squeeze))
        + _field(_ESCAPE, 1)
    )
    return pieces + _field(_TRAINER, trainer) + _field(_NORMALISER, normaliser)


@contract
def read_sentencepiece(data: bytes) -> SentencePiece:
    """A model from such a file, whoever trained it.

    Raises ValueError for what is no such file, and for what this book does not teach: algorithms other than BPE and
    Unigram, pieces that a user defined, texts without the ▁ in front.

    >>> from transformer_math.tokenization import train_sentencepiece
    >>> model = train_sentencepiece("hi hi", vocab_size=264)
    >>> read_sentencepiece(write_sentencepiece(model)) == model
    True
    """
    fields = list(_fields(data))
    rows = [_message(value, _OF_PIECE) for number, value in fields if number == _PIECE]
    trainer, normaliser, denormaliser = (
        _message(b"".join(_parts(fields, number)), kinds)
        for number, kinds in (
            (_TRAINER, _OF_TRAINER),
            (_NORMALISER, _OF_NORMALISER),
            (_DENORMALISER, _OF_NORMALISER),
        )
    )
    _taught(trainer, normaliser, denormaliser)
    names = {number: name for name, number in _ALGORITHMS.items()}
    return _sound_model(
        SentencePiece(
            tuple(texts([_text(row.get(_SPELLING, b"")) for row in rows], "pieces")),
            tuple(scores([row.get(_SCORE, 0.0) for row in rows], "scores", len(rows))),
            tuple(row.get(_KIND, PieceKind.NORMAL) for row in rows),
            names.get(trainer.get(_ALGORITHM, 1), "another"),
            normaliser.get(_CHARSMAP) or "identity",
            bool(normaliser.get(_SQUEEZE, 1)),
        )
    )


def _taught(trainer: dict, normaliser: dict, denormaliser: dict) -> None:
    plain = normaliser.get(_DUMMY_PREFIX, 1) and normaliser.get(_ESCAPE, 1)
    require(
        bool(plain),
        "the model puts no ▁ in front, or none for spaces. Fix: train it with add_dummy_prefix.",
    )
    require(
        not trainer.get(_MARK_BEHIND, 0),
        "the model puts its ▁ after words. Fix: train it without treat_whitespace_as_suffix.",
    )
    require(
        not denormaliser.get(_CHARSMAP),
        "the model changes what it decodes by a map. Fix: train it without denormalization_rule_tsv.",
    )
    require(
        trainer.get(_UNKNOWN_SURFACE, _SHOWN) == _SHOWN,
        "the model shows unknown pieces as another text than ⁇. Fix: train it without unk_surface.",
    )


def _parts(fields: list[tuple[int, int | float | bytes]], number: int) -> list[bytes]:
    found = [value for n, value in fields if n == number]
    messages = [value for value in found if isinstance(value, bytes)]
    odd = next((value for value in found if not isinstance(value, bytes)), b"")
    require(
        len(messages) == len(found),
        f"the field {number} of the file holds {odd!r}; wanted a message. Fix: read the bytes of a .model file.",
    )
    return messages


def _message(value: int | float | bytes, kinds: Mapping[int, type]) -> dict[int, Any]:
    """The fields of a message, those that are known of their kind; of one that stands twice the last."""
    data = value if isinstance(value, bytes) else b"\xff"
    found = dict(_fields(data))
    for number, kind in kinds.items():
        require(
            isinstance(found.get(number, kind()), kind),
            f"a field {number} of the file holds {found.get(number)!r:.40}; wanted {kind.__name__}. Fix: read a whole .model file.",
        )
    return found


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        message = f"the piece {data!r:.60} is no UTF-8. Fix: read a whole .model file."
        raise ValueError(message) from None


def _piece(spelling: str, score: float, kind: int) -> bytes:
    return (
        _field(_SPELLING, spelling.encode("utf-8"))
        + _field(_SCORE, float(score))
        + _field(_KIND, kind)
    )


def _field(number: int, value: int | float | bytes) -> bytes:
    if isinstance(value, bytes):
        return _whole(number << 3 | 2) + _whole(len(value)) + value
    if isinstance(value, float):
        return _whole(number << 3 | 5) + struct.pack("<f", value)
    return _whole(number << 3) + _whole(value)


def _whole(value: int) -> bytes:
    low, rest = value & 127, value >> 7
    return bytes([low | 128]) + _whole(rest) if rest else bytes([low])


def _fields(data: bytes) -> Iterator[tuple[int, int | float | bytes]]:
    """The fields of a message, each with its number; of four bytes the float, of eight the bytes."""
    place = 0
    while place < len(data):
        key, place = _read_whole(data, place)
        value, place = _read_value(data, place, key & 7)
        require(
            place <= len(data),
            "the file ends in the middle of a field, so it is no model. Fix: read the whole of a .model file as bytes.",
        )
        yield key >> 3, struct.unpack("<f", value)[0] if key & 7 == 5 else value


def _read_value(data: bytes, place: int, kind: int) -> tuple[Any, int]:
    if kind == 0:
        return _read_whole(data, place)
    length = {1: 8, 5: 4}.get(kind, len(data))
    if kind == 2:
        length, place = _read_whole(data, place)
    return data[place : place + length], place + length


def _read_whole(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while place < len(data):
        value |= (data[place] & 127) << shift
        shift, place = shift + 7, place + 1
        if data[place - 1] < 128:
            return value, place
    return value, len(data) + 1
