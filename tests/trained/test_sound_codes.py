import numpy as np
import pytest

from transformer_math.gradient import vq_vae_loss_vjp
from transformer_math.modalities import istft, stft, with_magnitudes
from transformer_math.trained import sound_codes as trained
from transformer_math.trained.sound_codes import Recipe


def test_the_frames_of_learning_and_of_testing_share_no_sample():
    learned_until = (trained.KEPT - 1) * trained.HOP + trained.SIZE
    assert learned_until <= (trained.KEPT + trained.APART) * trained.HOP
    assert len(trained.learned()) == trained.KEPT
    assert (
        len(trained.held_out())
        == len(trained.waves()[0]) - trained.KEPT - trained.APART
    )


def test_what_a_model_reads_is_scaled_by_what_it_learns_from():
    assert trained.learned().mean() == pytest.approx(0, abs=1e-4)
    assert trained.learned().std() == pytest.approx(1, abs=1e-4)


def test_magnitudes_undo_the_logarithm():
    found = trained.magnitudes(trained.held_out())
    wanted = np.hypot(*trained.waves())[trained.KEPT + trained.APART :]
    assert found.shape == wanted.shape
    assert np.allclose(found[:, :-1], wanted[:, :-1], atol=1e-4)


@pytest.mark.parametrize("k", trained.SIZES)
def test_what_is_heard_of_codes_does_not_clip_nor_click_and_is_as_loud(k):
    wanted = trained.magnitudes(trained.rebuilt(trained.held_out(), trained.models()[k])[0])  # fmt: skip
    phases = (part[trained.KEPT + trained.APART :] for part in trained.waves())
    borrowed = istft(*with_magnitudes(*phases, wanted), trained.HOP)
    guess = np.random.default_rng(0).normal(size=(2, *wanted.shape))
    for _ in range(30):
        alone = istft(*with_magnitudes(*guess, wanted), trained.HOP)
        guess = stft(alone, trained.SIZE, trained.HOP)
    for x in map(trained.heard, (borrowed, alone)):
        assert len(x) == len(borrowed) - 2 * (trained.SIZE - trained.HOP)
        assert np.abs(x).max() < 1
        assert np.abs(x[[0, -1]]).max() < 1e-3
        assert np.sqrt(np.square(x).mean()) == pytest.approx(trained.LEVEL, rel=0.01)


def test_a_short_training_brings_the_loss_down():
    recipe = Recipe(k=4, steps=30)
    start = trained.initial(recipe, np.random.default_rng(0))
    model = trained.train_codes(recipe)
    before, after = (vq_vae_loss_vjp(trained.learned(), m)[0] for m in (start, model))
    assert after < before
    again = trained.train_codes(recipe)
    assert all(
        np.array_equal(vars(model)[name], vars(again)[name]) for name in vars(model)
    )


def test_other_ways_train_too():
    for way in trained.WAYS.values():
        model = trained.train_codes(Recipe(k=4, steps=60, **way))
        assert all(np.isfinite(part).all() for part in vars(model).values())


def test_the_committed_models_give_what_was_measured():
    of_first = {
        r["k"]: r
        for r in trained.sound_codes()
        if r["seed"] == 0 and r["start"] == "k-means" and r["codes"] == "averages"
    }
    for k, model in trained.models().items():
        error = trained.decibels(
            trained.held_out(), trained.rebuilt(trained.held_out(), model)[0]
        )
        assert error == pytest.approx(of_first[k]["held out"], abs=0.03)


def test_the_speech_comes_back_from_its_waves():
    x = trained.padded(trained.speech())
    back = istft(*stft(x, trained.SIZE, trained.HOP), trained.HOP)
    assert np.abs(back - x).max() < 1e-12
