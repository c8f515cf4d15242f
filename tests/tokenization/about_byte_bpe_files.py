"""What the tests of all ideas ask of `tokenization/byte_bpe_files`."""

import json
from base64 import b64encode

from example_values import octets

from transformer_math.tokenization import (
    LLAMA3_PATTERN,
    from_tiktoken,
    from_vocab_and_merges,
    printable,
)

EXAMPLES = {
    from_vocab_and_merges: {
        "vocab": json.dumps({printable(o): i for i, o in enumerate(octets.tokens)}),
        "merges": "",
        "pattern": LLAMA3_PATTERN,
    },
    from_tiktoken: {
        "ranks": "\n".join(
            f"{b64encode(o).decode()} {i}" for i, o in enumerate(octets.tokens[:256])
        ),
        "pattern": LLAMA3_PATTERN,
        "specials": {},
    },
}

ACCEPTED = {
    from_vocab_and_merges: {"merges": {"empty"}},
}

EQUIVALENT = {
    "_token_and_rank": {
        ":18 → :17": "Either number is beyond the ranks of any file, and refused.",
        ":18 → :19": "Either number is beyond the ranks of any file, and refused.",
    },
}
