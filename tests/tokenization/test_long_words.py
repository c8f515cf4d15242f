"""Edges in place of matrices: the results of the plain functions, on words; and texts for which a matrix would be too large."""

import tracemalloc

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.corpus import moby_dick
from transformer_math.tokenization import (
    SentencePieceTokenizer,
    Unigram,
    UnigramTokenizer,
    edges,
    expected_counts,
    expected_counts_by_edges,
    lattice,
    log_likelihood,
    log_likelihood_by_edges,
    n_best,
    n_best_by_edges,
    sample_by_edges,
    sample_segmentation,
    viterbi,
)

LONG = 10_000


def random_unigram(rng):
    """Some pieces of ab, c by itself or not, ties among the scores, and a piece that is impossible."""
    pieces = {"".join(rng.choice(list("abc"), rng.integers(1, 5))) for _ in range(9)}
    scores = -rng.integers(1, 6, len(pieces)).astype(float)
    scores[0] = -np.inf if len(scores) > 1 and rng.random() < 0.3 else scores[0]
    return Unigram(tuple(sorted(pieces)), scores)


def random_word(rng, longest=9):
    return "".join(rng.choice(list("abcd"), rng.integers(1, longest + 1)))


@pytest.mark.parametrize("seed", range(60))
def test_edges_give_what_matrices_give(seed):
    rng = np.random.default_rng(seed)
    unigram, word = random_unigram(rng), random_word(rng)
    L = np.full((len(word) + 1, len(word) + 1), -np.inf)
    for j, own in enumerate(edges(word, unigram)):
        for i, score in own:
            L[i, j] = score
    assert np.array_equal(L, lattice(word, unigram))
    for n in (1, 3, 50):
        wanted, found = n_best(word, unigram, n), n_best_by_edges(word, unigram, n)
        assert found == wanted
    corpus = {random_word(rng): int(rng.integers(1, 9)) for _ in range(5)}
    assert np.allclose(expected_counts_by_edges(corpus, unigram), expected_counts(corpus, unigram), rtol=1e-12, atol=0)  # fmt: skip
    assert log_likelihood_by_edges(corpus, unigram) == pytest.approx(log_likelihood(corpus, unigram), rel=1e-13)  # fmt: skip


@pytest.mark.parametrize("given", [(), (0.2,), (5.0,)], ids=str)
def test_the_same_pieces_are_drawn(given):
    rng, drawn = np.random.default_rng(0), set()
    for seed in range(200):
        unigram, word = random_unigram(rng), random_word(rng)
        same = [np.random.default_rng(seed) for _ in range(2)]
        wanted = sample_segmentation(word, unigram, same[0], *given)
        assert sample_by_edges(word, unigram, same[1], *given) == wanted
        assert same[0].random() == same[1].random()
        drawn.add(len(wanted))
    assert len(drawn) > 3


@pytest.fixture(scope="module")
def trained():
    """A Unigram of the novel, and a text without spaces that is longer than any word."""
    unigram = UnigramTokenizer.train(moby_dick()[:60_000], 900).unigram
    letters = [character for character in moby_dick()[60_000:] if character.isalpha()]
    return unigram, "".join(letters[:LONG])


@pytest.fixture
def room():
    """The most memory that a test takes: a matrix for the text would need a hundred times as much."""
    tracemalloc.start()
    yield
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0 < most < LONG**2 * 8 / 20


def test_the_best_cuts_of_ten_thousand_characters(trained, room):
    unigram, text = trained
    first, second = n_best_by_edges(text, unigram, 2)
    assert first[0] == viterbi(text, unigram)
    assert first[1] >= second[1] and "".join(second[0]) == text != first[0]


def test_ten_thousand_characters_are_drawn(trained, room):
    unigram, text = trained
    drawn = sample_by_edges(text, unigram, np.random.default_rng(0))
    assert "".join(drawn) == text and drawn != viterbi(text, unigram)
    cold = sample_by_edges(text, unigram, np.random.default_rng(0), 1e-6)
    assert cold == viterbi(text, unigram)


def test_what_is_expected_of_ten_thousand_characters(trained, room):
    """Every way has every character in one of its pieces; all ways together are at least as probable as the best."""
    unigram, text = trained
    counts = expected_counts_by_edges({text: 3}, unigram)
    lengths = np.array([len(piece) for piece in unigram.pieces])
    assert counts @ lengths == pytest.approx(3 * LONG)
    (_, best), *_ = n_best_by_edges(text, unigram, 1)
    assert best < log_likelihood_by_edges({text: 1}, unigram) < 0.9 * best


@pytest.mark.parametrize(
    "train",
    [
        lambda text: UnigramTokenizer.train(text, 900),
        lambda text: SentencePieceTokenizer.train(text, 900, inside="unigram"),
    ],
    ids=["Unigram", "SentencePiece"],
)
def test_tokenizers_draw_a_long_text(train, room):
    tokenizer = train(moby_dick()[:60_000])
    text = "whale" * (LONG // 5)
    ids = tokenizer.sample(text, np.random.default_rng(0))
    assert tokenizer.decode(ids) == text and ids != tokenizer.encode(text)


LETTERS = Unigram(("a", "b"), np.log([0.5, 0.5]))


@refusals(
    ("no word", lambda: expected_counts_by_edges({}, LETTERS), ("no word",)),
    ("no corpus", lambda: log_likelihood_by_edges({}, LETTERS), ("no word",)),
    (
        "too cold",
        lambda: sample_by_edges("ab", LETTERS, np.random.default_rng(0), 1e-300),
        ("viterbi",),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)
