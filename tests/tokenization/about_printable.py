"""What the tests of all ideas ask of `tokenization/printable`."""

import numpy as np

from transformer_math.tokenization import printable, printable_code_point, unprintable

EXAMPLES = {
    printable: {"token": b" hi"},
    unprintable: {"text": "Ġhi"},
}

ACCEPTED = {
    unprintable: {"text": {"empty"}},
    printable_code_point: {"byte": {"0"}},
}

RIGHT = [
    (
        printable_code_point,
        lambda byte: (
            byte
            + (256 if byte < 33 else 162 if 126 < byte < 161 else 150 * (byte == 173))
        ),
    ),
    (printable_code_point, lambda byte: np.int64(printable_code_point(byte))),
]

WRONG = [
    (printable_code_point, lambda byte: byte, "it gave"),
    (printable_code_point, lambda byte: chr(printable_code_point(byte)), "it gave"),
    (printable_code_point, lambda byte: byte + 256 * (byte < 33), "it gave"),
    (
        printable_code_point,
        lambda byte: byte if chr(byte).isprintable() else printable_code_point(byte),
        "You leave the space, 32, where it is",
    ),
    (
        printable_code_point,
        lambda byte: byte if chr(byte).isascii() else printable_code_point(byte),
        "it gave",
    ),
]
