"""Checks of segmentation by a Unigram, against SentencePiece, Hugging Face `tokenizers` and a list of all segmentations."""

import struct
from math import prod

import numpy as np
import sentencepiece
from tokenizers import Tokenizer, models

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, smallest
from transformer_math.checks.tokenization.lattice import ways
from transformer_math.tokenization.unigram import (
    Unigram,
    segmentation_probability,
    viterbi,
)

LETTERS = "abcé"
STRANGE = "☃z"


def random_unigram(rng, step=None):
    """Pieces over four letters with random probabilities; with a `step`, log-probabilities are its multiples, and tie.

    One of the letters may be known inside of longer pieces alone.
    """
    found = {
        "".join(rng.choice(list(LETTERS), size=rng.integers(2, 5)))
        for _ in range(rng.integers(1, 25))
    }
    pieces = (*LETTERS[: rng.integers(3, 5)], *sorted(found))
    scores = np.log(rng.dirichlet(np.full(len(pieces), 0.5)) + 1e-6)
    return Unigram(pieces, np.round(scores / step) * step if step else scores)


def random_word(rng, strange=0.0):
    """A word over the four letters, with some characters that no piece knows."""
    letters = [*LETTERS, *STRANGE]
    p = [(1 - strange) / len(LETTERS)] * len(LETTERS) + [strange / 2] * 2
    length = 1 if smallest() else 1000 if longest() else rng.integers(1, 14)
    return "".join(rng.choice(letters, size=length, p=p))


def segmentations(word):
    """Every way to cut a word, whether its parts are pieces or not."""
    return ([word[i:j] for i, j in zip(way, way[1:])] for way in ways(0, len(word)))


def probability(segmentation, unigram):
    """The probability of a segmentation, 0 where a part is no piece."""
    shares = dict(zip(unigram.pieces, np.exp(unigram.log_probabilities)))
    return prod(shares.get(piece, 0.0) for piece in segmentation)


def huggingface_unigram(unigram):
    """The same pieces and scores in Hugging Face's library."""
    scores = [float(score) for score in unigram.log_probabilities]
    unknown = ("<unk>", min(scores))
    return Tokenizer(models.Unigram([unknown, *zip(unigram.pieces, scores)], 0, False))


UNIGRAM, BPE = 1, 2  # as SentencePiece numbers its kinds of models


def sentencepiece_unigram(unigram):
    """The same pieces and scores as a Unigram of SentencePiece."""
    return sentencepiece_model(unigram, UNIGRAM)


def sentencepiece_model(pieces_and_scores, kind_of_model):
    """A model of SentencePiece, written in its own format; nothing is normalised."""
    rows = [("<unk>", 0.0, 2)]
    rows += [(piece, score, 1) for piece, score in zip(*pieces_and_scores)]
    model = b"".join(
        _bytes(1, _bytes(1, piece.encode()) + _float(2, score) + _number(3, kind))
        for piece, score, kind in rows
    )
    trainer = (
        _number(3, kind_of_model)
        + _number(41, (1 << 64) - 1)
        + _number(42, (1 << 64) - 1)
    )
    normaliser = b"".join(_number(field, 0) for field in (3, 4, 5))
    return sentencepiece.SentencePieceProcessor(
        model_proto=model + _bytes(2, trainer) + _bytes(3, normaliser)
    )


def _varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _bytes(field, value):
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _float(field, value):
    return _varint(field << 3 | 5) + struct.pack("<f", value)


def apart(tokens, unigram):
    """Tokens, with runs of unknown characters taken apart: both libraries join them."""
    known = set(unigram.pieces)
    parts = ([token] if token in known else list(token) for token in tokens)
    return [part for own in parts for part in own]


@check(
    segmentation_probability,
    equation="eq-unigram",
    oracle="the product of the probabilities, taken as fractions are",
)
def probability_equals_product(segmentation_probability, rng):
    unigram = random_unigram(rng)
    chosen = rng.choice(unigram.pieces, size=rng.integers(0, 6)).tolist()
    return difference(
        np.log(segmentation_probability(chosen, unigram)),
        np.log(probability(chosen, unigram)),
    )


@probability_equals_product.rejects(
    "You add the probabilities of the pieces: they are multiplied."
)
def sum_of_probabilities(segmentation, unigram):
    shares = dict(zip(unigram.pieces, np.exp(unigram.log_probabilities)))
    return sum(shares[piece] for piece in segmentation) or 1.0


