"""Every public function refuses every argument that is none, keeps single precision, and leaves its arguments alone."""

import inspect
from copy import deepcopy
from dataclasses import is_dataclass

import numpy as np
import pytest
from function_examples import EXAMPLES, public_functions

from transformer_math.attention import additive_mask, apply_mask, softmax_in_place
from transformer_math.model import count_operations, count_parameters
from transformer_math.training import all_real
from transformer_math.trees import leaves, map_leaves


def test_every_public_function_has_an_example():
    missing = [f.__name__ for f in public_functions() - EXAMPLES.keys()]
    assert missing == [], "add a valid call to tests/contract/function_examples.py"


@pytest.mark.parametrize("function", EXAMPLES, ids=lambda f: f.__name__)
def test_the_example_is_valid_and_names_every_argument(function):
    parameters = inspect.signature(function).parameters.values()
    named = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert list(EXAMPLES[function]) == named
    function(**deepcopy(EXAMPLES[function]))


TRAINING = {"transformer_math.training.adam", "transformer_math.training.clipping"}


def longer(x):
    return np.concatenate([x, x[..., :1]], axis=-1)


def spoilt(x):
    x = x.copy()
    x.flat[-1] = np.nan
    return x


def infinite(x):
    x = x.copy()
    x.flat[-1] = np.inf
    return x


def bad_arrays(value):
    yield "list", value.tolist()
    yield "None", None
    yield "number", 1.5
    yield "text", "abc"
    yield "empty", value[..., :0]
    yield "complex", value.astype(complex)
    yield "half precision", value.astype(np.float16)
    yield "objects", value.astype(object)
    yield "longer", longer(value)
    yield "no axis", np.array(value.flat[0])
    yield "np.matrix", np.matrix(value.reshape(1, -1))
    yield "masked array", np.ma.masked_array(value)
    if value.dtype.kind == "f":
        yield "truth values", value > 0
        yield "NaN", spoilt(value)
        yield "infinity", infinite(value)
    else:
        yield "real numbers", value.astype(float)


def bad_scalars(value):
    yield "0", 0
    yield "-1", -1
    yield "NaN", np.nan
    yield "infinity", np.inf
    yield "1.5", 1.5
    yield "None", None
    yield "text", "2"
    yield "True", True
    yield "list", [2]
    yield "array", np.array(2)


TREES = {"parameters", "gradients"}  # of the functions that take any tree of arrays


def bad_trees(value):
    yield "None", None
    yield "text", "abc"
    yield "ids", {"ids": np.array([1, 2])}
    yield "complex", value.astype(complex)
    yield "objects", [value.astype(object)]


def takes_trees(function):
    return function.__module__ in TRAINING


def bad_values(function, name, value):
    if name in TREES and takes_trees(function):
        return bad_trees(value)
    if isinstance(value, np.ndarray):
        return bad_arrays(value)
    if isinstance(value, (int, float)):
        return bad_scalars(value)
    if isinstance(value, str):
        return [("None", None), ("number", 3), ("list", [value]), ("empty", "")]
    return [("None", None), ("number", 3)]


