"""What holds for every twin: its value is the function's, its pullback is linear, repeatable, and gives the form of its inputs."""

from collections import Counter
from copy import deepcopy

import numpy as np
import pytest
from abouts import listed
from examples import EXAMPLES, FUNCTION_OF, TWINS

from transformer_math.block import NormParameters
from transformer_math.checks import all_checks
from transformer_math.contract import twin
from transformer_math.gradient import (
    attention_vjp,
    cross_entropy_vjp,
    embed_vjp,
    encoder_layer_vjp,
    gelu_tanh_vjp,
    gelu_vjp,
    layer_norm_vjp,
    log_softmax_vjp,
    relu_vjp,
    rms_norm_vjp,
    rope_half_split_vjp,
    rope_vjp,
    softmax_vjp,
    swish_vjp,
)
from transformer_math.trees import different_form, leaves, map_leaves

WRT = {check.target: check.wrt for check in all_checks().values() if check.wrt}


def plain(arguments):
    """The arguments of the function: where the twin takes a twin, its value alone."""
    named = {"activation_vjp": "activation", "sublayer_vjp": "sublayer"}
    return {
        named.get(name, name): value_of(value) if name in named else value
        for name, value in arguments.items()
    }


def value_of(made):
    return lambda x: made(x)[0]


def gradient_for(value, seed=0):
    rng = np.random.default_rng(seed)
    if np.ndim(value) == 0:
        return float(rng.normal())
    return rng.normal(size=value.shape).astype(value.dtype)


def inputs(made, arguments):
    """What has gradients, in order."""
    return [arguments[name] for name in WRT[made]]


def worst(a, b):
    pairs = zip(leaves(a).values(), leaves(b).values(), strict=True)
    return max(np.abs(x - y).max() for x, y in pairs)


