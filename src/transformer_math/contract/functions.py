"""Functions that are passed in: `Callable[[Ids], Logits]` says what they are given, and what they have to answer."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from transformer_math.contract.arrays import Sizes
from transformer_math.contract.calls import outside
from transformer_math.contract.scalars import shown


class Function:
    """A function among the arguments. Each of its answers is held to the annotation, as an argument is.

    A letter of what it is given means the same size in its answer; a letter of the answer alone keeps its size from one
    call to the next, such as the V of the logits.
    """

    def __init__(self, given: Sequence[Any], answer: Any) -> None:
        self.given, self.answer = given, answer

    def take(self, name: str, value: Any, sizes: Sizes, scan: bool) -> Callable:
        """The function, whose answers will be looked at if it comes from outside."""
        if not callable(value):
            raise ValueError(
                f"{name} is {shown(value)}; wanted a function. Fix: pass the function itself, without calling it."
            )
        return self._held(name, value) if scan and self.answer is not None else value

    def _held(self, name: str, function: Callable) -> Callable:
        said = f"{name}(…)"
        kept: Sizes = {}

        @wraps(function, updated=())
        def asked(*arguments):
            sizes: Sizes = {}
            for rule, argument in zip(self.given, arguments):
                rule.take("its argument", argument, sizes, False)
            of_arguments = set(sizes)
            sizes = kept | sizes
            answer = outside(function, *arguments)
            answer = self.answer.take(said, answer, sizes, True)
            kept.update((a, b) for a, b in sizes.items() if a not in of_arguments)
            return answer

        return asked


class Parts:
    """Several values in a tuple, such as a value and its pullback, each by its own rule; `more` may follow, of any kind."""

    def __init__(self, rules: Sequence[Any], more: bool) -> None:
        self.rules, self.more = rules, more

    def take(self, name: str, value: Any, sizes: Sizes, scan: bool) -> tuple:
        """The tuple, when it has as many parts as wanted, and each keeps its rule."""
        wanted = len(self.rules)
        if not isinstance(value, tuple) or not self._fits(len(value)):
            came = (
                shown(value) if not isinstance(value, tuple) else f"{len(value)} long"
            )
            least = "at least " * self.more
            raise ValueError(
                f"{name} is {came}; wanted a tuple of {least}{wanted}. "
                "Fix: `return value,` is a tuple of one, `return value, pullback` one of two."
            )
        taken = [
            rule.take(f"{name}[{number}]", part, sizes, scan)
            for number, (rule, part) in enumerate(zip(self.rules, value))
        ]
        return (*taken, *value[wanted:])

    def _fits(self, number: int) -> bool:
        return number == len(self.rules) or (self.more and number > len(self.rules))