# What is legitimate, by argument: another size where nothing else depends on it, None where it is the default, ...
FREE_SIZE = {
    ("attention", "V"),
    ("begin_and_end", "ids"),
    ("concat_heads", "O"),
    ("corpus_log_likelihood", "n"),
    ("count_neighbours", "ids"),
    ("embed", "E"),
    ("embed", "ids"),
    ("embed_at_positions", "ids"),
    ("encoder_decoder", "source_ids"),
    ("entropy", "weights"),
    ("additive_mask", "mask"),
    ("blockwise_attention", "V"),
    ("causal_padding_mask", "lengths"),
    ("cross_attention", "W_V"),
    ("digamma", "x"),
    ("erf", "x"),
    ("gelu", "x"),
    ("gelu_tanh", "x"),
    ("letters_vector", "W"),
    ("cross_entropy", "logits"),
    ("log_softmax", "x"),
    ("maximise", "counts"),
    ("maximise_bayesian", "counts"),
    ("nearest_words", "W"),
    ("one_hot", "ids"),
    ("padding_mask", "lengths"),
    ("position_similarity", "offset"),
    ("ppmi", "C"),
    ("probabilities", "logits"),
    ("relu", "x"),
    ("removal_loss", "counts"),
    ("tempered", "probabilities"),
    ("scale_embedding", "X"),
    ("shift", "ids"),
    ("sinusoidal_at", "positions"),
    ("greedy", "start"),
    ("beam", "start"),
    ("sample", "start"),
    ("softmax", "x"),
    ("swish", "x"),
    ("softmax_in_place", "x"),
    ("softmax_jacobian", "weights"),
    ("word_vectors", "I"),
}
POINTWISE = {
    (name, "x") for name in ("relu", "gelu", "gelu_tanh", "erf", "swish", "digamma")
}
LEGITIMATE = {
    **{argument: {"longer"} for argument in FREE_SIZE},
    **{argument: {"longer", "no axis"} for argument in POINTWISE},
    **{
        (function.__name__, name): {"None"}
        for function, arguments in EXAMPLES.items()
        for name in arguments.keys()
        & {"mask", "memory_mask", "source_mask", "target_mask"}
        if function not in (apply_mask, additive_mask)
    },
    ("project", "b"): {"number"},
    ("logits", "b_out"): {"number"},
    **{
        (function.__name__, name): {"1.5"}
        for function, arguments in EXAMPLES.items()
        for name in arguments.keys() & {"base", "temperature"}
    },
    **{
        (function.__name__, name): {"0", "1.5"}
        for function, arguments in EXAMPLES.items()
        for name in arguments.keys() & {"eps", "variance"}
    },
    ("ppmi", "smoothing"): {"0", "1.5"},
    ("cached_attention", "cache"): {"None"},
    ("cross_entropy", "weights"): {"None"},
    ("cross_entropy", "smoothing"): {"0"},
    **{("begin_and_end", token): {"0", "-1"} for token in ("begin", "end")},
    **{(name, "loss"): {"0", "1.5"} for name in ("perplexity", "bits_per_byte")},
    **{("adam_step", name): {"0"} for name in ("beta_1", "beta_2")},
    **{("adam_step", name): {"0", "1.5"} for name in ("learning_rate", "weight_decay")},
    ("adam_step", "eps"): {"1.5"},
    ("all_real", "tree"): {"None", "number"},
    ("clip_by_norm", "largest"): {"1.5"},
    ("cosine_schedule", "peak"): {"1.5"},
    **{(name, "end"): {"0", "None"} for name in ("greedy", "sample", "beam")},
    ("beam", "power"): {"0", "1.5"},
    ("shift_matrix", "k"): {"0", "-1", "1.5"},
    ("utf8_bytes", "code_point"): {"0"},
    ("utf8_encode", "text"): {"empty"},
    ("unprintable", "text"): {"empty"},
    **{
        (name, "text"): {"empty"}
        for name in (
            "apply_charsmap", "encode_sentence", "mark_spaces", "normalise", "sentence_pieces",
        )
    },
    ("merge_pieces", "chunk"): {"empty"},
    **{(name, "alpha"): {"1.5"} for name in ("renyi_efficiency", "renyi_entropy")},
    ("zipf_log_likelihood", "exponent"): {"1.5"},
    **{
        (name, "counts"): {"longer"}
        for name in ("bits_per_character", "rare_share", "renyi_efficiency")
    },
    ("renyi_entropy", "p"): {"longer"},
    ("printable_code_point", "byte"): {"0"},
    ("unknown_share", "unknown"): {"0", "-1"},
    **{(name, "dropout"): {"0"} for name in ("dropout_probabilities", "encode_with_dropout")},
    ("encode_with_dropout", "chunk"): {"empty"},
    ("train_bpe", "alphabet"): {"None", "list"},
    ("merge_places", "tokens"): {"list", "empty"},
    ("longest_piece", "start"): {"0"},
    ("merge_pair", "merged"): {"None", "number", "list", "empty"},
    ("count_parameters", "parameters"): {"number"},
    ("count_operations", "x"): {
        "empty", "complex", "half precision", "longer", "no axis", "truth values",
        "NaN", "infinity", "objects", "np.matrix", "masked array",
    },
}  # fmt: skip


