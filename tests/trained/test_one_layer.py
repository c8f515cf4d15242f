import numpy as np
import pytest

from transformer_math.position import alibi_slopes, sinusoidal
from transformer_math.trained.one_layer import (
    D_MODEL,
    LENGTH,
    N_HEADS,
    Positions,
    held_out_loss,
    initial,
    letters,
    loss_and_gradient,
    train_one_layer,
)

KINDS = {
    "nothing": Positions(np.zeros((LENGTH, D_MODEL))),
    "sinusoids": Positions(sinusoidal(LENGTH, D_MODEL)),
    "learned": Positions(np.zeros((LENGTH, D_MODEL)), learned=True),
    "biases": Positions(np.zeros((LENGTH, D_MODEL)), slopes=alibi_slopes(N_HEADS)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_gradient_is_the_slope_of_the_loss(kind):
    rng, positions = np.random.default_rng(3), KINDS[kind]
    p = {k: x.astype(float) for k, x in initial(rng, positions).items()}
    ids = letters()[:60].reshape(3, 20)
    _, gradients = loss_and_gradient(p, ids, positions)
    way = {
        k: rng.normal(size=x.shape) * (k != "P" or positions.learned)
        for k, x in p.items()
    }
    there, back = (
        loss_and_gradient({k: x + step * way[k] for k, x in p.items()}, ids, positions)[
            0
        ]
        for step in (1e-5, -1e-5)
    )
    slope = sum((gradients[k] * way[k]).sum() for k in p)
    assert (there - back) / 2e-5 == pytest.approx(slope, rel=1e-4)


def test_a_table_that_is_not_learned_stays():
    trained = train_one_layer(KINDS["sinusoids"], seed=0, steps=22)
    assert np.array_equal(trained["P"], sinusoidal(LENGTH, D_MODEL).astype(np.float32))


def test_training_lowers_the_loss_and_is_repeated_by_its_seed():
    positions = KINDS["biases"]
    untrained = initial(np.random.default_rng(0), positions)
    trained, again = (train_one_layer(positions, seed=0, steps=40) for _ in range(2))
    assert (
        held_out_loss(trained, positions, LENGTH)
        < held_out_loss(untrained, positions, LENGTH) - 0.5
    )
    assert all(np.array_equal(trained[k], again[k]) for k in trained)
