import numpy as np
import pytest

from transformer_math.attention import attention
from transformer_math.modalities import (
    divided_layer,
    space_attention,
    space_mask,
    time_attention,
    time_mask,
    two_steps,
    video_input,
)
from transformer_math.trained.film_direction import N_HEADS, SCHEMES

rng = np.random.default_rng(7)


@pytest.mark.parametrize(("frames", "places"), [(1, 1), (1, 5), (5, 1), (4, 15)])
def test_attention_in_groups_is_attention_under_a_mask(frames, places):
    Q, K, V = (rng.normal(size=(2, 3, 1 + frames * places, 4)) for _ in range(3))
    for grouped, mask in ((space_attention, space_mask), (time_attention, time_mask)):
        masked = attention(Q, K, V, mask(frames, places))[0]
        assert np.allclose(grouped(Q, K, V, frames), masked, atol=1e-13)


def test_a_step_of_time_and_one_of_space_reach_every_patch():
    space, time = (mask(3, 4)[1:, 1:] for mask in (space_mask, time_mask))
    assert two_steps(time, space).all() and two_steps(space, time).all()
    assert np.array_equal(two_steps(space, space), space)


def test_tokens_that_are_no_whole_frames_are_refused_and_told():
    Q = rng.normal(size=(8, 2))
    with pytest.raises(ValueError, match=r"class token and 7 patches.* 2 frames"):
        space_attention(Q, Q, Q, 2)
    p = SCHEMES["divided"].new_layer(rng)
    with pytest.raises(ValueError, match="number of frames that was cut"):
        divided_layer(rng.normal(size=(8, 32)), p, N_HEADS, 2)


def test_without_times_a_film_backwards_is_the_same_to_the_class_token():
    X = rng.normal(size=(4, 24, 40, 1))
    E, x_class = rng.normal(size=(64, 32)) / 8, rng.normal(size=32)
    S, U = rng.normal(size=(16, 32)), rng.normal(size=(4, 32))
    p = SCHEMES["divided"].new_layer(rng)
    for times, same in ((0 * U, True), (U, False)):
        films = (video_input(x, 1, 8, E, x_class, S, times) for x in (X, X[::-1]))
        one, other = (divided_layer(Z, p, N_HEADS, 4)[0] for Z in films)
        assert np.allclose(one, other, atol=1e-10) == same