def legitimate(function, name):
    """What may be passed: to a twin, what may be passed to its function."""
    named = function.__name__
    return {
        *LEGITIMATE.get((named, name), ()),
        *LEGITIMATE.get((named.removesuffix("_vjp"), name), ()),
    }


CASES = [
    pytest.param(function, name, bad, id=f"{function.__name__}-{name}-{case}")
    for function, arguments in EXAMPLES.items()
    for name, value in arguments.items()
    for case, bad in bad_values(function, name, value)
    if case not in legitimate(function, name)
]


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # np.matrix
@pytest.mark.parametrize(("function", "name", "bad"), CASES)
def test_bad_input_is_refused_in_words(function, name, bad):
    with pytest.raises(ValueError, match=r"Fix: \S"):
        function(**{**deepcopy(EXAMPLES[function]), name: bad})


def floats(value):
    """The float arrays of an argument: the argument itself, or the leaves of parameters."""
    found = leaves(value).values() if is_tree(value) else [value]
    return [
        x for x in found if isinstance(x, np.ndarray) and x.dtype == np.dtype(float)
    ]


def is_tree(value):
    """Whether an argument holds parameters."""
    return is_dataclass(value) or (isinstance(value, tuple) and is_dataclass(value[0]))


def changed(arguments, change):
    """The arguments with a change made to each float array, those of parameters included."""

    def one(x):
        return change(x) if floats(x) else x

    return {
        name: map_leaves(one, value) if is_tree(value) else one(value)
        for name, value in deepcopy(arguments).items()
    }


def arrays(result):
    parts = result if isinstance(result, (tuple, list)) else [result]
    return [x for x in parts if isinstance(x, (np.ndarray, np.floating))]


WITH_FLOATS = [
    function
    for function, arguments in EXAMPLES.items()
    if any(floats(value) for value in arguments.values())
    and function not in (all_real, count_operations, count_parameters)
]


@pytest.mark.parametrize("function", WITH_FLOATS, ids=lambda f: f.__name__)
def test_single_precision_stays_single(function):
    exact = arrays(function(**deepcopy(EXAMPLES[function])))
    single = changed(EXAMPLES[function], lambda x: x.astype(np.float32))
    rough = arrays(function(**single))
    assert all(x.dtype == np.float32 for x in rough)
    for a, b in zip(exact, rough, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint16, np.int64])
@pytest.mark.parametrize("function", WITH_FLOATS, ids=lambda f: f.__name__)
def test_integers_are_computed_in_double_precision(function, dtype):
    if function is softmax_in_place or takes_trees(function):
        pytest.skip("refused: it cannot write weights over integers, nor train them")
    whole = changed(EXAMPLES[function], lambda x: np.abs(np.rint(x)))
    arrays_in = [x for x in whole.values() if isinstance(x, np.ndarray)]
    if any(np.isinf(x).any() for x in arrays_in):
        pytest.skip("its example holds -inf, which no integer is")
    integers = changed(whole, lambda x: x.astype(dtype))
    for a, b in zip(arrays(function(**integers)), arrays(function(**whole))):
        assert a.dtype == np.float64
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("function", EXAMPLES, ids=lambda f: f.__name__)
def test_arguments_are_left_alone(function):
    if function is softmax_in_place or "rng" in EXAMPLES[function]:
        pytest.skip("its argument is there to be changed")
    given = deepcopy(EXAMPLES[function])
    kept = deepcopy(given)
    function(**given)
    for name, value in kept.items():
        for a, b in zip(leaves(value).values(), leaves(given[name]).values()):
            assert np.array_equal(np.asarray(a), np.asarray(b)), name
