"""What is wrong with results, whatever function made them: kind, precision, shape, a factor, an argument that is ignored."""

import inspect
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from transformer_math.checks.compare import alike, as_numbers, difference, plain
from transformer_math.checks.draws import diagnose_draws, drawn_by, draws
from transformer_math.checks.pullback_diagnosis import diagnose_pullback
from transformer_math.checks.recording import Call, Trial, opened, same
from transformer_math.trees import map_leaves, parts

TRIED = 20  # calls that are made again with one argument changed
SINGLE = 1e-3  # what single precision may lose on its way through a deep model


def diagnose(mine: Callable, like: Callable, trials: list[Trial]) -> str | None:
    """The first diagnosis that fits every call that went wrong, in words for the person who wrote the function."""
    raised = [trial for trial in trials if trial.raised]
    if 2 * len(raised) > sum(trial.failed for trial in trials):
        return None  # what it raised says more than results of other cases
    trials = [trial for trial in trials if not trial.raised]
    calls = [call for trial in trials for call in trial.calls]
    if draws(calls):
        failed = next(trial.calls for trial in trials if trial.failed)
        if message := diagnose_draws(failed, drawn_by(like, failed)):
            return message
    tries = [(call, tried(like, call)) for call in calls]
    pairs = [(c, wanted) for c, wanted in tries if not isinstance(wanted, Exception)]
    wrong = [
        (call.output, wanted) for call, wanted in pairs if not same(call.output, wanted)
    ]
    if not wrong:
        return None
    names = trials[0].check.wrt
    of_twin = (diagnose_pullback(names, wrong) for _ in range(bool(names)))
    found = chain(_by_results(wrong), _by_arguments(mine, like, pairs), of_twin)
    return next((message for message in found if message is not None), None)


def _by_results(wrong: list) -> Iterator[str]:
    for recognise in (
        _half_of_a_pair,
        _kind,
        _no_whole_numbers,
        _precision,
        _layout,
        _along_another_axis,
        _not_a_number,
        _factor,
    ):
        if (message := recognise(wrong)) is not None:
            yield message


def wanted_of(like: Callable, call: Call) -> Any:
    """What the package's function gives for the arguments of a call."""
    with np.errstate(all="ignore"):
        return opened(like(*call.arguments, **call.settings))


def _half_of_a_pair(wrong: list) -> str | None:
    for part, word in ((0, "first"), (1, "second")):
        if all(
            isinstance(wanted, tuple) and len(wanted) == 2 and same(got, wanted[part])
            for got, wanted in wrong
        ):
            both = "value, pullback" if _is_twin(wrong) else "first, second"
            return f"You return only the {word} of two results: `return {both}` gives both."
    if all(_swapped(got, wanted) for got, wanted in wrong):
        return "Your two results have changed places: return them the other way round."
    return None


def _is_twin(wrong: list) -> bool:
    return isinstance(wrong[0][1][1], tuple)  # the gradients that a pullback gave


def _swapped(got: Any, wanted: Any) -> bool:
    pair = all(
        isinstance(value, (tuple, list)) and len(value) == 2 for value in (got, wanted)
    )
    return pair and same(got[::-1], wanted)


def _kind(wrong: list) -> str | None:
    got, wanted = (plain(value) for value in wrong[0])
    numbers, right = as_numbers(got, of_arrays=True), as_numbers(wanted)
    if right is None:
        if alike(got, wanted):
            return None
        return f"Your function returns {_described(got)}; wanted {_described(wanted)}."
    if numbers is None:
        ours, theirs = _described(got), _described(wanted)
        if ours == theirs:
            return f"Your function returns {ours}{_of_dtype(got)}; wanted {theirs} of numbers ({right.dtype})."
        return f"Your function returns {ours}{_of_dtype(got)}; wanted {theirs}."
    if right.dtype == bool and numbers.dtype != bool:
        return (
            f"Your result holds numbers ({numbers.dtype}); wanted True and False (bool), True where attention is "
            "allowed: compare, as in j <= i, or use dtype=bool."
        )
    if right.dtype != bool and numbers.dtype == bool:
        return f"Your result holds True and False; wanted numbers ({right.dtype})."
    return None


