"""Checks of GPT-2's printable bytes, against Unicode's own word on what can be printed."""

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest
from transformer_math.tokenization.printable import printable_code_point

SHOWN = [x for x in range(256) if chr(x).isprintable() and not chr(x).isspace()]
HIDDEN = [x for x in range(256) if x not in SHOWN]


@check(
    printable_code_point,
    equation="eq-printable",
    oracle="counting up from U+0100 through the bytes that Unicode calls unprintable",
    cases=300,
)
def printable_equals_counting(printable_code_point, rng):
    byte = int(rng.choice(HIDDEN if rng.random() < 0.5 else SHOWN))
    some = range(256) if longest() else [byte]
    return difference(
        [printable_code_point(one) for one in some], [counted(one) for one in some]
    )


def counted(byte):
    """The byte itself, or 256 and as many as are hidden before it."""
    return byte if byte in SHOWN else 256 + HIDDEN.index(byte)


@printable_equals_counting.rejects(
    "You move every byte up by 256. What can be printed stays as it is: “a” stands for the byte of “a”."
)
def all_moved(byte):
    return 256 + byte


@printable_equals_counting.rejects(
    "You move each hidden byte up by 256. They are counted without gaps: the byte 127 is the one numbered 33, U+0121."
)
def with_gaps(byte):
    return 256 + byte if byte in HIDDEN else byte


@printable_equals_counting.rejects(
    "You leave the soft hyphen, 173, where it is: it is not printed either."
)
def soft_hyphen_kept(byte):
    return byte if byte == 173 else printable_code_point(byte)


@printable_equals_counting.rejects(
    "You leave the bytes from 127 on where they are: from 127 to 160 stand control codes and a space."
)
def ascii_only(byte):
    return byte if byte > 126 else printable_code_point(byte)


@printable_equals_counting.rejects(
    "You leave the space, 32, where it is: it cannot be seen, and becomes Ġ."
)
def space_kept(byte):
    return byte if byte == 32 else printable_code_point(byte)


@printable_equals_counting.rejects(
    "You leave the space out of the count: it is hidden too, and the 33rd of the hidden bytes."
)
def space_not_counted(byte):
    code_point = printable_code_point(byte)
    return code_point - 1 if code_point > 256 + 32 else code_point


@printable_equals_counting.rejects(
    "You count the byte itself among those before it: byte 0, the first hidden one, becomes 256."
)
def counted_with_itself(byte):
    code_point = printable_code_point(byte)
    return code_point + (code_point > 255)