@probability_equals_product.rejects(
    "You count a piece once that stands there twice: the product goes over places, not over distinct pieces."
)
def distinct_pieces(segmentation, unigram):
    return probability(set(segmentation), unigram)


@probability_equals_product.rejects(
    "You divide by the number of pieces: the probability of a segmentation is the plain product."
)
def mean_of_logarithms(segmentation, unigram):
    return probability(segmentation, unigram) ** (1 / max(1, len(segmentation)))


@check(
    viterbi,
    equation="eq-unigram-segmentation",
    oracle="SentencePiece and Hugging Face tokenizers with the same pieces, ties and unknown characters included",
    cases=80,
)
def viterbi_equals_both_libraries(viterbi, rng):
    unigram = random_unigram(rng, step=1.0 if rng.random() < 0.5 else None)
    word = random_word(rng, strange=0.1)
    wanted = [
        apart(huggingface_unigram(unigram).encode(word).tokens, unigram),
        apart(sentencepiece_unigram(unigram).encode(word, out_type=str), unigram),
    ]
    got = list(viterbi(word, unigram))
    return worst(difference(got, list(theirs)) for theirs in wanted)


@viterbi_equals_both_libraries.rejects(
    "You take the longest piece that fits, as WordPiece does: the most probable segmentation may begin with a shorter one."
)
def longest_match_first(word, unigram):
    out, known = [], {*unigram.pieces, *word}
    while word:
        piece = max((p for p in known if word.startswith(p)), key=len)
        out.append(piece)
        word = word[len(piece) :]
    return out


@viterbi_equals_both_libraries.rejects(
    "You choose the fewest pieces: wanted the largest product of their probabilities."
)
def fewest_pieces(word, unigram):
    known = {*unigram.pieces, *word}
    best = [[]]
    for j in range(1, len(word) + 1):
        ways = ([*best[i], word[i:j]] for i in range(j) if word[i:j] in known)
        best.append(min(ways, key=len))
    return best[-1]


def _best_way(word, unigram, longest=1, penalty=10.0):
    """Place by place the best way there; of equal ones that with the longest last piece, or the shortest, for −1."""
    known = dict(zip(unigram.pieces, unigram.log_probabilities))
    unknown, reach = min(known.values()) - penalty, max(map(len, known))
    ways = [(0.0, [])]
    for j in range(1, len(word) + 1):
        parts = [word[i:j] for i in range(max(0, j - reach), j)]
        options = (
            (before + known.get(part, unknown), [*way, part])
            for part, (before, way) in zip(parts, ways[-reach:])
            if part in known or len(part) == 1
        )
        ways.append(
            max(options, key=lambda way: (round(way[0], 9), longest * len(way[1][-1])))
        )
    return ways[-1][1]


@viterbi_equals_both_libraries.rejects(
    "Ties go to the shortest last piece in your version; wanted the longest: compare with >, and go through the beginnings from the left."
)
def ties_to_the_shortest_last_piece(word, unigram):
    return _best_way(word, unigram, longest=-1)


@viterbi_equals_both_libraries.rejects(
    "An unknown character costs as much as the rarest piece in your version; wanted 10 nats more."
)
def unknown_without_penalty(word, unigram):
    return _best_way(word, unigram, penalty=0.0)


@viterbi_equals_both_libraries.rejects(
    "You take the most probable piece first and cut what is left: a common piece may spoil what stands around it, so compare whole segmentations."
)
def most_probable_piece_first(word, unigram):
    known = dict(zip(unigram.pieces, unigram.log_probabilities))
    inside = sorted(
        (piece for piece in known if piece in word),
        key=lambda piece: (-known[piece], piece),
    )
    if not inside:
        return list(word)
    left, piece, right = word.partition(inside[0])
    return [
        *(most_probable_piece_first(left, unigram) if left else []),
        piece,
        *(most_probable_piece_first(right, unigram) if right else []),
    ]


@viterbi_equals_both_libraries.rejects(
    "Your pieces come in reverse order: the way back leads from the end to the beginning, so turn it round."
)
def in_reverse_order(word, unigram):
    return viterbi(word, unigram)[::-1]


@viterbi_equals_both_libraries.rejects(
    "You return the ids of the pieces; wanted the pieces themselves."
)
def ids_of_the_pieces(word, unigram):
    number = {piece: i for i, piece in enumerate(unigram.pieces)}
    return [number.get(piece, -1) for piece in viterbi(word, unigram)]
