"""The Python side: state that can be read and set, refusals that explain themselves, the HTML of the built page."""

import json
import re

import numpy as np
import pytest
import torch

from transformer_math import explorables
from transformer_math.corpus import SENTENCE
from transformer_math.explorables import (
    BlockwiseExplorable,
    Explorable,
    RopeExplorable,
    ScaledDotProductExplorable,
    SinusoidalExplorable,
    _scripts,
)
from transformer_math.explorables.attention.vocabulary import (
    content,
    known_vectors,
    visible_words,
)
from transformer_math.tokenization.units import words as cut

LONG = "one two three four five six seven eight nine ten a b c d e f"


@pytest.fixture
def attention():
    return ScaledDotProductExplorable(sentence="the whale sees the ship")


def test_weights_agree_with_pytorch(attention):
    attention.temperature, attention.causal, attention.head = 0.7, True, "both"
    Q, K = (torch.tensor(x)[None] for x in (attention.Q_in_use, attention.K_in_use))
    identity = torch.eye(Q.shape[1], dtype=Q.dtype)[None]
    wanted = torch.nn.functional.scaled_dot_product_attention(
        Q / 0.7, K, identity, is_causal=True
    )
    np.testing.assert_allclose(attention.weights, wanted[0].numpy(), atol=1e-12)


@pytest.mark.parametrize("tile", [1, 4, 5, 13])
def test_after_the_last_tile_stands_softmax(tile):
    for row in range(13):
        explorable = BlockwiseExplorable(row=row, tile=tile, read=13)
        m, l, o = explorable.running
        wanted = torch.softmax(torch.tensor(explorable.scores[row]).double(), dim=0)
        np.testing.assert_allclose((o / l)[0], wanted.numpy(), atol=1e-7)
        assert m[0] == max(explorable.scores[row])


def test_what_has_not_been_read_has_no_weight():
    *_, o = BlockwiseExplorable(tile=4, read=2).running
    assert np.all(o[0, :8] > 0) and np.all(o[0, 8:] == 0)
    assert "after 2 of 4 tiles" in BlockwiseExplorable(tile=4, read=2).description()


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
    attention.sentence = "the whale sees a ship"
    assert attention.Q != []
    attention.head = "previous"
    assert attention.Q == []
    attention.K = np.zeros((5, 4))
    attention.sentence = "the whale"
    assert attention.K == []


