"""The trainings on the film of the cat: no frame in two parts, gradients that autograd's rule confirms, records that are whole."""

from itertools import product

import numpy as np
import pytest

from transformer_math.trained.film_direction import (
    LENGTH,
    MEASURED,
    ROWS,
    SCHEMES,
    SEEDS,
    TASKS,
    Batch,
    FilmTask,
    clips_of,
    clips_without,
    film_direction,
    film_logits_vjp,
    initial,
    shot,
)
from transformer_math.trees import leaves, map_leaves


@pytest.mark.parametrize("row", range(4))
def test_no_frame_is_in_training_and_in_the_test(row):
    known, held = set(clips_without(row).flat), set(clips_of(row).flat)
    assert not known & held and len(known | held) == 24
    assert all(np.diff(clip).tolist() == [1] * 3 for clip in clips_without(row))


def test_there_is_a_record_for_each_training():
    found = {(r["name"], r["row"], r["seed"]) for r in film_direction()}
    wanted = set(product(TASKS, ROWS, SEEDS))
    assert found == wanted and len(film_direction()) == len(wanted)
    assert all(0 <= r[key] <= 1 for r in film_direction() for key in MEASURED[1:])


@pytest.mark.parametrize("name", SCHEMES)
def test_the_gradient_is_the_slope(name):
    rng = np.random.default_rng(0)
    task = FilmTask(name, 0)
    p = map_leaves(lambda x: x.astype(float), initial(rng, SCHEMES[name]))
    clips = rng.normal(size=(2, LENGTH, 24, 40, 1))
    batch = Batch(clips, np.array([0, 1]))
    _, gradient = task.loss_and_gradient(p, batch)
    way = map_leaves(lambda x: rng.normal(size=x.shape), p)
    if not SCHEMES[name].times:
        assert not gradient.P_time.any()
        way.P_time[:] = 0
    ahead, back = (
        task.loss_and_gradient(
            map_leaves(lambda x, d, s=s: x + s * 1e-6 * d, p, way), batch
        )[0]
        for s in (1, -1)
    )
    pairs = zip(leaves(gradient).values(), leaves(way).values())
    slope = sum(float((g * d).sum()) for g, d in pairs)
    assert (ahead - back) / 2e-6 == pytest.approx(slope, rel=1e-5)


def test_space_alone_cannot_tell_a_clip_from_the_same_backwards():
    clip = shot(np.random.default_rng(0), np.arange(LENGTH))[None]
    for name, scheme in SCHEMES.items():
        p = initial(np.random.default_rng(1), scheme)
        ahead, back = (film_logits_vjp(x, p, scheme)[0] for x in (clip, clip[:, ::-1]))
        assert np.allclose(ahead, back, atol=1e-5) == (name == "space alone")


def test_a_batch_is_half_forwards_and_the_same_again_from_the_same_seed():
    task = FilmTask("divided", 2)
    one, other = (task.batch(np.random.default_rng(3), 1) for _ in range(2))
    assert np.array_equal(one.clips, other.clips)
    many = [task.batch(np.random.default_rng(s), 1).forwards for s in range(40)]
    assert 0.4 < np.mean(many) < 0.6
