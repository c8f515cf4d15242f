"""What the tests of all ideas ask of `tokenization/sentencepiece`."""

import math
import re

import numpy as np
from example_values import sentences_model

from transformer_math.tokenization import (
    PieceKind,
    cut_marked,
    decode_sentence,
    encode_sentence,
    inseparable,
    mark_spaces,
    marked_text,
    merge_pieces,
    prepared,
    sentence_pieces,
    spelt_parts,
)


def merged_with_tuples(chunk, scores):
    parts = tuple(chunk)
    while True:
        pairs = [
            (-scores[a + b], i)
            for i, (a, b) in enumerate(zip(parts, parts[1:]))
            if a + b in scores
        ]
        if not pairs:
            return parts
        _, i = min(pairs)
        parts = (*parts[:i], parts[i] + parts[i + 1], *parts[i + 2 :])


def merged_at_the_first_maximum(chunk, scores):
    parts = list(chunk)

    def score(i):
        return scores.get(parts[i] + parts[i + 1], -math.inf)

    while len(parts) > 1:
        i = max(range(len(parts) - 1), key=score)
        if score(i) == -math.inf:
            break
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return parts


def without_merging(chunk, scores):
    return list(chunk)


def ids_of_pieces(chunk, scores):
    return [
        list(scores).index(p) if p in scores else -1
        for p in merge_pieces(chunk, scores)
    ]


def longest_of_neighbours(chunk, scores):
    parts = list(chunk)
    while True:
        known = [i for i in range(len(parts) - 1) if parts[i] + parts[i + 1] in scores]
        if not known:
            return parts
        i = max(known, key=lambda i: len(parts[i] + parts[i + 1]))
        parts[i : i + 2] = [parts[i] + parts[i + 1]]


def spelt(text, model):
    """Encoding, in other words than the page's."""
    if model.squeeze:
        text = re.sub(" +", " ", text).strip(" ")
    ids, unknown = [], model.kinds.index(PieceKind.UNKNOWN)
    number = {piece: i for i, piece in enumerate(model.pieces)}
    stretches = text.split("▁") if text else []
    for place, stretch in enumerate(stretches):
        if place:
            ids += [number[f"<0x{byte:02X}>"] for byte in "▁".encode()]
        marked = stretch.replace(" ", "▁") if place else mark_spaces(stretch)
        for piece in merge_pieces(marked, model.scored()):
            if piece in model.scored():
                ids.append(number[piece])
            elif PieceKind.BYTE in model.kinds:
                ids += [number[f"<0x{byte:02X}>"] for byte in piece.encode()]
            elif ids[-1:] != [unknown]:
                ids.append(unknown)
    return ids


def unknown_for_each(text, model):
    unknown = model.kinds.index(PieceKind.UNKNOWN)
    marked = mark_spaces(re.sub(" +", " ", text).strip(" ") if model.squeeze else text)
    if PieceKind.BYTE in model.kinds:
        return encode_sentence(text, model)
    return [
        model.pieces.index(p) if p in model.scored() else unknown
        for p in merge_pieces(marked, model.scored())
    ]


def decoded_by_pattern(ids, model):
    kinds = [model.kinds[i] for i in ids if model.kinds[i] != PieceKind.CONTROL]
    if any(model.kinds[i] == PieceKind.CONTROL for i in ids):
        return decode_sentence(ids, model)  # control pieces part the bytes around them
    text = b""
    for place, i in enumerate(ids):
        piece = model.pieces[i]
        if kinds[place] == PieceKind.BYTE:
            text += bytes.fromhex(piece[3:5])
        elif kinds[place] == PieceKind.UNKNOWN:
            text += " ⁇ ".encode()
        else:
            piece = piece.removeprefix("▁") if place == 0 else piece
            text += piece.replace("▁", " ").encode()
    loose = text.decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]", "\ufffd", loose)


def without_unknown(ids, model):
    unknown = model.kinds.index(PieceKind.UNKNOWN)
    return decode_sentence([i for i in ids if i != unknown], model)


EXAMPLES = {
    prepared: {"text": "hi", "model": sentences_model},
    mark_spaces: {"text": "it is"},
    sentence_pieces: {"text": "hi", "model": sentences_model},
    marked_text: {"text": "hi hi", "model": sentences_model},
    cut_marked: {"marked": "▁hi", "model": sentences_model},
    inseparable: {"scores": {"ab": 0.0}},
    spelt_parts: {"found": ["▁hi", "é"], "model": sentences_model},
}

ACCEPTED = {
    prepared: {"text": {"empty"}},
    encode_sentence: {"text": {"empty"}},
    mark_spaces: {"text": {"empty"}},
    sentence_pieces: {"text": {"empty"}},
    marked_text: {"text": {"empty"}},
    cut_marked: {"marked": {"empty"}},
    merge_pieces: {"chunk": {"empty"}},
}

RIGHT = [
    (merge_pieces, merged_with_tuples),
    (merge_pieces, merged_at_the_first_maximum),
    (encode_sentence, spelt),
    (encode_sentence, lambda text, model: tuple(encode_sentence(text, model))),
    (decode_sentence, decoded_by_pattern),
    (decode_sentence, lambda ids, model: decode_sentence(np.array(ids, int), model)),
]

WRONG = [
    (merge_pieces, without_merging, "it gave"),
    (merge_pieces, ids_of_pieces, "it gave"),
    (merge_pieces, longest_of_neighbours, "it gave"),
    (
        merge_pieces,
        lambda chunk, scores: "|".join(merge_pieces(chunk, scores)),
        "it gave",
    ),
    (merge_pieces, lambda chunk, scores: merge_pieces(chunk, scores)[::-1], "it gave"),
    (
        encode_sentence,
        lambda text, model: [
            i
            for i in encode_sentence(text, model)
            if model.kinds[i] == PieceKind.NORMAL
        ],
        "it gave",
    ),
    (encode_sentence, unknown_for_each, "it gave"),
    (
        encode_sentence,
        lambda text, model: encode_sentence(text.lower(), model),
        "it gave",
    ),
    (
        encode_sentence,
        lambda text, model: encode_sentence(text.strip(), model),
        "it gave",
    ),
    (
        encode_sentence,
        lambda text, model: [model.kinds.index(2 + 0), *encode_sentence(text, model)],
        "it gave",
    ),
    (decode_sentence, without_unknown, "it gave"),
    (
        decode_sentence,
        lambda ids, model: "".join(model.pieces[i] for i in ids).replace("▁", " "),
        "it gave",
    ),
    (
        decode_sentence,
        lambda ids, model: decode_sentence(ids, model).strip(),
        "it gave",
    ),
    (
        decode_sentence,
        lambda ids, model: decode_sentence(ids, model).replace("\ufffd", ""),
        "it gave",
    ),
    (
        decode_sentence,
        lambda ids, model: decode_sentence(ids, model).replace("é", "?"),
        "it gave",
    ),
]

EQUIVALENT = {
    "inseparable": {
        "1: → :": "Where more characters may stand after another, texts are cut at fewer places first, with the same pieces, more slowly.",
        "1: → 0:": "Where more characters may stand after another, texts are cut at fewer places first, with the same pieces, more slowly.",
    },
}
