"""The Python side: state that can be read and set, refusals that explain themselves, the HTML of the built page."""

import json
import re
import urllib.parse

import numpy as np
import pytest
import torch

from transformer_math.explorables import (
    RopeExplorable,
    ScaledDotProductExplorable,
    SinusoidalExplorable,
    _base,
)
from transformer_math.explorables.word_vectors import (
    DIMENSIONS,
    N_WORDS,
    letters_vector,
    word_vectors,
)

LONG = "one two three four five six seven eight nine ten a b c d e f"


@pytest.fixture
def attention():
    return ScaledDotProductExplorable(sentence="the method returns the value")


def test_weights_agree_with_pytorch(attention):
    attention.temperature, attention.causal, attention.head = 0.7, True, "both"
    Q, K = (torch.tensor(x)[None] for x in (attention.Q_in_use, attention.K_in_use))
    identity = torch.eye(Q.shape[1], dtype=Q.dtype)[None]
    wanted = torch.nn.functional.scaled_dot_product_attention(
        Q / 0.7, K, identity, is_causal=True
    )
    np.testing.assert_allclose(attention.weights, wanted[0].numpy(), atol=1e-12)


def test_without_the_scale_the_scores_are_larger(attention):
    scaled = attention.weights
    attention.scaled = False
    attention.temperature = np.sqrt(attention.Q_in_use.shape[1])
    np.testing.assert_allclose(attention.weights, scaled, atol=1e-12)


def test_the_positional_head_looks_one_back():
    explorable = ScaledDotProductExplorable(sentence=LONG, head="previous")
    best = explorable.weights.argmax(axis=1)
    np.testing.assert_array_equal(best[1:], np.arange(15))
    assert explorable.weights[np.arange(1, 16), np.arange(15)].min() > 0.7


def test_at_most_sixteen_tokens_take_part():
    assert (
        ScaledDotProductExplorable(sentence=LONG + " left out").tokens == LONG.split()
    )


def test_own_matrices_stand_above_the_head(attention):
    derived = attention.weights
    attention.Q = np.zeros((5, 8))
    np.testing.assert_allclose(attention.weights, 0.2)
    assert attention.K == [] and len(attention.Q) == 5
    attention.Q = []
    np.testing.assert_array_equal(attention.weights, derived)


def test_both_matrices_together_may_have_any_width(attention):
    with attention.hold_trait_notifications():
        attention.Q, attention.K = np.eye(5), np.eye(5)
    assert attention.weights.argmax(axis=1).tolist() == [0, 1, 2, 3, 4]


def test_matrices_go_when_the_sentence_or_the_head_no_longer_fits(attention):
    attention.Q = np.zeros((5, 8))
    attention.sentence = "the method returns a value"
    assert attention.Q != []
    attention.head = "previous"
    assert attention.Q == []
    attention.K = np.zeros((5, 4))
    attention.sentence = "the method"
    assert attention.K == []


@pytest.mark.parametrize(
    ("cls", "trait", "value", "words"),
    [
        (ScaledDotProductExplorable, "head", "next", "similar, previous, both"),
        (ScaledDotProductExplorable, "temperature", 0.0, "more than 0"),
        (ScaledDotProductExplorable, "row", -1, "0 for the first"),
        (ScaledDotProductExplorable, "Q", np.zeros((3, 8)), "3 rows for 12 tokens"),
        (
            ScaledDotProductExplorable,
            "Q",
            np.zeros((12, 7)),
            "hold_trait_notifications",
        ),
        (ScaledDotProductExplorable, "K", [1.0, 2.0], "one row per token"),
        (ScaledDotProductExplorable, "K", np.full((12, 8), np.nan), "finite"),
        (SinusoidalExplorable, "d_model", 7, "even"),
        (SinusoidalExplorable, "n_positions", 1000, "8..256"),
        (SinusoidalExplorable, "base", 1.0, "10..100000"),
        (SinusoidalExplorable, "dimension", 32, "0..31"),
        (SinusoidalExplorable, "other", -1, "0..63"),
        (RopeExplorable, "m", 41, "0..40"),
        (RopeExplorable, "d", 18, "2..16"),
        (RopeExplorable, "plane", 4, "0..3"),
        (RopeExplorable, "query", [1.0, 2.0], "wanted 16"),
        (RopeExplorable, "base", 0.5, "10..100000"),
    ],
)
def test_refusals_explain_themselves_and_change_nothing(cls, trait, value, words):
    explorable = cls()
    before = explorable.state()
    with pytest.raises(ValueError, match=re.escape(words)):
        setattr(explorable, trait, value)
    assert explorable.state() == before


