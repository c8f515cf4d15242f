"""What the checks of Unigram leave open: n-best lists, the fast sums against the slow ones, frequent substrings, ends."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.checks.tokenization.unigram import (
    apart,
    huggingface_unigram,
    probability,
    random_unigram,
    segmentations,
    sentencepiece_unigram,
)
from transformer_math.corpus import moby_dick
from transformer_math.tokenization import (
    Unigram,
    UnigramTokenizer,
    WordLattices,
    digamma,
    edge_posteriors,
    em_step,
    encode_unigram,
    expected_counts,
    frequent_substrings,
    lattice,
    log_likelihood,
    maximise_bayesian,
    n_best,
    removal_loss,
    segmentation_probability,
    train_unigram,
    train_unigram_by_levels,
    viterbi,
)
from transformer_math.tokenization._pruning import alternatives, removal_losses
from transformer_math.tokenization.unigram import UNKNOWN_PENALTY

TEXT = moby_dick()[:60_000]
WORDS = Counter(f"▁{word}" for word in TEXT.split())


@pytest.fixture(scope="module")
def unigram():
    return train_unigram_by_levels(WORDS, 300)


@pytest.mark.parametrize("seed", range(40))
def test_the_n_best_are_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    unigram = random_unigram(rng)
    word = "".join(rng.choice(list("abc"), size=rng.integers(1, 9)))
    n = int(rng.integers(1, 12))
    found = n_best(word, unigram, n)
    shares = [probability(s, unigram) for s in segmentations(word)]
    wanted = sorted((p for p in shares if p > 0), reverse=True)[:n]
    np.testing.assert_allclose(np.exp([score for _, score in found]), wanted)
    own = [segmentation_probability(pieces, unigram) for pieces, _ in found]
    np.testing.assert_allclose(own, wanted)
    assert len({tuple(pieces) for pieces, _ in found}) == len(found)
    assert found[0][0] == viterbi(word, unigram)


def test_the_n_best_are_those_of_sentencepiece(unigram):
    theirs = sentencepiece_unigram(unigram)
    for word in ("▁unchanged;", "▁opinion", "▁whaleman’s"):
        wanted = theirs.nbest_encode(word, nbest_size=8, out_type=str)
        assert [pieces for pieces, _ in n_best(word, unigram, 8)] == wanted


def test_a_trained_vocabulary_cuts_as_both_libraries_do(unigram):
    words = [*sorted(WORDS)[::5], "▁東京", "▁naïve", "aaaa" * 40]
    theirs = huggingface_unigram(unigram), sentencepiece_unigram(unigram)
    for word in words:
        own = viterbi(word, unigram)
        assert own == apart(theirs[0].encode(word).tokens, unigram)
        assert own == apart(theirs[1].encode(word, out_type=str), unigram)
    assert encode_unigram(words, unigram) == [
        p for w in words for p in viterbi(w, unigram)
    ]


def test_equal_ones_have_the_same_pieces_and_probabilities():
    one = Unigram(("a", "b"), np.log([0.25, 0.75]))
    assert one == Unigram(("a", "b"), np.log([0.25, 0.75]))
    assert one != Unigram(("b", "a"), np.log([0.25, 0.75]))
    assert one != Unigram(("a", "b"), np.log([0.75, 0.25]))
    assert one != (("a", "b"), one.log_probabilities)


@pytest.mark.parametrize("least", [1, 2, 3])
def test_frequent_substrings_are_counted(least):
    words = {"abab": 1, "ab": 2, "ba": 3, "c": 1}
    found = frequent_substrings(words, longest=3, least=least)
    counts = Counter()
    for word, count in words.items():
        for i, j in combinations(range(len(word) + 1), 2):
            counts[word[i:j]] += count * (j - i <= 3)
    wanted = {t: c for t, c in counts.items() if c >= least or (len(t) == 1 and c)}
    assert dict(zip(found.texts, found.counts.tolist())) == wanted
    assert list(found.texts) == sorted(wanted, key=lambda text: (len(text), text))
    text = "".join(words)
    assert [text[i : i + len(t)] for i, t in zip(found.first, found.texts)] == list(
        found.texts
    )
    places = {(l, i): n for (l, i), n in np.ndenumerate(found.at) if n >= 0}
    assert all(found.texts[n] == text[i : i + l + 1] for (l, i), n in places.items())
    assert len(set(found.words)) == len(words)


@pytest.mark.parametrize("kept", ["all", "some"])
def test_all_lattices_at_once_give_what_each_gives(kept):
    words = dict(list(WORDS.items())[:300])
    found = frequent_substrings(words)
    rng = np.random.default_rng(1)
    lengths = np.array([len(text) for text in found.texts])
    stay = (lengths == 1) | (rng.random(len(lengths)) < 0.5) | (kept == "all")
    scores = np.where(stay, np.log(rng.random(len(lengths))) - 3, -np.inf)
    fast = WordLattices(found, np.array(list(words.values()), float), stay)
    counts, likelihood = fast.expected_counts(scores)
    unigram = Unigram(found.texts, scores)
    np.testing.assert_allclose(counts, expected_counts(words, unigram), atol=1e-9)
    assert likelihood == pytest.approx(log_likelihood(words, unigram))


def test_a_way_that_is_next_to_impossible_takes_nothing_from_the_others():
    found = frequent_substrings({"ab": 2})
    assert found.texts == ("a", "b", "ab")
    lattices = WordLattices(found, np.array([2.0]), np.full(3, True))
    counts, likelihood = lattices.expected_counts(np.array([-1.0, -2.0, -2000.0]))
    assert counts.tolist() == [2, 2, 0]
    assert likelihood == 2 * (-1 - 2)


def test_alternatives_and_losses_at_once_are_those_of_each_piece():
    words = dict(list(WORDS.items())[:200])
    found = frequent_substrings(words)
    rng = np.random.default_rng(2)
    scores = np.log(rng.random(len(found.texts))) - 3
    wanted = np.arange(len(found.texts))
    rows = alternatives(found, scores, wanted)
    counts = rng.random(len(scores)) * 9 + 1
    losses = removal_losses(counts, wanted, rows)
    unigram = Unigram(found.texts, scores)
    for t in rng.choice(wanted, 60):
        own = [int(u) for u in rows[t] if u >= 0][::-1]
        if len(found.texts[t]) == 1:
            assert own == []
            continue
        options = [s for s, _ in n_best(found.texts[t], unigram, 2) if len(s) > 1]
        assert [found.texts[u] for u in own] == options[0]
        assert losses[t] == pytest.approx(removal_loss(counts, int(t), own))


@pytest.mark.parametrize("size", [70, 100, 257])
def test_training_reaches_the_size_that_was_asked_for(size):
    unigram = train_unigram_by_levels(WORDS, size)
    assert len(unigram.pieces) == len(set(unigram.pieces)) == size
    assert {c for word in WORDS for c in word} <= set(unigram.pieces)
    assert np.exp(unigram.log_probabilities).sum() == pytest.approx(1)


def test_training_ends_early_where_there_are_no_more_substrings():
    unigram = train_unigram({"aaaa": 1}, 100)
    assert unigram.pieces == ("a", "aa", "aaa")
    assert train_unigram({"ab": 1}, 100).pieces == ("a", "b")


def test_the_digamma_may_lower_the_likelihood_and_em_does_not():
    start = train_unigram_by_levels(WORDS, 100)
    words = dict(list(WORDS.items())[:100])
    after = em_step(words, start)
    bayesian = Unigram(start.pieces, maximise_bayesian(expected_counts(words, start)))
    assert log_likelihood(words, after) > log_likelihood(words, start)
    assert log_likelihood(words, bayesian) < log_likelihood(words, after)


def test_byte_fallback_loses_nothing():
    tokenizer = UnigramTokenizer.train(TEXT, 400)
    assert len(tokenizer.vocabulary) == 400
    rng = np.random.default_rng(3)
    for _ in range(40):
        codes = rng.choice(
            [rng.integers(1, 0xD800), rng.integers(0xE000, 0x110000), 65], 20
        )
        text = "".join(map(chr, codes))
        assert tokenizer.decode(tokenizer.encode(text)) == text
    assert tokenizer.tokenize("🐋") == ["<0xF0>", "<0x9F>", "<0x90>", "<0x8B>"]


def test_a_piece_that_is_ruled_out_does_not_rule_out_what_is_unknown():
    unigram = Unigram(("a", "b"), np.array([-1.0, -np.inf]))
    assert lattice("x", unigram)[0, 1] == -1 - UNKNOWN_PENALTY


def test_substrings_grow_to_16_characters_where_nothing_is_said_and_end_with_the_words():
    assert max(map(len, frequent_substrings({"a" * 20: 2}).texts)) == 16
    assert len(frequent_substrings({"ab": 1}, longest=5).at) == 1


def test_a_name_of_a_byte_is_no_piece():
    tokenizer = UnigramTokenizer.train("<0x41> " * 50 + "<0x41>", 300)
    assert sorted(tokenizer.vocabulary.values()) == list(
        range(len(tokenizer.vocabulary))
    )
    assert tokenizer.decode(tokenizer.encode("<0x41>")) == "<0x41>"


pair = Unigram(("a", "b"), np.log([0.5, 0.5]))


@refusals(
    ("0", lambda: digamma(np.array([1.0, 0.0])), ("not positive",)),
    (
        "no way",
        lambda: edge_posteriors(np.full((2, 2), -np.inf)),
        ("no way leads through",),
    ),
    ("no word", lambda: train_unigram({}, 10), ("no word",)),
    ("an empty word", lambda: train_unigram({"": 1}, 10), ("''", "one character")),
    ("no count", lambda: train_unigram({"a": 0}, 10), ("counts", "at least 1")),
    ("too many", lambda: train_unigram({"a": 10**400}, 10), ("2^53",)),
    ("too many in all", lambda: train_unigram({"a": 2**53, "b": 1}, 9), ("2^53",)),
    ("too small", lambda: train_unigram({"abc": 1}, 2), ("2", "3 characters")),
    (
        "too few for bytes",
        lambda: UnigramTokenizer.train("abc", 256),
        ("vocab_size is 256",),
    ),
    ("a text for words", lambda: encode_unigram("ab", pair), ("list",)),
    ("no text", lambda: encode_unigram([1], pair), ("1", "texts")),
    (
        "no text, one by one",
        lambda: encode_unigram(iter([1]), pair),
        ("hold 1", "texts"),
    ),
    ("other pieces", lambda: segmentation_probability(["c"], pair), ("lacks",)),
    (
        "a score short",
        lambda: viterbi("a", Unigram(("a", "b"), np.zeros(1))),
        ("log-probability",),
    ),
    ("no words counted", lambda: expected_counts({}, pair), ("no word",)),
    ("no words read", lambda: log_likelihood({}, pair), ("no word",)),
    ("nothing instead", lambda: removal_loss(np.ones(2), 0, []), ("empty",)),
    ("itself", lambda: removal_loss(np.ones(2), 0, [0]), ("itself",)),
)
def test_bad_input(call, words):
    assert_refused(call, words)


def test_a_piece_that_is_never_drawn_may_stand_in_a_file():
    kept = UnigramTokenizer(Unigram(("a", "b"), np.array([0.0, -np.inf])))
    read = UnigramTokenizer.from_plain(kept.to_plain())
    assert read.unigram.log_probabilities.tolist() == [0.0, -np.inf]
