"""SentencePiece's models cut a text in another way each time, by the algorithm inside: dropout of merges, or sampling."""

from collections.abc import Mapping

import numpy as np

from transformer_math.contract import NonNegative, Positive, contract
from transformer_math.tokenization.long_words import sample_by_edges
from transformer_math.tokenization.regularisation import (
    _share,
    dropout_probabilities,
)
from transformer_math.tokenization.sentencepiece import marked_text, spelt_parts
from transformer_math.tokenization.sentencepiece_model import SentencePiece
from transformer_math.tokenization.sentencepiece_training import MARKED_WORD
from transformer_math.tokenization.unigram import Unigram
from transformer_math.tokenization.utf8 import _writable


@contract
@_share
def merge_pieces_with_dropout(
    chunk: str,
    scores: Mapping[str, float],
    rng: np.random.Generator,
    dropout: NonNegative = 0.1,
) -> list[str]:
    """`merge_pieces`, where before every merge each possible one is passed over with probability `dropout`.

    Source: Provilkov, Emelianenko and Voita (2020), arXiv:1910.13267.

    >>> merge_pieces_with_dropout("ab", {"ab": 0.0}, np.random.default_rng(0), 0.0)
    ['ab']
    """
    parts = list(chunk)
    while True:
        made = [(i, a + b) for i, (a, b) in enumerate(zip(parts, parts[1:]))]
        known = [(-scores[piece], i) for i, piece in made if piece in scores]
        shares = dropout_probabilities(len(known), dropout) if known else np.ones(1)
        chosen = int(rng.choice(len(shares), p=shares))
        if chosen == len(known):
            return parts
        at = sorted(known)[chosen][1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]


@contract
@_writable
def sample_sentence(
    text: str,
    model: SentencePiece,
    rng: np.random.Generator,
    dropout: NonNegative = 0.1,
    temperature: Positive = 1.0,
) -> list[str]:
    """The pieces of a text, cut anew each time: with BPE inside by `dropout`, with Unigram at a `temperature`.

    >>> from transformer_math.tokenization import train_sentencepiece
    >>> model = train_sentencepiece("hi hi", vocab_size=264)
    >>> sample_sentence("hi", model, np.random.default_rng(0), dropout=1.0)
    ['▁', 'h', 'i']
    """
    words = MARKED_WORD.findall(marked_text(text, model))
    scores = model.scored()
    if model.inside == "bpe":
        cut = [merge_pieces_with_dropout(word, scores, rng, dropout) for word in words]
    else:
        unigram = Unigram(tuple(scores), np.array([*scores.values()]))
        cut = [sample_by_edges(word, unigram, rng, temperature) for word in words]
    parts = [piece for pieces in cut for piece in pieces]
    return [piece for _, found in spelt_parts(parts, model) for piece in found]
