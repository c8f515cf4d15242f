"""What a signature says holds when the function runs: shapes, dtypes, values, bounds. Whatever breaks it is refused in words.

`@contract` above a function reads the annotations of its arguments:

- arrays are jaxtyping's, `Float[np.ndarray, "... n d_k"]`: a letter has one size in all arguments, `...` stands for the
  same leading axes in all of them, `#n` for n or 1, `*#rows` for axes that spread over `*rows`; a letter that is also the
  name of a whole number among the arguments has its value;
- `Float` takes finite numbers and turns integers into float64; `Int` and `Bool` take what they say;
- `Size`, `Positive`, … are numbers with bounds; a dataclass of parameters is looked into, field by field;
- `Callable[[A], B]` is a function that the caller passes in: each of its answers is held to B as an argument would be;
  a letter of both A and B has one size;
- what is returned is finite, too; -inf only where the annotation says `OrMinusInfinity`, and ∞ where
  it says `NumberOrInfinity`;
- what no annotation can say stands below it, as `@requires(condition, message)`, or, where another function of the same
  arguments says it already, as `@requires_as(function)`;
- `@twin` in its place is for functions that return `(value, pullback)`: the pullback takes a gradient of the value's form.

Values are looked at where a call comes in from outside; calls among the package's own functions compare shapes alone.
"""

from transformer_math.contract.arrays import (
    ATTENTION_WEIGHTS,
    DISTRIBUTION,
    SOMETHING_FINITE,
    Finite,
    Holds,
    OrMinusInfinity,
)
from transformer_math.contract.decorator import contract, requires, requires_as
from transformer_math.contract.scalars import (
    POSITIVE,
    EvenSize,
    Fraction,
    NonNegative,
    Number,
    NumberOrInfinity,
    Positive,
    Size,
    Text,
    Whole,
)
from transformer_math.contract.twins import Pullback, twin

__all__ = [
    "ATTENTION_WEIGHTS",
    "DISTRIBUTION",
    "POSITIVE",
    "SOMETHING_FINITE",
    "EvenSize",
    "Finite",
    "Fraction",
    "Holds",
    "NonNegative",
    "Number",
    "NumberOrInfinity",
    "OrMinusInfinity",
    "Positive",
    "Pullback",
    "Size",
    "Text",
    "Whole",
    "contract",
    "requires",
    "requires_as",
    "twin",
]
