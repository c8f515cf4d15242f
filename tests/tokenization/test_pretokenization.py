"""The book's chunks beside GPT-2's, by Hugging Face: the same on English, and other just where it is said."""

import numpy as np
import pytest
from tokenizers import pre_tokenizers

from transformer_math.corpus import moby_dick
from transformer_math.tokenization import pretokenize


def gpt2(text):
    places = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str(text)
    return [text[start:end] for _, (start, end) in places]


def test_random_texts_are_cut_as_gpt2_cuts_them():
    rng = np.random.default_rng(0)
    letters = list('aBé你\u0301ж ß12\u0663_-.,!?“”"()\n\t \u00a0  😊')
    for _ in range(300):
        text = "".join(rng.choice(letters, size=rng.integers(1, 40)))
        assert pretokenize(text) == gpt2(text)


def test_the_novel_is_cut_as_gpt2_cuts_it_but_for_contractions():
    text = moby_dick()[:200_000].replace("'", "’")
    assert pretokenize(text) == gpt2(text)


@pytest.mark.parametrize(
    ("text", "ours", "theirs"),
    [
        ("Don't", ["Don", "'", "t"], ["Don", "'t"]),
        ("we'll", ["we", "'", "ll"], ["we", "'ll"]),
        ("x²", ["x²"], ["x", "²"]),
        ("H₂O", ["H₂O"], ["H", "₂", "O"]),
        ("Ⅷ x", ["Ⅷ", " x"], ["Ⅷ", " x"]),
        ("1½", ["1", "½"], ["1½"]),
    ],
)
def test_where_the_rules_differ(text, ours, theirs):
    assert pretokenize(text) == ours
    assert gpt2(text) == theirs
