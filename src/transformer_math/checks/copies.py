"""Whether a function is another one under other names, or only calls it, as their compiled code shows."""

import dis
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from inspect import getclosurevars, unwrap
from itertools import count, pairwise
from types import CodeType, FunctionType
from typing import Any

Step = tuple[str, Any]  # what is done, and to what

VARIABLE = re.compile(r"(LOAD|STORE|DELETE)_(?:FAST|DEREF)")
JUMPS = {*dis.hasjrel, *dis.hasjabs}
CALLS = {"PRECALL", "KW", "CALL", "BUILD", "DICT"}
CALLING = {"RESUME", "LOAD", "STORE", "RETURN"} | CALLS
OF_PLACES = {"MAKE_CELL", "COPY_FREE_VARS", "LOAD_CLOSURE"}
SILENT = {"NOP", "CACHE", "EXTENDED_ARG", "PUSH_NULL"} | OF_PLACES


def same_code(mine: Callable, like: Callable) -> bool:
    """Whether two functions run the same code but for the names of arguments and variables.

    Their own names, decorators, docstrings, annotations and comments make no difference, nor does a second name for a
    variable. A function that is not written in Python, as NumPy's are, has no code to compare.

    >>> same_code(lambda x: x + 1, lambda number: number + 1), same_code(lambda x: x + 1, lambda x: 1 + x)
    (True, False)
    """
    ours, theirs = _code_of(mine), _code_of(like)
    if ours is None or theirs is None:
        return False
    return _numbered(ours) == _numbered(theirs)


def only_calls(mine: Callable, like: Callable) -> bool:
    """Whether a function is the other one itself, or does nothing but call, and calls it.

    >>> only_calls(lambda x: abs(float(x)), abs), only_calls(lambda x: abs(x) + 1, abs)
    (True, False)
    """
    code, mine, like = _code_of(mine), unwrap(mine), unwrap(like)
    if code is None or mine is like:
        return mine is like
    verbs = {step.opname.split("_")[0] for step in _instructions(code)}
    names = getclosurevars(mine)
    known = {**names.nonlocals, **names.globals, **names.builtins}.values()
    called = (unwrap(one) for one in known if callable(one))
    return verbs <= CALLING and any(one is like for one in called)


def _code_of(function: Callable) -> CodeType | None:
    """What a function was compiled to, without its decorators."""
    inner = unwrap(function)
    return inner.__code__ if isinstance(inner, FunctionType) else None


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """What the code does, without what only keeps its place or makes room."""
    return (step for step in dis.get_instructions(code) if step.opname not in SILENT)


def _numbered(code: CodeType, outer: Callable = str, depth: int = 0) -> list[Step]:
    """The steps of the code with numbers for its variables, as they come; functions inside it are numbered within."""
    steps = list(_steps(code))
    second = _second_names(steps)
    number: defaultdict[str, int] = defaultdict(count().__next__)

    def place(name: str) -> Any:
        if name in code.co_freevars:
            return outer(name)
        return depth, number[second.get(name, name)]

    def without_names(verb: str, value: Any) -> Step:
        if verb in ("LOAD", "STORE", "DELETE"):
            return verb, place(value)
        if isinstance(value, CodeType):
            return verb, _numbered(value, place, depth + 1)
        return verb, repr(value)

    for argument in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        place(argument)
    named = {("STORE", name) for name in second}
    return [
        without_names(*step)
        for step, after in pairwise([*steps, ("", None)])
        if step not in named and after not in named
    ]


def _steps(code: CodeType) -> Iterator[Step]:
    """One thing after the other: what is done to two variables at once is two steps.

    Left out are the places that jumps lead to, which depend on how lines are broken, and the variables that a function
    inside is made with, which come in the order of their names.
    """
    shared = {*code.co_cellvars, *code.co_freevars}
    for step in _instructions(code):
        verbs = VARIABLE.findall(step.opname)
        names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
        handed_on = shared if "FAST" in step.opname else set()
        yield from ((v, n) for v, n in zip(verbs, names) if n not in handed_on)
        if not verbs:
            yield _step(step, code)


def _step(step: dis.Instruction, code: CodeType) -> Step:
    """A step that no variable takes part in; a method is an attribute, as which it is read where its module is imported."""
    if step.opname == "KW_NAMES":  # of the arguments, which Python 3.11 does not tell
        return step.opname, code.co_consts[step.arg or 0]
    verb = step.opname.replace("LOAD_METHOD", "LOAD_ATTR")
    return verb, None if step.opcode in JUMPS else step.argval


def _second_names(steps: list[Step]) -> dict[str, str]:
    """The variables that are a variable under another name, as `p` after `p = parameters`, and never anything else."""
    stored = Counter(value for verb, value in steps if verb in ("STORE", "DELETE"))
    return {
        name: first
        for (load, first), (store, name) in pairwise(steps)
        if (load, store) == ("LOAD", "STORE") and stored[name] == 1 > stored[first]
    }
