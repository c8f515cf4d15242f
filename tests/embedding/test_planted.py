"""The planted corpus: seeded, complete, and its analogies hold in the very odds of its words."""

from collections import Counter

import numpy as np
import pytest

from transformer_math.embedding import (
    PLANTED,
    count_neighbours,
    frequent_words,
    number_analogies,
    number_sentences,
    planted_analogies,
    planted_sentences,
)


def test_a_seed_gives_the_same_sentences_and_another_gives_others():
    one, again, other = (
        planted_sentences(np.random.default_rng(seed), 20) for seed in (1, 1, 2)
    )
    assert one == again != other


def test_no_word_has_two_parts():
    words = [
        w
        for family in PLANTED.values()
        for pair, subject in family.subjects.items()
        for w in (*pair, *subject.split())
    ]
    words += [w for family in PLANTED.values() for k in family.kinds for w in k.split()]
    plain = {
        w
        for family in PLANTED.values()
        for template in family.templates
        for w in template.split()
        if w[0] != "{"
    }
    assert max(Counter(words).values()) == 1
    assert not plain & set(words)


def test_every_question_is_asked_once_and_its_words_stand_in_the_corpus():
    sentences = planted_sentences(np.random.default_rng(0), 2000)
    known = {word for sentence in sentences for word in sentence}
    for questions in planted_analogies().values():
        assert len(set(questions)) == len(questions) == 180
        assert {word for four in questions for word in four} <= known
        assert all(len(set(four)) == 4 for four in questions)


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_company_is_drawn_for_kind_and_subject_apart(noise):
    """Of the company of “queen”, the share for its kind is that of “princess”, the share for its subject that of “king”."""
    sentences = planted_sentences(np.random.default_rng(0), 30_000, noise)
    words = frequent_words([w for s in sentences for w in s], at_least=1)
    ids = number_sentences(sentences, words, gap=9)
    C = count_neighbours(ids, len(words), len(words), window=9)
    for family in PLANTED.values():
        kinds = [[words.index(w) for w in kind.split()] for kind in family.kinds]
        for pair, subject in family.subjects.items():
            for kind, word in enumerate(pair):
                met = C[words.index(word)]
                own, other = met[kinds[kind]].sum(), met[kinds[1 - kind]].sum()
                assert other / (own + other) == pytest.approx(noise / 2, abs=0.035)
                about = met[[words.index(w) for w in subject.split()]].sum()
                every = " ".join(family.subjects.values()).split()
                all_subjects = met[[words.index(w) for w in every]].sum()
                wanted = 1 - noise + noise / len(family.subjects)
                assert about / all_subjects == pytest.approx(wanted, abs=0.035)


def test_no_window_reaches_the_next_sentence():
    ids = number_sentences([["a"], ["b", "unknown", "a"]], ["a", "b"], gap=3)
    assert count_neighbours(ids, 2, 2, window=3).tolist() == [[0, 1], [1, 0]]


def test_an_unknown_word_is_named():
    with pytest.raises(ValueError, match="'queen' has no vector"):
        number_analogies([("man", "king", "woman", "queen")], ["man", "woman", "king"])


def test_one_companion_in_five_is_anybody():
    usual, said = (planted_sentences(np.random.default_rng(0), 50, *noise) for noise in ((), (0.2,)))  # fmt: skip
    assert usual == said
