"""The book's chunks beside GPT-2's: Hugging Face's cutter on fuzzed texts, and Unicode's own table of classes."""

import sys
import unicodedata

import numpy as np
import pytest
import regex
from tokenizers import pre_tokenizers

from transformer_math.corpus import moby_dick
from transformer_math.tokenization import pretokenize
from transformer_math.tokenization.pretokenization import _category, _compiled_pattern

CUTTER = pre_tokenizers.ByteLevel(add_prefix_space=False)
ANYWHERE = [
    chr(code)
    for code in range(sys.maxunicode + 1)
    if unicodedata.category(chr(code)) not in ("Cs", "Cn")
]
OFTEN = list(
    "aBé你\u0301ж ß12\u0663²½Ⅷ_-.,!?'“”\"()\n\t\x1c\x1f\x85 \u00a0\u3000\ufeff  😊stmdrevl''"
)


def anywhere(rng):
    return [ANYWHERE[place] for place in rng.integers(len(ANYWHERE), size=40)]


def gpt2(text):
    return [text[start:end] for _, (start, end) in CUTTER.pre_tokenize_str(text)]


def test_fuzzed_texts_are_cut_as_gpt2_cuts_them():
    (
        _compiled_pattern.cache_clear(),
        _category.cache_clear(),
    )  # the classes of characters are made anew
    rng = np.random.default_rng(0)
    for number in range(3000):
        letters = OFTEN if number % 2 else OFTEN + anywhere(rng)
        text = "".join(rng.choice(letters, size=rng.integers(1, 40)))
        assert pretokenize(text) == gpt2(text)


def test_the_novel_is_cut_as_gpt2_cuts_it():
    assert pretokenize(moby_dick()) == gpt2(moby_dick())


def test_letters_and_numbers_are_those_of_unicode():
    """Beside an “a” a letter stays, beside a “1” a number; anything else is cut off."""
    _compiled_pattern.cache_clear(), _category.cache_clear()
    chunks = {f: set(pretokenize("\n".join(f + c for c in ANYWHERE))) for f in "a1"}
    for character in ANYWHERE:
        kind = unicodedata.category(character)[0]
        joins = {f: f + character in chunks[f] for f in "a1"}
        assert joins == {"a": kind == "L", "1": kind == "N"}, hex(ord(character))


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("Don't", ["Don", "'t"]),
        ("we'll say", ["we", "'ll", " say"]),
        ("I'M", ["I", "'", "M"]),
        ("don’t", ["don", "’", "t"]),
        ("x²", ["x", "²"]),
        ("1½", ["1½"]),
        ("a  b", ["a", " ", " b"]),
    ],
)
def test_known_cuts(text, chunks):
    assert pretokenize(text) == chunks
    assert gpt2(text) == chunks


def test_an_independent_reading_of_gpt2s_expression():
    r"""The package `regex` knows \p{L}, \p{N} and Unicode's white space; the expression is GPT-2's own, letter by letter."""
    expression = regex.compile(
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    )
    rng = np.random.default_rng(4)
    for number in range(3000):
        letters = OFTEN if number % 2 else OFTEN + anywhere(rng)
        text = "".join(rng.choice(letters, size=rng.integers(1, 40)))
        assert pretokenize(text) == expression.findall(text)
    assert pretokenize(moby_dick()) == expression.findall(moby_dick())
