"""Checks of SentencePiece, against the library of that name: models that it trained cut the same texts."""

import io
import re
from functools import cache
from itertools import pairwise

import numpy as np
import sentencepiece

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, smallest
from transformer_math.checks.tokenization.byte_bpe import random_text
from transformer_math.checks.tokenization.unigram import BPE, sentencepiece_model
from transformer_math.tokenization.sentencepiece import (
    decode_sentence,
    encode_sentence,
    mark_spaces,
    merge_pieces,
    sentence_pieces,
)
from transformer_math.tokenization.sentencepiece_model import (
    BYTE_PIECES,
    SPACE_MARK,
    PieceKind,
    SentencePiece,
)

ALL_AS_IT_IS = {
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
}


@cache
def trained(number, inside="bpe", **options):
    """One of a few models that the library trained on random words, as the library's and as ours, read piece by piece."""
    rng, written = np.random.default_rng(number), io.BytesIO()
    letters = list("abcdé" if number % 2 else "the opinn")
    lines = ["".join(rng.choice([*letters, " "], size=60)) for _ in range(12)]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=written,
        model_type=inside,
        vocab_size=40 + 256 * options.get("byte_fallback", False) + 3 * number,
        hard_vocab_limit=False,
        num_threads=1,
        minloglevel=2,
        **options,
    )
    theirs = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    return theirs, as_ours(theirs, inside, options)


def as_ours(theirs, inside, options):
    """A model of the library with its pieces asked for one by one; its file is not read."""
    kinds = (
        PieceKind.UNKNOWN
        if theirs.is_unknown(i)
        else PieceKind.CONTROL
        if theirs.is_control(i)
        else PieceKind.BYTE
        if theirs.is_byte(i)
        else PieceKind.NORMAL
        for i in range(len(theirs))
    )
    return SentencePiece(
        tuple(theirs.id_to_piece(i) for i in range(len(theirs))),
        tuple(theirs.get_score(i) for i in range(len(theirs))),
        tuple(kinds),
        inside,
        "identity",
        options.get("remove_extra_whitespaces", True),
    )


def a_model(rng):
    """With bytes in two cases of three; extra spaces go in one of three."""
    bytes_too, squeeze = rng.random() < 0.67, rng.random() < 0.33
    return trained(
        int(rng.integers(4)),
        byte_fallback=bool(bytes_too),
        normalization_rule_name="identity",
        remove_extra_whitespaces=bool(squeeze),
    )


def a_text(rng):
    """Words of the models' letters and spaces, with some of anything between them."""
    length = 1 if smallest() else 1000 if longest() else rng.integers(1, 25)
    known = "".join(rng.choice(list("abcdé theopinTA  "), size=length))
    if smallest():
        return known
    other = random_text(rng)[: rng.integers(6)].replace(SPACE_MARK, "")
    return known + other + known[::-1] * int(rng.integers(2))


def merging_by_any_scores(merge_pieces, rng):
    """Scores as no training makes them: a long piece may be better than its parts, and several are equally good."""
    pieces = {
        "".join(rng.choice(list("ab"), size=rng.integers(2, 5))) for _ in range(9)
    }
    scores = dict(zip(["a", "b", *sorted(pieces)], -rng.integers(9, size=11) / 4))
    theirs = sentencepiece_model((scores.keys(), scores.values()), BPE)
    text = "".join(rng.choice(list("ab"), size=rng.integers(1, 15)))
    return difference(
        list(merge_pieces(text, scores)), theirs.encode(text, out_type=str)
    )


@check(
    merge_pieces,
    equation="eq-merge-pieces",
    oracle="the encoder of the library sentencepiece",
)
def merging_equals_sentencepiece(merge_pieces, rng):
    theirs, model = trained(int(rng.integers(4)), **ALL_AS_IT_IS)
    letters = [piece for piece in model.pieces if len(piece) == 1]
    if smallest():
        got = merge_pieces("", {"ab": 0.0}), merge_pieces("a", {"ab": 0.0})
        return difference(got, ([], ["a"]))
    if rng.random() < 0.5:
        return merging_by_any_scores(merge_pieces, rng)
    length = 1000 if longest() else rng.integers(1, 30)
    text = "".join(rng.choice(letters, size=length)).replace(SPACE_MARK, " ")
    return difference(
        list(merge_pieces(mark_spaces(text), model.scored())),
        theirs.encode(text, out_type=str),
    )