def _no_whole_numbers(wrong: list) -> str | None:
    """Numbers that are right and real, where whole ones are wanted: ids, counts, places."""
    if not all(same(got, map_leaves(_real, plain(wanted))) for got, wanted in wrong):
        return None
    return (
        "Your numbers are right, but they are real ones (float); wanted whole ones (int), which can count and stand in an "
        "index: `//` for `/`, `int(…)`, or `.astype(int)` for an array."
    )


def _real(leaf: Any) -> Any:
    """A whole number as a real one, and anything else as it is."""
    array = np.asarray(leaf)
    return array.astype(float)[()] if array.dtype.kind in "iu" else leaf


def _described(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    names = {
        "int": "a whole number",
        "float": "a number",
        "str": "a text",
        "bytes": "bytes",
        "NoneType": "nothing",
    }
    if type(value) in (list, tuple) and len(value) > 0:
        kind = type(value[0]).__name__
        inside = {"str": "texts", "list": "lists", "tuple": "tuples", "int": "numbers"}
        of = f" of {inside[kind]}" if kind in inside else ""
        return f"a {type(value).__name__}{of}"
    return names.get(type(value).__name__, f"a {type(value).__name__}")


def _of_dtype(value: Any) -> str:
    return f" and dtype {value.dtype}" if isinstance(value, np.ndarray) else ""


def _precision(wrong: list) -> str | None:
    dtypes = {
        str(leaf.dtype)
        for got, _ in wrong
        for leaf in _arrays(got)
        if leaf.dtype.kind == "f"
    }
    small = sorted(dtypes & {"float16", "float32"})
    largest = max(difference(got, wanted) for got, wanted in wrong)
    if not small or largest > SINGLE:
        return None
    return (
        f"The formula is right, the precision is not: your result is {small[0]} and differs by {f'{largest:.0e}'.replace('-', '−')}. "
        "The arguments come as float64; compute in their dtype."
    )


def _arrays(value: Any) -> Iterator[np.ndarray]:
    value = plain(value)
    if isinstance(value, (np.ndarray, np.generic, float)):
        yield np.asarray(value)
    for part in (parts(value) or {}).values():
        yield from _arrays(part)


def _layout(wrong: list) -> str | None:
    shapes = [
        (np.shape(plain(got)), np.shape(plain(wanted)))
        for got, wanted in _numeric(wrong)
    ]
    if len(shapes) < len(wrong) or not shapes:
        return None
    differing = [(got, wanted) for got, wanted in shapes if got != wanted]
    if all(_transposed(got, wanted) for got, wanted in wrong):
        return "Your result is the transpose of the one wanted: rows and columns have changed places."
    if not differing:
        return None
    got, wanted = differing[0]
    if all(
        tuple(n for n in a if n != 1) == tuple(n for n in b if n != 1)
        for a, b in differing
    ):
        return (
            f"Your result has shape {got}; wanted {wanted}. An axis of size 1 is too many or too few: look for "
            "`keepdims=True` and `None` in an index."
        )
    if all(np.prod(a) == np.prod(b) for a, b in differing):
        return f"Your result has shape {got}; wanted {wanted}: as many numbers, laid out otherwise."
    return None


def _numeric(wrong: list) -> list:
    return [
        (got, wanted)
        for got, wanted in wrong
        if as_numbers(plain(got), of_arrays=True) is not None
        and as_numbers(plain(wanted)) is not None
    ]


def _transposed(got: Any, wanted: Any) -> bool:
    got = np.asarray(plain(got))
    return got.ndim >= 2 and same(np.swapaxes(got, -1, -2), wanted)


def _along_another_axis(wrong: list) -> str | None:
    """Rows that should sum to 1, and numbers that sum to 1 along an earlier axis in every case."""
    found = [_rows(got, wanted) for got, wanted in wrong]
    rows = [one for one in found if one is not None]
    if len(rows) < len(wrong):
        return None
    for axis in (0, -2):
        sums = [_known_sums(one, axis) for one in rows]
        if all(np.allclose(one, 1) for one in sums) and any(
            sums_of.size and one.ndim > 1 for sums_of, one in zip(sums, rows)
        ):
            return f"Your numbers sum to 1 along axis {axis}; wanted along the last one: sum with axis=-1, keepdims=True."
    return None


def _rows(got: Any, wanted: Any) -> np.ndarray | None:
    """The first array of a result that differs from a wanted one whose rows sum to 1."""
    ours, theirs = list(_arrays(got)), list(_arrays(wanted))
    if [leaf.shape for leaf in ours] != [leaf.shape for leaf in theirs]:
        return None
    return next(
        (
            a
            for a, b in zip(ours, theirs)
            if b.ndim and np.allclose(_known_sums(b, -1), 1) and not same(a, b)
        ),
        None,
    )


def _known_sums(x: np.ndarray, axis: int) -> np.ndarray:
    """The sums along an axis, as far as it is there, but for those that are NaN, and those of nothing but zeros."""
    sums = x.sum(axis=axis) if -axis <= x.ndim else np.zeros(1)
    return sums[~np.isnan(sums) & (sums != 0)]


def _not_a_number(wrong: list) -> str | None:
    if all(_nan(got) and not _nan(wanted) for got, wanted in wrong):
        return "Your result holds NaN, for 0/0, ∞ − ∞ or 0 · ∞: find the step that made it."
    return None


def _nan(value: Any) -> bool:
    return any(
        leaf.dtype.kind == "f" and bool(np.isnan(leaf).any()) for leaf in _arrays(value)
    )


def _factor(wrong: list) -> str | None:
    found = [_ratio(got, wanted) for got, wanted in _numeric(wrong)]
    factors = [factor for factor in found if factor is not None]
    if len(factors) < max(2, len(wrong)) or len(factors) < len(found):
        return None
    if np.ptp(factors) > 1e-9 * abs(factors[0]):
        return _varying_factor(wrong, factors)
    if np.isclose(factors[0], -1):
        return "Your numbers have the wrong sign: each is −1 times the one wanted."
    if abs(factors[0] - 1) < SINGLE:
        return (
            f"Your numbers are nearly the ones wanted, times {factors[0]:.10g} throughout: a constant in your function has "
            "too few digits, or a small number is added where none should be."
        )
    return f"Your numbers are the ones wanted, times {factors[0]:.6g} throughout."


def _varying_factor(wrong: list, factors: list) -> str | None:
    if sum(np.size(plain(wanted)) > 1 for _, wanted in wrong) < 2:
        return None  # a single number is always the other one times something
    some = ", ".join(
        f"{factor:.3g}" for factor in list(dict.fromkeys(np.round(factors, 6)))[:3]
    )
    return (
        f"In each case your numbers are the ones wanted times one factor ({some}, …), another in each case: perhaps a division "
        "or a root of some size is missing or too many."
    )


def _ratio(got: Any, wanted: Any) -> float | None:
    got, wanted = (
        np.ravel(plain(got)).astype(float),
        np.ravel(plain(wanted)).astype(float),
    )
    if got.shape != wanted.shape or not np.any(wanted):
        return None
    at = np.abs(wanted).argmax()
    ratio = float(got[at] / wanted[at])
    return (
        ratio
        if ratio != 0 and np.isfinite(ratio) and same(got, ratio * wanted)
        else None
    )


def _by_arguments(mine: Callable, like: Callable, pairs: list) -> Iterator[str]:
    signature = inspect.signature(like)
    yield from _deaf_to_numbers(mine, like, signature, pairs)
    right = [same(call.output, wanted) for call, wanted in pairs]
    for name, parameter in signature.parameters.items():
        if parameter.default is parameter.empty:
            continue
        given = [
            signature.bind(*call.arguments, **call.settings).arguments.get(name)
            is not None
            for call, _ in pairs
        ]
        if any(given) and all(ok for ok, was in zip(right, given) if was):
            if parameter.default is None or _right_once_given(mine, signature, pairs):
                yield _right_where_given(name, parameter)
        elif all(
            _as_if_left_out(like, signature, name, call)
            for (call, _), ok, was in zip(pairs, right, given)
            if was or not ok
        ):
            yield f"You ignore `{name}`: your result is the same whatever it is."


def _deaf_to_numbers(
    mine: Callable, like: Callable, signature: inspect.Signature, pairs: list
) -> Iterator[str]:
    """Each number among the arguments that may be one larger, and far away, without any influence on the reader's results."""
    calls = [call for call, _ in [*pairs[: TRIED - 1], *pairs[-1:]]]
    for name, parameter in signature.parameters.items():
        if parameter.default is not parameter.empty:
            continue
        if not all(_is_number(signature, name, call) for call in calls):
            continue
        changed = [
            (call, one)
            for change in (_one_larger, _far)
            for call in calls
            if not _raises(like, one := _with(signature, name, change, call))
        ]
        if any(_answers(like, *pair) for pair in changed) and not any(
            _answers(mine, *pair) for pair in changed
        ):
            yield f"You ignore `{name}`: your result is the same whatever it is."


def _is_number(signature: inspect.Signature, name: str, call: Call) -> bool:
    bound = signature.bind(*call.arguments, **call.settings)
    return type(bound.arguments[name]) in (int, float)


def _one_larger(number: Any) -> Any:
    return number + 1


def _far(number: Any) -> Any:
    """Another number, clearly: 1 for a whole one, since it may be a size, which no large one is to be tried of."""
    return 1 if isinstance(number, int) else 1000 * number


def _with(
    signature: inspect.Signature, name: str, change: Callable, call: Call
) -> Call:
    bound = signature.bind(*call.arguments, **call.settings)
    bound.arguments[name] = change(bound.arguments[name])
    return Call(bound.args, bound.kwargs, None)


def _raises(function: Callable, call: Call) -> bool:
    return isinstance(tried(function, call), Exception)


def _answers(function: Callable, call: Call, changed: Call) -> bool:
    """Whether a function gives something else when one of its arguments is changed."""
    return not same(tried(function, changed), tried(function, call))


def tried(function: Callable, call: Call) -> Any:
    """What a function gives, or the exception that it ends in: a reader's own may, and so does one of ours out of bounds."""
    try:
        return wanted_of(function, call)
    except Exception as exception:
        return exception


def _right_once_given(
    mine: Callable, signature: inspect.Signature, pairs: list
) -> bool:
    """Whether the reader's function is right in every call when it is told the defaults that are wanted."""
    return all(same(_told(mine, signature, call), wanted) for call, wanted in pairs)


def _told(mine: Callable, signature: inspect.Signature, call: Call) -> Any:
    bound = signature.bind(*call.arguments, **call.settings)
    bound.apply_defaults()
    return tried(mine, Call(bound.args, bound.kwargs, None))


def _right_where_given(name: str, parameter: inspect.Parameter) -> str:
    if parameter.default is None:
        return f"Your function is right where `{name}` is given, and wrong where it is left out (None)."
    default = getattr(parameter.default, "__name__", repr(parameter.default))
    return f"Your function is right where `{name}` is given; its default is another than {default}."


def _as_if_left_out(
    like: Callable, signature: inspect.Signature, name: str, call: Call
) -> bool:
    bound = signature.bind(*call.arguments, **call.settings)
    if bound.arguments.pop(name, None) is None:
        return False
    bound.apply_defaults()
    return same(call.output, tried(like, Call(bound.args, bound.kwargs, None)))
