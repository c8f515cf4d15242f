import numpy as np
import pytest
import torch

from transformer_math.trained.banks import (
    FILLERS,
    MONEY,
    NEUTRAL,
    PAD,
    RIVER,
    TEMPLATES,
    WORDS,
    Sentence,
    draw_sentence,
    held_out,
)
from transformer_math.trained.senses import (
    LONGEST,
    SensesTask,
    encode,
    layers_of,
    masked,
    nearest_centroid,
    senses,
    senses_of,
    sentences_with,
    silhouette,
    vectors_of,
)
from transformer_math.training.loop import train


@pytest.fixture(scope="module")
def model():
    return senses()


@pytest.fixture(scope="module")
def sentences():
    rng = np.random.default_rng(1)
    return [draw_sentence(rng, unseen) for unseen in (False, True) for _ in range(500)]


def test_sentences_are_made_of_known_words_and_fit(sentences):
    for sentence in sentences:
        assert set(sentence.words) <= set(WORDS[2:])
        assert len(sentence.words) <= LONGEST
    assert len(set(WORDS)) == len(WORDS)


def test_senses_share_no_word_but_bank():
    river, money = (
        {word for words in FILLERS[sense].values() for word in words}
        for sense in (RIVER, MONEY)
    )
    assert river & money == {"bank"}
    shared = {w for t in TEMPLATES for w in t.split()}
    shared |= {w for words in NEUTRAL.values() for w in words}
    assert not (river | money) & shared


def test_every_template_has_two_words_that_tell_the_sense():
    for text in TEMPLATES:
        assert sum(f"{{{name}}}" in text for name in ("thing", "kind", "near")) >= 2


def test_held_out_sentences_are_kept_apart(sentences):
    seen, unseen = sentences[:500], sentences[500:]
    assert not any(held_out(" ".join(s.words)) for s in seen)
    assert all(held_out(" ".join(s.words)) for s in unseen)


def test_where_bank_stands_says_nothing_of_its_sense():
    found = sentences_with("bank", np.random.default_rng(2), 4000)
    places = np.array([s.words.index("bank") for s in found])
    labels = senses_of(found)
    for place in np.unique(places):
        assert abs(labels[places == place].mean() - 0.5) < 0.1


def test_words_are_chosen_and_replaced_in_the_shares_that_are_said(sentences):
    ids = encode(sentences)
    batch = masked(np.random.default_rng(3), ids)
    np.testing.assert_array_equal(batch.wanted, ids)
    assert not batch.chosen[ids == WORDS.index(PAD)].any()
    np.testing.assert_array_equal(batch.given[~batch.chosen], ids[~batch.chosen])
    words = ids != WORDS.index(PAD)
    assert batch.chosen[words].mean() == pytest.approx(0.15, abs=0.01)
    got, wanted = batch.given[batch.chosen], ids[batch.chosen]
    assert (got == WORDS.index("[mask]")).mean() == pytest.approx(0.8, abs=0.04)
    assert (got == wanted).mean() == pytest.approx(0.1, abs=0.03)
    assert got.min() >= 1


def test_the_checkpoint_tells_the_senses_apart_where_static_vectors_cannot(model):
    rng = np.random.default_rng(4)
    known = sentences_with("bank", rng, 300)
    new = sentences_with("bank", rng, 300, unseen=True)
    accuracy = []
    for K, X in zip(
        vectors_of("bank", known, model), vectors_of("bank", new, model), strict=True
    ):
        means = [torch.from_numpy(K[senses_of(known) == k]).mean(0) for k in (0, 1)]
        nearer = torch.cdist(torch.from_numpy(X), torch.stack(means)).argmin(1).numpy()
        accuracy.append((nearer == senses_of(new)).mean())
    assert accuracy[0] < 0.65  # nothing but the position differs
    assert accuracy[-1] >= 0.99
    top = vectors_of("bank", new, model)[-1]
    assert silhouette(top, senses_of(new)) > 0.3


def test_words_of_one_sense_lie_with_bank_of_that_sense(model):
    rng = np.random.default_rng(5)
    found = sentences_with("bank", rng, 200)
    X = vectors_of("bank", found, model)[-1]
    C = np.stack([X[senses_of(found) == k].mean(axis=0) for k in (0, 1)])
    for word, sense in {"shore": 0, "beach": 0, "treasury": 1, "mint": 1}.items():
        others = vectors_of(word, sentences_with(word, rng, 50), model)[-1]
        assert (nearest_centroid(others, C) == sense).mean() > 0.95


def test_equal_vectors_have_a_silhouette_of_0():
    assert silhouette(np.ones((6, 3)), np.array([0, 0, 0, 1, 1, 1])) == 0


def test_padding_changes_nothing(model):
    short = Sentence(("the", "muddy", "bank", "was", "near", "the", "ford"), RIVER)
    long = draw_sentence(np.random.default_rng(6))
    alone = layers_of([short], model)[-1][0, :7]
    np.testing.assert_allclose(
        alone, layers_of([long, short], model)[-1][1, :7], atol=1e-5
    )


def test_it_says_what_it_cannot_read():
    with pytest.raises(ValueError, match="'whale' is no word of the planted corpus"):
        encode([Sentence(("the", "whale"), RIVER)])


def test_a_little_training_lowers_the_loss(tmp_path):
    task = SensesTask(every=20, batch_size=16)
    first, *_, last = train(task, tmp_path, steps=80).history
    assert last["loss"] < 0.9 * first["loss"]
    assert last["held_out"] < np.log(len(WORDS))