@pytest.mark.parametrize("made", TWINS, ids=lambda f: f.__name__)
def test_the_value_is_that_of_the_function(made):
    function = FUNCTION_OF.get(made)
    if function is None:
        assert made.__name__ == "self_attention_vjp"
        return
    value, _ = made(**deepcopy(EXAMPLES[made]))
    wanted = function(**plain(deepcopy(EXAMPLES[made])))
    wanted = wanted[0] if isinstance(wanted, tuple) else wanted
    np.testing.assert_allclose(value, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("made", TWINS, ids=lambda f: f.__name__)
def test_gradients_have_the_form_and_the_type_of_the_inputs(made, dtype):
    def cast(x):
        return x.astype(dtype) if getattr(x, "dtype", None) == np.float64 else x

    arguments = {k: map_leaves(cast, v) for k, v in EXAMPLES[made].items()}
    value, pullback = made(**arguments)
    gradients = pullback(gradient_for(value))
    wanted = inputs(made, arguments)
    assert isinstance(gradients, tuple)
    assert len(gradients) == len(wanted) >= 1
    for found, given in zip(gradients, wanted):
        assert different_form(found, given) is None
        for x, y in zip(leaves(found).values(), leaves(given).values()):
            assert np.shape(x) == np.shape(y)
            assert not isinstance(y, np.ndarray) or x.dtype == y.dtype


@pytest.mark.parametrize("made", TWINS, ids=lambda f: f.__name__)
def test_a_pullback_is_linear_and_can_be_called_again(made):
    value, pullback = made(**deepcopy(EXAMPLES[made]))
    one, two = gradient_for(value, 1), gradient_for(value, 2)
    kept = np.copy(one)
    first, second, both = pullback(one), pullback(two), pullback(2 * one - two)
    combined = map_leaves(lambda x, y: 2 * x - y, first, second)
    assert worst(both, combined) < 1e-10
    assert worst(pullback(one), first) == 0
    assert np.array_equal(one, kept)


@pytest.mark.parametrize("made", TWINS, ids=lambda f: f.__name__)
def test_a_gradient_of_another_form_is_refused_in_words(made):
    value, pullback = made(**deepcopy(EXAMPLES[made]))
    right = gradient_for(value)
    bad = [np.append(right, 1.0), "text", None, np.nan * right]
    if np.ndim(value):
        bad += [right[..., :1], right.astype(np.float32), right.tolist()]
    for gradient in bad:
        with pytest.raises(ValueError, match=r"gradient .*; wanted .*Fix: \S"):
            pullback(gradient)


REFUSED = listed("REFUSED")


def test_every_condition_of_a_function_with_a_twin_is_broken_here():
    words = {(made, words) for made, words, _ in REFUSED}
    broken = Counter(made for made, _ in words)
    conditions = (getattr(FUNCTION_OF.get(made), "conditions", ()) for made in TWINS)
    assert broken == Counter(
        {made: len(found) for made, found in zip(TWINS, conditions) if found}
    ), "write what breaks it into REFUSED of tests/gradient/about_<idea>.py"


@pytest.mark.parametrize(("made", "words", "bad"), REFUSED)
def test_a_twin_refuses_what_its_function_refuses_in_the_same_words(made, words, bad):
    said = []
    for function, example in (
        (FUNCTION_OF.get(made), plain(EXAMPLES[made])),
        (made, EXAMPLES[made]),
    ):
        with pytest.raises(ValueError, match=rf"{words}.* Fix: \S") as refusal:
            function(**{**deepcopy(example), **bad})
        said.append(str(refusal.value))
    assert said[0] == said[1]


def test_a_query_that_sees_nothing_sends_nothing_back():
    Q, K, V = np.random.default_rng(0).normal(size=(3, 4, 2))
    mask = np.array([[True] * 4, [False] * 4, [True] * 4, [True] * 4])
    O, pullback = attention_vjp(Q, K, V, mask)
    gradients = pullback(np.eye(4, 2, k=-1))  # row 1 alone, and row 2
    only = pullback(np.eye(4, 2, k=-1) * [[0], [0], [1], [1]])
    assert not O[1].any()
    assert not gradients[0][1].any()
    assert worst(gradients, only) == 0


def test_rows_of_embeddings_add_up_and_the_others_stay_zero():
    ids = np.array([[2, 0, 2], [2, 2, 5]])
    dX = np.arange(12.0).reshape(2, 3, 2)
    (dE,) = embed_vjp(ids, np.zeros((7, 2)))[1](dX)
    wanted = np.zeros((7, 2))
    np.add.at(wanted, ids, dX)
    assert np.array_equal(dE, wanted)
    assert not dE[[1, 3, 4, 6]].any()


def test_confident_mistakes_have_finite_gradients():
    logits = np.array([[1e4, -1e4, 0.0]])
    loss, pullback = cross_entropy_vjp(logits, np.array([1]))
    assert loss == 2e4
    assert np.array_equal(pullback(1.0)[0], [[1.0, -1.0, 0.0]])


def test_what_softmax_sends_back_sums_to_zero():
    x = np.random.default_rng(1).normal(size=(5, 9)) * 5
    x[:, 3] = -np.inf
    (ds,) = softmax_vjp(x)[1](np.random.default_rng(2).normal(size=x.shape))
    assert np.abs(ds.sum(axis=-1)).max() < 1e-14
    assert not ds[:, 3].any()


def test_a_forbidden_token_takes_nothing_from_the_others():
    x, dl = np.array([[0.0, -np.inf, 0.0]]), np.array([[1.0, 5.0, 3.0]])
    (dx,) = log_softmax_vjp(x)[1](dl)
    assert np.array_equal(dx, [[1.0 - 4.5, 5.0, 3.0 - 4.5]])


@pytest.mark.parametrize("twin_of_rotation", [rope_vjp, rope_half_split_vjp])
def test_what_was_turned_is_turned_back(twin_of_rotation):
    x, dy = np.random.default_rng(3).normal(size=(2, 4, 6))
    turned, pullback = twin_of_rotation(x, np.arange(4.0), 10.0)
    assert not np.allclose(turned[1:], x[1:])
    np.testing.assert_allclose(pullback(turned)[0], x, atol=1e-12)
    lengths = [np.linalg.norm(g, axis=1) for g in (pullback(dy)[0], dy)]
    np.testing.assert_allclose(*lengths, atol=1e-12)


def test_the_norm_of_a_layer_pulls_back_as_that_without_a_mean_and_then_as_centring():
    x, dy = np.random.default_rng(4).normal(size=(2, 5, 6))
    p = NormParameters(*np.random.default_rng(5).normal(size=(2, 6)))
    centred = x - x.mean(axis=-1, keepdims=True)
    dx, dgamma = rms_norm_vjp(centred, p.gamma)[1](dy)
    wanted = layer_norm_vjp(x, p)[1](dy)
    np.testing.assert_allclose(dgamma, wanted[1].gamma, atol=1e-12)
    np.testing.assert_allclose(
        dx - dx.mean(axis=-1, keepdims=True), wanted[0], atol=1e-12
    )


def test_a_layer_in_single_precision_is_near_the_double_one():
    arguments = EXAMPLES[encoder_layer_vjp]
    single = {
        k: map_leaves(
            lambda x: x.astype(np.float32) if np.asarray(x).dtype == float else x, v
        )
        for k, v in arguments.items()
    }
    (value, pullback), (_, rough_pullback) = (
        encoder_layer_vjp(**arguments),
        encoder_layer_vjp(**single),
    )
    gradient = gradient_for(value)
    exact = pullback(gradient)
    near = rough_pullback(gradient.astype(np.float32))
    assert worst(exact, near) < 1e-4 * max(
        np.abs(x).max() for x in leaves(exact).values()
    )


def test_the_gradient_of_a_number_is_a_number():
    @twin
    def half_vjp(x: float) -> tuple[float, object]:
        return x / 2, lambda gradient: (gradient / 2,)

    assert half_vjp(3.0)[1](1) == (0.5,)
    with pytest.raises(ValueError, match="gradient is True; wanted a finite number"):
        half_vjp(3.0)[1](True)


def test_a_pullback_of_integers_is_in_double_precision():
    value, pullback = relu_vjp(np.array([-1, 2]))
    assert value.dtype == float
    assert np.array_equal(pullback(np.ones(2))[0], [0.0, 1.0])


@pytest.mark.parametrize(
    ("dtype", "far"), [(np.float32, 1e20), (np.float64, 1e200), (np.float64, 1e308)]
)
@pytest.mark.parametrize("twin", [gelu_vjp, gelu_tanh_vjp, swish_vjp])
def test_activations_far_from_0_are_lines(twin, dtype, far):
    x = np.array([far, -far], dtype)
    with np.errstate(over="ignore"):
        y, pullback = twin(x)
        (dx,) = pullback(np.ones(2, dtype))
    assert y.tolist() == [x[0], 0] and dx.tolist() == [1, 0]
    assert y.dtype == dx.dtype == dtype
