"""How the formula of printable bytes is read."""

from transformer_math.formulas.reading import calls_reading
from transformer_math.tokenization.printable import printable_code_point


@calls_reading("eq-printable")
def every_byte(calls):
    """All of them are few."""
    for byte in range(256):
        yield {"x": byte}, {"result": printable_code_point(byte)}
