"""What people write who solve the exercises about SentencePiece, vocabulary size and the comparison of tokenizers."""

import re
from collections import Counter

import numpy as np

from transformer_math.tokenization import (
    PieceKind,
    bits_per_character,
    decode_sentence,
    encode_sentence,
    fit_power_law,
    mark_spaces,
    merge_pieces,
    rare_share,
    renyi_efficiency,
    renyi_entropy,
    zipf_log_likelihood,
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


def merged_everywhere_at_once(chunk, scores):
    """The best piece wherever it stands, from left to right: the same, since another place of it cannot be better."""
    parts = list(chunk)
    while True:
        made = {a + b for a, b in zip(parts, parts[1:])} & scores.keys()
        if not made:
            return parts
        best, out = max(made, key=scores.get), []
        for part in parts:
            if out and out[-1] + part == best and len(out[-1]) < len(best):
                out[-1] = best
            else:
                out.append(part)
        parts = out


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


def two_percent_more(x, y):
    A, beta = fit_power_law(x, y)
    return 1.02 * A, beta


RIGHT = [
    (merge_pieces, merged_with_tuples),
    (merge_pieces, merged_everywhere_at_once),
    (encode_sentence, spelt),
    (encode_sentence, lambda text, model: tuple(encode_sentence(text, model))),
    (decode_sentence, decoded_by_pattern),
    (decode_sentence, lambda ids, model: decode_sentence(np.array(ids, int), model)),
    (fit_power_law, lambda x, y: list(fit_power_law(x, y))),
    (
        fit_power_law,
        lambda x, y: (lambda b, a: (float(np.exp(a)), float(b)))(
            *np.polyfit(np.log(x), np.log(y), 1)
        ),
    ),
    (
        zipf_log_likelihood,
        lambda counts, s: float(
            counts
            @ np.log(
                np.arange(1.0, len(counts) + 1) ** -s
                / (np.arange(1.0, len(counts) + 1) ** -s).sum()
            )
        ),
    ),
    (
        zipf_log_likelihood,
        lambda counts, exponent: (
            sum(-exponent * c * np.log(r) for r, c in enumerate(counts, 1))
            - counts.sum()
            * np.log(sum(r**-exponent for r in range(1, len(counts) + 1)))
        ),
    ),
    (rare_share, lambda counts, k: sum(c < k for c in counts) / len(counts)),
    (rare_share, lambda counts, fewest: 1 - float(np.mean(counts >= fewest))),
    (
        renyi_entropy,
        lambda p, alpha: (
            -sum(x * np.log2(x) for x in p if x)
            if alpha == 1
            else np.log2(sum(x**alpha for x in p)) / (1 - alpha)
        ),
    ),
    (renyi_entropy, lambda p, a: renyi_entropy(np.sort(p), a)),
    (
        renyi_efficiency,
        lambda counts, alpha=2.5: (
            renyi_entropy(counts / counts.sum(), alpha) / np.log2(len(counts))
        ),
    ),
    (renyi_efficiency, lambda counts, alpha: renyi_efficiency(2 * counts, alpha)),
    (
        bits_per_character,
        lambda counts, n: sum(c * np.log2(sum(counts) / c) for c in counts if c) / n,
    ),
    (
        bits_per_character,
        lambda counts, n_characters: (
            renyi_entropy(counts / counts.sum(), 1.0) * counts.sum() / n_characters
        ),
    ),
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
    (fit_power_law, lambda x, y: fit_power_law(x, y)[::-1], "it gave"),
    (
        fit_power_law,
        lambda x, y: (
            float(np.exp(np.polyfit(np.log10(x), np.log10(y), 1)[1])),
            float(np.polyfit(np.log10(x), np.log10(y), 1)[0]),
        ),
        "it gave",
    ),
    (fit_power_law, lambda x, y: fit_power_law(x, y)[1], "it gave"),
    (fit_power_law, two_percent_more, "it gave"),
    (
        fit_power_law,
        lambda x, y: (fit_power_law(x, y)[0], -fit_power_law(x, y)[1]),
        "it gave",
    ),
    (zipf_log_likelihood, lambda c, s: -zipf_log_likelihood(c, s), "sign"),
    (
        zipf_log_likelihood,
        lambda c, s: zipf_log_likelihood(c, s) / c.sum(),
        "it gave",
    ),
    (zipf_log_likelihood, lambda c, s: zipf_log_likelihood(c, 1.0), "it gave"),
    (
        zipf_log_likelihood,
        lambda c, s: float(
            c
            @ np.log(
                (np.arange(len(c)) + 2.0) ** -s
                / ((np.arange(len(c)) + 2.0) ** -s).sum()
            )
        ),
        "it gave",
    ),
    (
        zipf_log_likelihood,
        lambda c, s: float((c / c.sum()) @ np.log(np.arange(1.0, len(c) + 1) ** -s)),
        "it gave",
    ),
    (rare_share, lambda c, k: float((c > k).mean()), "it gave"),
    (rare_share, lambda c, k: float((c >= k).mean()), "it gave"),
    (rare_share, lambda c, k: 100 * rare_share(c, k), "it gave"),
    (rare_share, lambda c, k: float((c < 5).mean()), "it gave"),
    (
        rare_share,
        lambda c, k: len([v for v, n in Counter(c).items() if v < k]) / len(c),
        "it gave",
    ),
    (renyi_entropy, lambda p, a: renyi_entropy(p, 2.5), "it gave"),
    (renyi_entropy, lambda p, a: float(-np.log2((p**a).sum())), "it gave"),
    (renyi_entropy, lambda p, a: float(-np.log2(p.max())), "it gave"),
    (renyi_entropy, lambda p, a: renyi_entropy(p, a) / np.log2(len(p)), "it gave"),
    (renyi_entropy, lambda p, a: 2 ** renyi_entropy(p, a), "it gave"),
    (renyi_efficiency, lambda c, a=2.5: renyi_efficiency(c), "alpha"),
    (renyi_efficiency, lambda c, a=2.5: renyi_efficiency(c, 1.0), "it gave"),
    (renyi_efficiency, lambda c, a=2.0: renyi_efficiency(c, a), "it gave"),
    (renyi_efficiency, lambda c, a=2.5: 1 - renyi_efficiency(c, a), "it gave"),
    (
        renyi_efficiency,
        lambda c, a=2.5: renyi_entropy(c / c.sum(), a) / np.log2(c.sum() + 2),
        "it gave",
    ),
    (bits_per_character, lambda c, n: -bits_per_character(c, n), "sign"),
    (bits_per_character, lambda c, n: n * bits_per_character(c, n), "it gave"),
    (bits_per_character, lambda c, n: 8 * bits_per_character(c, n), "it gave"),
    (
        bits_per_character,
        lambda c, n: float(-(c[c > 0] * np.log2(c[c > 0] / n)).sum() / n),
        "it gave",
    ),
    (
        bits_per_character,
        lambda c, n: renyi_entropy(c / c.sum(), 2.0) * c.sum() / n,
        "it gave",
    ),
]