@merging_equals_sentencepiece.rejects(
    "You merge the best piece at all its places at once: merge one place, then look again, since what it makes may be better still."
)
def merged_everywhere(chunk, scores):
    parts = list(chunk)
    while known := {a + b for a, b in pairwise(parts)} & set(scores):
        best = max(
            (a + b for a, b in pairwise(parts) if a + b in known), key=scores.get
        )
        place = 0
        while place < len(parts) - 1:
            if parts[place] + parts[place + 1] == best:
                parts[place : place + 2] = [best]
            place += 1
    return parts


@merging_equals_sentencepiece.rejects(
    "You take the longest piece that fits, from the left; wanted the merge with the highest score, wherever it stands."
)
def longest_piece_first(chunk, scores):
    cut, place = [], 0
    while place < len(chunk):
        fits = (
            end for end in range(len(chunk), place, -1) if chunk[place:end] in scores
        )
        end = next(fits, place + 1)
        cut.append(chunk[place:end])
        place = end
    return cut


def merged_by(chunk, scores, choose):
    """Merge until nothing can be merged, by any rule for the choice among the places: the material of wrong versions."""
    parts = list(chunk)
    while places := [
        i for i in range(len(parts) - 1) if parts[i] + parts[i + 1] in scores
    ]:
        at = choose(places, lambda i: scores[parts[i] + parts[i + 1]])
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts


@merging_equals_sentencepiece.rejects(
    "You merge the piece with the lowest score; wanted the highest. The score of the first merge is 0, later ones are below."
)
def worst_first(chunk, scores):
    return merged_by(chunk, scores, lambda places, score: min(places, key=score))


@merging_equals_sentencepiece.rejects(
    "You go from left to right and merge whatever you know; wanted the merge with the highest score, wherever it stands."
)
def leftmost_piece_first(chunk, scores):
    return merged_by(chunk, scores, lambda places, score: places[0])


@merging_equals_sentencepiece.rejects(
    "Of equal merges you take the last place; wanted the first. Try “aaa”."
)
def rightmost_of_equals(chunk, scores):
    return merged_by(chunk, scores, lambda places, score: max(places[::-1], key=score))


@merging_equals_sentencepiece.rejects(
    "You merge once and stop: look again at all neighbours, until no two make a piece."
)
def merged_once(chunk, scores):
    parts = list(chunk)
    made = [a + b for a, b in zip(parts, parts[1:])]
    known = [piece for piece in made if piece in scores]
    if known:
        at = made.index(max(known, key=scores.get))
        parts[at : at + 2] = [made[at]]
    return parts


@check(
    encode_sentence,
    equation="eq-sentencepiece-lossless",
    oracle="the encoder of the library sentencepiece",
)
def sentence_equals_sentencepiece(encode_sentence, rng):
    theirs, model = a_model(rng)
    texts = ["", a_text(rng)] if smallest() else [a_text(rng)]
    return difference(
        [list(encode_sentence(text, model)) for text in texts],
        [theirs.encode(text) for text in texts],
    )


@check(
    encode_sentence,
    equation="eq-sentencepiece-lossless",
    oracle="the text itself, once the library sentencepiece has decoded the ids",
    cases=20,
)
def sentence_comes_back(encode_sentence, rng):
    theirs, model = trained(int(rng.integers(4)), byte_fallback=True, **ALL_AS_IT_IS)
    text = a_text(rng) + SPACE_MARK * int(rng.integers(3)) + a_text(rng)
    return difference(
        theirs.decode([int(i) for i in encode_sentence(text, model)]), text
    )


@sentence_comes_back.rejects(
    "A ▁ in the text comes back as a space: write it as its three bytes, not as a piece."
)
def mark_taken_for_a_space(text, model):
    return encode_sentence(text.replace(SPACE_MARK, " "), model)


def ids_of(pieces, model):
    return [model.pieces.index(piece) for piece in pieces]


@sentence_equals_sentencepiece.rejects(
    "You put no ▁ in front: a word at the beginning of a text must look like the same word inside it."
)
def without_the_first_mark(text, model):
    ids = encode_sentence(text, model)
    first = model.pieces[ids[0]] if ids else ""
    if not first.startswith(SPACE_MARK):
        return ids
    rest = merge_pieces(first[1:], model.scored())
    return [*ids_of(rest, model), *ids[1:]]


