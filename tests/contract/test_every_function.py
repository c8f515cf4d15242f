"""Every public function refuses every argument that is none, keeps single precision, and leaves its arguments alone."""

import inspect
import re
from copy import deepcopy
from dataclasses import is_dataclass

import numpy as np
import pytest
from abouts import told
from examples import EXAMPLES, public_functions

from transformer_math.modalities import gumbel_noise
from transformer_math.model import count_operations, count_parameters
from transformer_math.training import all_real, dropout_mask
from transformer_math.trees import leaves, map_leaves


def test_every_public_function_has_an_example():
    missing = [f.__name__ for f in public_functions() if f not in EXAMPLES]
    assert missing == [], (
        "add a valid call to EXAMPLES in tests/<group>/about_<idea>.py"
    )


@pytest.mark.parametrize("function", EXAMPLES, ids=lambda f: f.__name__)
def test_the_example_is_valid_and_names_every_argument(function):
    parameters = inspect.signature(function).parameters.values()
    named = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert list(EXAMPLES[function]) == named
    function(**deepcopy(EXAMPLES[function]))


TRAINING = {
    f"transformer_math.training.{name}" for name in ("adagrad", "adam", "clipping")
}


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


TREES = {
    "parameters",
    "gradients",
    "squares",
}  # of the functions that take any tree of arrays


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


ACCEPTED = {f.__name__: arguments for f, arguments in told("ACCEPTED").items()}
MASKS = {"mask", "memory_mask", "source_mask", "target_mask"}


def accepted(function, name):
    """What is no bad input for an argument: what any argument of its name takes, and what its idea says."""
    idea = ACCEPTED.get(function.__name__.removesuffix("_vjp"), {})
    if name in idea or name not in EXAMPLES[function]:
        return idea.get(name, set())
    optional = inspect.signature(function).parameters[name].default is None
    return {
        *({"None"} if name in MASKS and optional else ()),
        *({"1.5"} if name in ("base", "temperature") else ()),
        *({"0", "1.5"} if name in ("eps", "variance") else ()),
    }


def bad_arguments(function):
    """The name of an argument, what is wrong, and the value: too many of them for a test each."""
    for name, value in EXAMPLES[function].items():
        for case, bad in bad_values(function, name, value):
            if case not in accepted(function, name):
                yield name, case, bad


def answer(function, name, bad):
    """What a function says to a bad argument: the words of its ValueError, or that something else came."""
    try:
        function(**{**deepcopy(EXAMPLES[function]), name: bad})
    except ValueError as refusal:
        return str(refusal)
    except Exception as other:
        return f"no ValueError but {type(other).__name__}"
    return "no error"


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # np.matrix
@pytest.mark.parametrize("function", EXAMPLES, ids=lambda f: f.__name__)
def test_bad_input_is_refused_in_words(function):
    said = {(n, case): answer(function, n, bad) for n, case, bad in bad_arguments(function)}  # fmt: skip
    no_refusal = {of: w for of, w in said.items() if not re.search(r"Fix: \S", w)}
    assert no_refusal == {}


def floats(value):
    """The float arrays of an argument: the argument itself, or the leaves of parameters."""
    found = leaves(value).values() if is_tree(value) else [value]
    return [
        x for x in found if isinstance(x, np.ndarray) and x.dtype == np.dtype(float)
    ]


def is_tree(value):
    """Whether an argument holds parameters."""
    return is_dataclass(value) or (
        isinstance(value, tuple) and any(map(is_dataclass, value))
    )


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
    and function is not dropout_mask  # its result is no number
]


@pytest.mark.parametrize("function", WITH_FLOATS, ids=lambda f: f.__name__)
def test_single_precision_stays_single(function):
    exact = arrays(function(**deepcopy(EXAMPLES[function])))
    single = changed(EXAMPLES[function], lambda x: x.astype(np.float32))
    rough = arrays(function(**single))
    for a, b in zip(exact, rough, strict=True):
        assert b.dtype == (np.float32 if a.dtype.kind == "f" else a.dtype)
        np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("function", WITH_FLOATS, ids=lambda f: f.__name__)
def test_integers_are_computed_in_double_precision(function):
    if takes_trees(function):
        pytest.skip("refused: whole numbers cannot be trained")
    if function is gumbel_noise:
        pytest.skip("refused: no whole number lies between 0 and 1")
    whole = changed(EXAMPLES[function], lambda x: np.abs(np.rint(x)))
    arrays_in = [x for x in whole.values() if isinstance(x, np.ndarray)]
    if any(np.isinf(x).any() for x in arrays_in):
        pytest.skip("its example holds -inf, which no integer is")
    wanted = arrays(function(**deepcopy(whole)))
    for dtype in (np.int8, np.uint8, np.uint16, np.int64):
        integers = changed(whole, lambda x, dtype=dtype: x.astype(dtype))
        for a, b in zip(arrays(function(**integers)), wanted):
            assert a.dtype == b.dtype, dtype
            assert a.dtype.kind != "f" or a.dtype == np.float64, dtype
            np.testing.assert_array_equal(a, b, str(dtype))


@pytest.mark.parametrize("function", EXAMPLES, ids=lambda f: f.__name__)
def test_arguments_are_left_alone(function):
    if "rng" in EXAMPLES[function]:
        pytest.skip("its argument is there to be changed")
    given = deepcopy(EXAMPLES[function])
    kept = deepcopy(given)
    function(**given)
    for name, value in kept.items():
        for a, b in zip(leaves(value).values(), leaves(given[name]).values()):
            assert np.array_equal(np.asarray(a), np.asarray(b)), name
