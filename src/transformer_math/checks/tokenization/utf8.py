"""Checks of UTF-8."""

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.tokenization.utf8 import utf8_bytes

EDGES = (0x0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF)


def random_code_point(rng):
    """An edge between two lengths, or a character whose length is drawn first."""
    if rng.random() < 0.3:
        return int(rng.choice(EDGES))
    low, high = [(0, 0x80), (0x80, 0x800), (0x800, 0xD800), (0x10000, 0x110000)][
        rng.integers(4)
    ]
    return int(rng.integers(low, high))


@check(utf8_bytes, equation="eq-utf8", oracle="CPython's UTF-8 codec", cases=400)
def utf8_equals_cpython(utf8_bytes, rng):
    code_point = random_code_point(rng)
    return difference(
        list(utf8_bytes(code_point)), list(chr(code_point).encode("utf-8"))
    )


@utf8_equals_cpython.rejects(
    "Your continuation bytes lack the mark 10xxxxxx: add 0x80 to each six bits."
)
def unmarked_continuation(c):
    first, *rest = utf8_bytes(c)
    return [first, *(byte - 0x80 for byte in rest)]


@utf8_equals_cpython.rejects(
    "You stop at two bytes too late: two bytes hold eleven bits, c < 0x800."
)
def two_bytes_too_far(c):
    return [0xC0 + (c >> 6), 0x80 + (c & 63)] if 0x800 <= c < 0x1000 else utf8_bytes(c)


@utf8_equals_cpython.rejects(
    "You write characters beyond 0xFFFF as two surrogates (CESU-8); UTF-8 has four bytes for them."
)
def through_surrogates(c):
    if c < 0x10000:
        return utf8_bytes(c)
    high, low = 0xD800 + (c - 0x10000 >> 10), 0xDC00 + (c - 0x10000 & 0x3FF)
    return [
        byte
        for s in (high, low)
        for byte in (0xE0 + (s >> 12), 0x80 + (s >> 6 & 63), 0x80 + (s & 63))
    ]


@utf8_equals_cpython.rejects(
    "Your last six bits come first: the leading byte carries the highest bits."
)
def backwards(c):
    return utf8_bytes(c)[::-1]


@utf8_equals_cpython.rejects(
    "Your first byte has too much room: it holds five bits of the character where two bytes are, four where three are, three where four are."
)
def room_that_never_shrinks(code_point):
    tail = []
    while code_point > 63:
        tail.insert(0, 128 + (code_point & 63))
        code_point >>= 6
    if not tail:
        return [code_point]
    return [(256 - (1 << (7 - len(tail))) + code_point) & 255, *tail]


@utf8_equals_cpython.rejects(
    "Your first byte always says that there are two: 110 stands before two bytes, 1110 before three, 11110 before four."
)
def always_announces_two(code_point):
    first, *tail = utf8_bytes(code_point)
    return [192 + (first & 31) if tail else first, *tail]
