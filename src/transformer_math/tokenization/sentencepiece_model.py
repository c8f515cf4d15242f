"""What a trained SentencePiece model is: pieces, their scores and kinds, the algorithm inside, and what is done to a text first."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from transformer_math.errors import require
from transformer_math.tokenization.normalisation import normalise

SPACE_MARK = "\u2581"  # ▁
LITERAL_MARK = (
    "\ud800"  # stands for a ▁ of the text itself; no text that can be written holds it
)


class PieceKind(IntEnum):
    """What a piece is for, numbered as in the files of SentencePiece."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    BYTE = 6


NORMAL, UNKNOWN, CONTROL, BYTE = PieceKind
INSIDE = ("bpe", "unigram")
SPECIAL_PIECES = {"<unk>": UNKNOWN, "<s>": CONTROL, "</s>": CONTROL}
BYTE_PIECES = tuple(f"<0x{byte:02X}>" for byte in range(256))


class SentencePiece(NamedTuple):
    """A trained model: its pieces by id, the score and the kind of each, the algorithm inside, and what is done to a text first."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    kinds: tuple[int, ...]
    inside: str = "bpe"
    rules: str | bytes = "identity"
    squeeze: bool = False

    def scored(self) -> dict[str, float]:
        """The scores of the pieces that may be cut out of a text."""
        known = zip(self.pieces, self.scores, self.kinds)
        return {piece: score for piece, score, kind in known if kind == NORMAL}


def _sound_model(model: SentencePiece) -> SentencePiece:
    """The model itself, whose pieces are distinct. Raises ValueError where it does what this book does not teach."""
    kinds = set(model.kinds)
    require(
        UNKNOWN in kinds,
        "there is no unknown piece, so it is no model. Fix: read the bytes of a .model file.",
    )
    require(
        kinds <= set(PieceKind),
        "the model has pieces that a user defined. Fix: train it without user_defined_symbols.",
    )
    require(
        model.inside in INSIDE,
        f"the algorithm inside is {model.inside!r:.40}; wanted one of {', '.join(INSIDE)}. Fix: train it with one of them.",
    )
    spelt = {piece for piece, kind in zip(model.pieces, model.kinds) if kind == BYTE}
    require(
        spelt in (set(), set(BYTE_PIECES)),
        f"the model has {len(spelt)} pieces for bytes; wanted all 256, <0x00> to <0xFF>, or none. Fix: read a whole file.",
    )
    known = [s for s, kind in zip(model.scores, model.kinds) if kind == NORMAL]
    require(
        any(score > -np.inf for score in known) and not np.isnan(known).any(),
        "the model has no piece with a score. Fix: read a whole file.",
    )
    require(
        isinstance(model.squeeze, bool),
        f"squeeze is {model.squeeze!r:.40}; wanted true or false. Fix: false.",
    )
    normalise("", model.rules)
    return model._replace(kinds=tuple(map(PieceKind, model.kinds)))
