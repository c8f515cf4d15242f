"""How the formula of UTF-8 is read."""

from transformer_math.formulas.reading import reading
from transformer_math.tokenization.utf8 import utf8_bytes


@reading("eq-utf8")
def borders_too(a, outputs, arguments):
    """The random characters, and the first ones that need a byte more."""
    yield a, {"result": outputs[0]}
    for border in (0x80, 0x800, 0x10000):
        yield {"c": border}, {"result": utf8_bytes(border)}