def test_a_refused_pair_is_taken_back(attention):
    with pytest.raises(ValueError, match="rows"), attention.hold_trait_notifications():
        attention.Q, attention.K = np.eye(4), np.eye(4)
    assert attention.Q == attention.K == []


def test_an_empty_sentence_has_no_weights_and_still_a_figure(attention):
    attention.sentence = " "
    with pytest.raises(ValueError, match="no token"):
        _ = attention.weights
    assert "no token yet" in attention.description() and "<svg" in attention.html()


def test_sizes_stay_consistent_when_they_shrink():
    wave, rope = (
        SinusoidalExplorable(dimension=30, position=60),
        RopeExplorable(plane=3),
    )
    wave.d_model, wave.n_positions, rope.d = 8, 10, 4
    assert (wave.dimension, wave.position, wave.other, rope.plane) == (7, 9, 9, 1)


def test_rope_dot_product_knows_only_the_offset():
    explorable = RopeExplorable(m=9, n=2)
    complex_pairs = [
        np.array(x[:8]).view(complex) for x in (explorable.query, explorable.key)
    ]
    turn = np.exp(1j * 7 * 10000.0 ** (-np.arange(4) / 4))
    wanted = float((complex_pairs[0] * turn * complex_pairs[1].conj()).sum().real)
    assert explorable.dot_product == pytest.approx(wanted)
    explorable.m, explorable.n = 39, 32
    assert explorable.dot_product == pytest.approx(wanted)


def test_word_vectors_are_unit_vectors_of_common_words():
    vectors = word_vectors()
    lengths = np.linalg.norm(np.array(list(vectors.values())) / 1000, axis=1)
    assert len(vectors) == N_WORDS and set(map(len, vectors.values())) == {DIMENSIONS}
    np.testing.assert_allclose(lengths[lengths > 0], 1, atol=2e-3)
    assert {"the", "object", "method"} <= vectors.keys()


def test_similar_words_have_similar_vectors():
    vectors = {word: np.array(vector) / 1000 for word, vector in word_vectors().items()}
    pairs = [
        ("method", "function", "."),
        ("can", "may", "method"),
        ("returns", "raises", "the"),
    ]
    assert all(
        vectors[word] @ vectors[near] > vectors[word] @ vectors[far]
        for word, near, far in pairs
    )


def test_letters_place_a_word_near_those_that_share_them():
    vectors = {"print": [1000, 0], "red": [0, 1000]}
    assert letters_vector("prints", vectors) == pytest.approx([1, 0])
    assert letters_vector("xyzzy", vectors) == [0, 0]


@pytest.mark.parametrize(
    "cls", [ScaledDotProductExplorable, SinusoidalExplorable, RopeExplorable]
)
def test_the_html_carries_the_state_of_the_moment(cls):
    explorable = (
        cls(base=123.0)
        if cls is not ScaledDotProductExplorable
        else cls(sentence="</script><!-- & 'x' \"y\"")
    )
    bundle = explorable._repr_mimebundle_()[0]
    page = bundle["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert page.count("</script>") == 2 and "<!--" not in page
    state = json.loads(
        re.search(r'data-part="state">(.*?)</script>', page, re.DOTALL)[1]
    )
    assert state == explorable.state()
    assert len(json.dumps(state)) < 25_000


def test_imports_become_data_urls_that_decode_to_the_files():
    source = _base.module("rope")
    urls = re.findall(r'from "(data:text/javascript,[^"]*)"', source)
    decoded = [urllib.parse.unquote(url.partition(",")[2]) for url in urls]
    files = [
        (_base._HERE / name).read_text(encoding="utf-8")
        for name in ("kit.js", "formulas.js")
    ]
    assert decoded == files and "./" not in source.replace('"data:', "")[:200]