@sentence_equals_sentencepiece.rejects(
    "What has no piece becomes unknown in your version; a model with bytes writes it as its bytes."
)
def unknown_in_place_of_bytes(text, model):
    unknown = model.kinds.index(PieceKind.UNKNOWN)
    without = model._replace(
        kinds=tuple(
            PieceKind.CONTROL if kind == PieceKind.BYTE else kind
            for kind in model.kinds
        )
    )
    return [unknown if i == unknown else i for i in encode_sentence(text, without)]


@sentence_equals_sentencepiece.rejects(
    "You write everything in bytes: characters come first, bytes are for what has no piece."
)
def bytes_of_everything(text, model):
    if PieceKind.BYTE not in model.kinds:
        return encode_sentence(text, model)
    marked = "".join(sentence_pieces(text, model._replace(kinds=(2, *[1] * 999))))
    return ids_of((BYTE_PIECES[b] for b in marked.encode("utf-8", "replace")), model)


@sentence_equals_sentencepiece.rejects(
    "Runs of spaces become one in your version; that is for models with `squeeze` alone, since the text would not come back."
)
def always_squeezed(text, model):
    return encode_sentence(text, model._replace(squeeze=True))


@sentence_equals_sentencepiece.rejects(
    "You keep every space; a model with `squeeze` makes one of several, and drops those at both ends."
)
def never_squeezed(text, model):
    return encode_sentence(text, model._replace(squeeze=False))


@check(
    decode_sentence,
    equation="eq-sentencepiece-lossless",
    oracle="the decoder of the library sentencepiece",
)
def decoding_equals_sentencepiece(decode_sentence, rng):
    theirs, model = trained(int(rng.integers(4)), byte_fallback=True, **ALL_AS_IT_IS)
    ids = theirs.encode(a_text(rng))
    if rng.random() < 0.5:
        ids = [int(i) for i in rng.integers(0, len(model.pieces), size=12)]
    ids = ids[:1] if smallest() else ids
    return difference(decode_sentence(ids, model), theirs.decode(ids))


def joined(ids, model, spell):
    written = [
        spell(model.pieces[i]) for i in ids if model.kinds[i] != PieceKind.CONTROL
    ]
    return "".join(written).replace(SPACE_MARK, " ")


@decoding_equals_sentencepiece.rejects(
    "You keep the space in front: the first ▁ was put there by the encoder."
)
def first_space_kept(ids, model):
    return " " * model.pieces[ids[0]].startswith(SPACE_MARK) + decode_sentence(
        ids, model
    )


@decoding_equals_sentencepiece.rejects(
    "You strip every space in front; the encoder put one there, the others belong to the text."
)
def all_spaces_stripped(ids, model):
    return decode_sentence(ids, model).lstrip(" ")


@decoding_equals_sentencepiece.rejects(
    "You read each byte as a character of its own: collect neighbouring bytes, and read them together as UTF-8."
)
def byte_by_byte(ids, model):
    def spell(piece):
        return chr(int(piece[3:5], 16)) if re.fullmatch("<0x..>", piece) else piece

    return joined(ids, model, spell).removeprefix(" ")


@decoding_equals_sentencepiece.rejects(
    "Bytes come out by their names, such as <0xC3>: read them as UTF-8."
)
def names_of_bytes(ids, model):
    return joined(ids, model, lambda piece: piece).removeprefix(" ")


@decoding_equals_sentencepiece.rejects(
    "Control pieces such as <s> appear in the text: they stand for none."
)
def control_pieces_shown(ids, model):
    shown = model._replace(
        kinds=tuple(
            PieceKind.NORMAL if kind == PieceKind.CONTROL else kind
            for kind in model.kinds
        )
    )
    return decode_sentence(ids, shown)


@decoding_equals_sentencepiece.rejects(
    "▁ is still in your text: it stands for a space."
)
def marks_left(ids, model):
    return decode_sentence(ids, model).replace(" ", SPACE_MARK)


@merging_equals_sentencepiece.rejects(
    "You leave the characters as they are: merge neighbours that make a piece."
)
def never_merged(chunk, scores):
    return list(chunk)


@sentence_equals_sentencepiece.rejects(
    "You strip the spaces at both ends: a model without `squeeze` keeps them, so that the text comes back."
)
def always_stripped(text, model):
    return encode_sentence(text.strip(" "), model)


@decoding_equals_sentencepiece.rejects(
    "You join the pieces as they are written: ▁ is a space, bytes such as <0xC3> are read as UTF-8, control pieces stand for nothing, and the space in front goes."
)
def pieces_as_written(ids, model):
    return "".join(model.pieces[i] for i in ids)
