"""The book's byte-level BPE in JavaScript: the same chunks, ids and texts as in Python, on texts made at random."""

import sys
import unicodedata

import numpy as np
from parity import assert_parity, compare, copy_modules

from transformer_math.corpus import SENTENCE
from transformer_math.explorables.tokenization.merges import merges_of
from transformer_math.tokenization import (
    decode_text,
    encode_text,
    pretokenize,
    train_byte_bpe,
)

ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyz",
    "ABCéßñøΣσΩдЖ",
    " \t\n\r.,;:!?()'\"-_0189",
    "東京日本語한국어½²Ⅷ٣๓",
    "👩🚀❤🏽\u200d\ufe0f\u0301\u200b\ufeff\x00\x1c\x85\u00a0\u2028\u3000",
]
TEXT = SENTENCE + " the whale, the whale; a whale's whiteness 1851 東京 naïve" * 9


def text(rng):
    pieces = [rng.choice(list(ALPHABETS[k])) for k in rng.integers(5, size=40)]
    words = rng.choice(TEXT.split(" "), size=6)
    return "".join(pieces[:20]) + " ".join(words) + "".join(pieces[20:])


def cases(rng, bpe):
    known = {"call": "makeBpe", "args": [merges_of(bpe)]}
    sentence = text(rng)
    ids, chunk = encode_text(sentence, bpe), str(rng.choice(pretokenize(sentence)))
    ranks = {"call": "ranksOf", "args": [merges_of(bpe)]}
    anything = rng.integers(len(bpe.tokens), size=12).tolist()
    yield "pretokenize", [sentence], pretokenize(sentence)
    yield "encodeText", [sentence, known], ids
    yield "encodeChunk", [list(chunk.encode()), ranks], encode_text(chunk, bpe)
    yield "decodeText", [ids, known], sentence
    yield "decodeText", [anything, known], decode_text(anything, bpe)


def tokenizer(size):
    bpe = train_byte_bpe(TEXT, size)
    ranks = {
        f"{a * 2**20 + b}": {"rank": rank, "merged": merged}
        for rank, ((a, b), merged) in enumerate(bpe.merges.items())
    }
    wanted = {"tokens": [list(token) for token in bpe.tokens], "ranks": ranks}
    return bpe, ("makeBpe", [merges_of(bpe)], wanted)


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(3)
    many = []
    for size in (256, 257, 290, 350):
        bpe, made = tokenizer(size)
        many += [made, *(case for _ in range(40) for case in cases(rng, bpe))]
    assert_parity(tmp_path, "tokenization/formulas.js", many, at_least=10_000)


def test_letters_numbers_and_spaces_are_pythons(tmp_path):
    """Each character that both know, alone between two letters: it joins them or it does not."""
    seen, chosen = {}, []
    for code in range(sys.maxunicode + 1):
        kind = unicodedata.category(chr(code))
        if kind in ("Cs", "Cn"):
            continue  # half a character, or one that Python's Unicode does not know yet
        key = (kind, code >> 8)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= 3 or code < 0x3000:
            chosen.append(chr(code))
    texts = ["a".join(chosen[at : at + 500]) for at in range(0, len(chosen), 500)]
    many = [("pretokenize", [one], pretokenize(one)) for one in texts]
    report = compare(copy_modules(tmp_path), "tokenization/formulas.js", many)
    assert report["compared"]["pretokenize"] > 10_000
    assert report["worst"]["pretokenize"] == 0
