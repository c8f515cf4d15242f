import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.model import (
    count_parameters,
    initialise,
    initialise_decoder_only,
)
from transformer_math.trees import leaves, same

SIZES = {"vocab_size": 300, "d_model": 64, "n_heads": 4, "d_ff": 160, "n_layers": 3}


def made(seed=0, **sizes):
    return initialise(np.random.default_rng(seed), **{**SIZES, **sizes})


MODEL = leaves(made())
MATRICES = {name: W for name, W in MODEL.items() if ".W_" in name}


@pytest.mark.parametrize("name", MATRICES)
def test_a_matrix_is_uniform_within_the_bound_of_glorot_and_bengio(name):
    W = MATRICES[name]
    bound = np.sqrt(6 / sum(W.shape))
    assert 0.99 * bound < np.abs(W).max() <= bound
    assert abs(W.mean()) < 4 * bound / np.sqrt(3 * W.size)
    assert np.isclose(W.var(), bound**2 / 3, rtol=0.1)
    quarters, _ = np.histogram(W, bins=4, range=(-bound, bound))
    assert np.allclose(quarters / W.size, 1 / 4, atol=0.03)


def test_embeddings_are_normal_with_variance_one_over_d_model():
    E = MODEL[".E"]
    assert E.shape == (300, 64)
    assert np.isclose(E.var(), 1 / 64, rtol=0.05)
    assert np.isclose((E**4).mean() / E.var() ** 2, 3, rtol=0.1)  # as a normal's


def test_scales_are_one_and_everything_else_zero():
    for name, x in MODEL.items():
        if "gamma" in name:
            assert np.array_equal(x, np.ones(64))
        if "beta" in name or ".b_" in name:
            assert np.array_equal(x, np.zeros(x.shape)) and x.ndim == 1


def test_no_two_matrices_are_the_same():
    first_row = {tuple(W[0, :5]) for W in MATRICES.values()}
    assert len(first_row) == len(MATRICES) == 3 * 6 + 1


def test_the_sizes_are_those_asked_for():
    assert len(made(n_layers=2).layers) == 2
    assert made().layers[0].feed_forward.W_1.shape == (64, 160)
    assert made().W_out.shape == (64, 300)
    assert count_parameters(made()) == sum(x.size for x in MODEL.values())


def test_one_seed_gives_one_model():
    assert same(made(1), made(1))
    assert not same(made(1), made(2))


@refusals(
    ("no layers", lambda: made(n_layers=0), ("n_layers is 0",)),
    ("-1 layers", lambda: made(n_layers=-1), ("n_layers is -1",)),
    ("half a layer", lambda: made(n_layers=1.5), ("n_layers is 1.5",)),
    ("no heads", lambda: made(n_heads=0), ("n_heads is 0",)),
    ("heads do not divide", lambda: made(n_heads=5), ("d_model is 64", "5 heads")),
    ("no hidden units", lambda: made(d_ff=0), ("d_ff is 0",)),
    ("no tokens", lambda: made(vocab_size=0), ("vocab_size is 0",)),
    ("a seed, no generator", lambda: initialise(0, **SIZES), ("rng is 0", "default_rng")),
    ("a text among numbers", lambda: count_parameters({"W": np.ones(2), "b": "two"}), ("neither an array nor a number",)),
    ("nothing to count", lambda: count_parameters(None), ("neither an array nor a number",)),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)


@pytest.mark.parametrize("start", [initialise, initialise_decoder_only])
def test_norms_do_nothing_before_training(start):
    parts = leaves(start(np.random.default_rng(0), **SIZES))
    gammas = [part for name, part in parts.items() if name.endswith("gamma")]
    betas = [part for name, part in parts.items() if name.endswith("beta")]
    assert len(gammas) == len(betas) >= 6
    assert all((gamma == 1).all() for gamma in gammas)
    assert not any(beta.any() for beta in betas)
