"""Five ways to word vectors: that their texts hold what they say, that maps and records are whole, and a training again."""

from itertools import product

import numpy as np
import pytest

from transformer_math.embedding import (
    analogy_accuracy,
    frequent_words,
    number_sentences,
    planted_sentences,
    rank_correlation,
)
from transformer_math.trained.word_ways import (
    DIMENSIONS,
    MAPPED,
    ON_MAP,
    SEEDS,
    SENTENCES,
    TEXTS,
    WAYS,
    WINDOW,
    Text,
    book_text,
    on_map,
    one_run,
    planted_text,
    word_maps,
    word_runs,
)


def test_a_planted_text_has_all_its_sentences_apart():
    text = planted_text(1)
    assert text.ids.max() == len(text.words) - 1
    gaps = np.flatnonzero(np.diff((text.ids < 0).astype(int)) == 1)
    assert len(gaps) in (SENTENCES - 1, SENTENCES)
    assert not np.array_equal(planted_text(2).ids[:100], text.ids[:100])


def test_every_word_of_a_question_is_known():
    for text in (planted_text(1), book_text()):
        for questions in text.questions.values():
            assert len(questions) and questions.max() < len(text.words)
            assert all(len(set(four)) == 4 for four in questions.tolist())


@pytest.mark.parametrize("name", TEXTS)
def test_a_map_has_the_words_of_the_questions(name):
    text = TEXTS[name](SEEDS[0])
    shown = {text.words[i] for i in on_map(text)}
    asked = {w for qs in text.analogies.values() for four in qs for w in four}
    assert asked <= shown and len(shown) == ON_MAP


@pytest.mark.parametrize("name", TEXTS)
def test_the_kept_vectors_are_those_of_the_words_on_the_map(name):
    text = TEXTS[name](SEEDS[0])
    assert str(word_maps()[f"{name}/words"]).split() == [text.words[i] for i in on_map(text)]  # fmt: skip
    for way in WAYS:
        W = np.asarray(word_maps()[f"{name}/{way}"], float)
        assert W.shape == (ON_MAP, MAPPED)
        np.testing.assert_allclose(np.linalg.norm(W, axis=1), 1, atol=0.02)


def test_the_records_are_whole():
    found = [(r["text"], r["way"], r["d"], r["seed"]) for r in word_runs()]
    wanted = [
        run
        for run in product(TEXTS, WAYS, DIMENSIONS, SEEDS)
        if run[:2] != ("book", "counts") or run[3] == SEEDS[0]
    ]
    assert sorted(found) == sorted(wanted)


@pytest.mark.parametrize("way", WAYS)
def test_a_planted_training_ends_as_its_record_says(way):
    """Another processor rounds otherwise; a few questions may turn."""
    (told,) = (r for r in word_runs() if (r["text"], r["way"], r["d"], r["seed"]) == ("planted", way, 16, 1))  # fmt: skip
    again = one_run("planted", way, 16, 1)
    assert again["all"] == pytest.approx(told["all"], abs=0.06)
    assert again["unrestricted"] == pytest.approx(told["unrestricted"], abs=0.06)


def test_the_map_answers_as_the_full_vectors_do():
    """A signed byte for each number is enough: of the planted questions as many are right, within a few."""
    text = planted_text(SEEDS[0])
    place = {i: k for k, i in enumerate(on_map(text))}
    every = np.concatenate(list(text.questions.values()))
    asked = np.vectorize(place.get)(every)
    for way in WAYS:
        exact = WAYS[way](text, MAPPED, np.random.default_rng(SEEDS[0]))[on_map(text)]
        kept = np.asarray(word_maps()[f"planted/{way}"], float)
        shares = [analogy_accuracy(W.astype(float), asked) for W in (exact, kept)]
        assert shares[0] == pytest.approx(shares[1], abs=0.06)


def similarities(W):
    unit = W / np.linalg.norm(W, axis=1, keepdims=True)
    return (unit @ unit.T)[np.triu_indices(len(W), 1)].astype(float)


@pytest.mark.parametrize(
    "way, settings, at_least",
    [("skip-gram", {"sg": 1}, 0.6), ("CBOW", {"sg": 0}, 0.3), ("FastText", {"sg": 1, "bucket": 2000}, 0.6)],
)  # fmt: skip
def test_gensim_finds_the_same_words_near_each_other(way, settings, at_least):
    """By the order of the cosines of all pairs of words; a way whose words are mixed up has an order of its own."""
    from gensim.models import FastText, Word2Vec

    sentences = planted_sentences(np.random.default_rng(1), 4000)
    known = frequent_words([word for s in sentences for word in s], 1)
    text = Text(number_sentences(sentences, known, WINDOW), known, 1500, {})
    ours = similarities(WAYS[way](text, MAPPED, np.random.default_rng(1)))
    peer = FastText if way == "FastText" else Word2Vec
    trained = peer(
        sentences, vector_size=MAPPED, window=WINDOW, min_count=1, negative=5,
        sample=0, epochs=20, workers=1, seed=1, **settings
    )  # fmt: skip
    theirs = np.array([trained.wv[word] for word in known], float)
    assert rank_correlation(ours, similarities(theirs)) > at_least
    mixed = np.random.default_rng(2).permutation(len(known))
    assert abs(rank_correlation(ours, similarities(theirs[mixed]))) < 0.1
