"""Where SentencePiece's tokens stand in the text as it was before it was normalised."""

from transformer_math.contract import contract
from transformer_math.tokenization.normalisation import normalised_places
from transformer_math.tokenization.offsets import Spans, spans_of_lengths
from transformer_math.tokenization.sentencepiece import (
    cut_marked,
    mark_spaces,
    spelt_parts,
)
from transformer_math.tokenization.sentencepiece_model import (
    LITERAL_MARK,
    SPACE_MARK,
    SentencePiece,
)
from transformer_math.tokenization.utf8 import _writable


@contract
@_writable
def sentence_spans(text: str, model: SentencePiece) -> Spans:
    """The span of each piece of `sentence_pieces`. The ▁ that stands in front of a text has no room in it.

    >>> from transformer_math.tokenization import train_sentencepiece
    >>> sentence_spans("hi hi", train_sentencepiece("hi hi", vocab_size=264))
    [(0, 2), (2, 5)]
    """
    plain, places = normalised_places(text, model.rules)
    if model.squeeze:
        kept = _squeezed(plain)
        plain, places = "".join(plain[i] for i in kept), [places[i] for i in kept]
    if plain == "":
        return []
    begin = places[0][0]
    places = [(begin, begin), *places]
    marked = mark_spaces(plain.replace(SPACE_MARK, LITERAL_MARK))
    parts = spelt_parts(cut_marked(marked, model), model)
    spans = spans_of_lengths(len(part) for part, _ in parts)
    return [
        (places[a][0], places[b - 1][1])
        for (a, b), (_, pieces) in zip(spans, parts)
        for _ in pieces
    ]


def _squeezed(plain: str) -> list[int]:
    """The places that stay when one space is made of several, and none at the ends."""
    first, behind = len(plain) - len(plain.lstrip(" ")), len(plain.rstrip(" "))
    inside = range(first, behind)
    return [i for i in inside if plain[i] != " " or plain[i - 1] != " "]