@pytest.mark.parametrize(
    ("cls", "trait", "value", "words"),
    [
        (ScaledDotProductExplorable, "head", "next", "similar, previous, both"),
        (ScaledDotProductExplorable, "temperature", 0.0, "0.1..4"),
        (ScaledDotProductExplorable, "row", -1, "0..15"),
        (ScaledDotProductExplorable, "Q", np.zeros((3, 8)), "3 rows for 13 tokens"),
        (
            ScaledDotProductExplorable,
            "Q",
            np.zeros((13, 7)),
            "hold_trait_notifications",
        ),
        (ScaledDotProductExplorable, "K", [1.0, 2.0], "one row per token"),
        (ScaledDotProductExplorable, "K", np.full((13, 8), np.nan), "finite"),
        (ScaledDotProductExplorable, "K", np.full((13, 8), 1e308), "-1000..1000"),
        (ScaledDotProductExplorable, "temperature", float("nan"), "0.1..4"),
        (ScaledDotProductExplorable, "view", "pie", "heatmap, arcs"),
        (SinusoidalExplorable, "d_model", 7, "4, 6, …, 128"),
        (SinusoidalExplorable, "n_positions", 1000, "8..256"),
        (SinusoidalExplorable, "base", 1.0, "10..100000"),
        (SinusoidalExplorable, "dimension", 32, "0..31"),
        (SinusoidalExplorable, "other", -1, "0..63"),
        (BlockwiseExplorable, "row", 13, "0..12"),
        (BlockwiseExplorable, "tile", 0, "1..13"),
        (BlockwiseExplorable, "read", -1, "0..13"),
        (RopeExplorable, "i", 41, "0..40"),
        (RopeExplorable, "d", 18, "2, 4, …, 16"),
        (RopeExplorable, "plane", 4, "0..3"),
        (RopeExplorable, "plane", 4, "set a larger d first"),
        (RopeExplorable, "query", [1.0, 2.0], "wanted 16"),
        (RopeExplorable, "key", [9.0] * 16, "-1.2..1.2"),
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
    explorable = RopeExplorable(i=9, j=2)
    complex_pairs = [
        np.array(x[:8]).view(complex) for x in (explorable.query, explorable.key)
    ]
    turn = np.exp(1j * 7 * 10000.0 ** (-np.arange(4) / 4))
    wanted = float((complex_pairs[0] * turn * complex_pairs[1].conj()).sum().real)
    assert explorable.dot_product == pytest.approx(wanted)
    explorable.i, explorable.j = 39, 32
    assert explorable.dot_product == pytest.approx(wanted)


def test_the_words_of_the_novel_have_unit_vectors():
    known, W, _ = known_vectors()
    lengths = np.linalg.norm(W, axis=1)
    assert set(cut(SENTENCE.lower())) <= set(known) and len(known) > 4000
    np.testing.assert_allclose(lengths[lengths > 0], 1, atol=2e-2)


def test_the_running_sentence_needs_no_letters():
    explorable = ScaledDotProductExplorable()
    assert explorable.sentence == SENTENCE
    assert set(map(str.lower, explorable.tokens)) <= set(known_vectors()[0])


def test_a_word_that_the_novel_lacks_lies_near_words_with_its_letters():
    similarity = {w: content("whalishness") @ content(w) for w in ("whale", "three")}
    assert similarity["whale"] > similarity["three"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("sea 👩\u200d🚀!", ["sea", "👩\u200d🚀", "!"]),
        ("👍🏽 e\u0301t\ufe0f", ["👍🏽", "e\u0301", "t\ufe0f"]),
        ("\u200d\u200b", []),
        ("a\x00b\ufeffc", ["a", "b", "c"]),
    ],
)
def test_no_token_is_invisible(text, tokens):
    assert visible_words(text) == tokens
    assert ScaledDotProductExplorable(sentence=text).tokens == tokens


def test_a_very_long_word_stays_short_in_the_picture():
    explorable = ScaledDotProductExplorable(sentence="a" * 10_000 + " sea")
    assert len(explorable.still()) < 3000 and len(explorable.description()) < 200


def test_limits_are_the_same_in_both_languages():
    wave = SinusoidalExplorable(d_model=10)
    assert wave.bounds["dimension"] == {"low": 0, "step": 1, "below": ["d_model", 1]}
    assert wave.traits()["dimension"].highest(wave) == 9
    assert RopeExplorable().bounds["i"] == {"low": 0, "step": 1, "high": 40}


def test_what_is_offered_is_what_stands_in_the_folders():
    folder = _scripts.HERE
    with_python = {p.with_suffix("") for p in folder.glob("*/[!_]*.py")}
    ideas = {p.with_suffix("") for p in folder.glob("*/*.js")} & with_python
    offered = [getattr(explorables, name) for name in explorables.__all__]
    assert {folder / cls.idea for cls in offered if cls is not Explorable} == ideas


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
    assert page.count("</script>") == 1 and "<!--" not in page
    state = json.loads(
        re.search(r'data-part="state">(.*?)</script>', page, re.DOTALL)[1]
    )
    assert state == explorable.state() | {"bounds": explorable.bounds}
    assert len(page) < 8_000


def test_a_widgets_module_holds_each_module_once():
    source = _scripts.whole_module("editing/formula.js")
    assert (
        source.count("class FormulaError") == source.count("function explorable(") == 1
    )
    assert not re.search(
        r"^(?:import\b(?!\()|export (?!default m))", source, re.MULTILINE
    )
    assert source.index("class FormulaError") < source.index("const FUNCTIONS")
    assert "/**" not in source and len(source) < 140_000
