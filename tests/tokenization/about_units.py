"""What the tests of all ideas ask of `tokenization/units`."""

import re

import numpy as np

from transformer_math.tokenization import (
    build_vocabulary,
    characters,
    ids_to_tokens,
    tokens_to_ids,
    unknown_share,
    words,
)

EXAMPLES = {
    characters: {"text": "Hi"},
    ids_to_tokens: {"ids": [1, 0], "vocabulary": {"a": 0, "b": 1}},
    tokens_to_ids: {"tokens": ["a"], "vocabulary": {"a": 0}},
}

ACCEPTED = {
    unknown_share: {"unknown": {"-1", "0"}},
}

RIGHT = [
    (words, lambda text: tuple(words(text))),
    (
        words,
        lambda text: [
            run for run in re.findall(r"\s+|\w+|[^\w\s]", text) if not run.isspace()
        ],
    ),
    (
        build_vocabulary,
        lambda t, specials=(): dict(reversed(build_vocabulary(t, specials).items())),
    ),
    (
        build_vocabulary,
        lambda t, specials=(): {
            w: i
            for i, w in enumerate(
                sorted(
                    {*t, *specials},
                    key=lambda w: (
                        w not in specials,
                        [*specials].index(w) if w in specials else 0,
                        w,
                    ),
                )
            )
        },
    ),
    (unknown_share, lambda ids, unknown: list(ids).count(unknown) / len(ids)),
    (unknown_share, lambda ids, u: float(np.mean([i == u for i in ids]))),
]

WRONG = [
    (words, lambda t: list(t), "it gave"),
    (words, lambda t: words(t.upper()), "it gave"),
    (words, lambda t: sorted(words(t)), "it gave"),
    (words, lambda t: list(dict.fromkeys(words(t))), "it gave"),
    (words, lambda t: " ".join(words(t)), "it gave"),
    (words, lambda t: words(t)[:-1], "it gave"),
    (build_vocabulary, lambda t, specials=(): sorted({*specials, *t}), "it gave"),
    (
        build_vocabulary,
        lambda t, specials=(): {w: i for i, w in enumerate([*specials, *sorted(t)])},
        "it gave",
    ),
    (
        build_vocabulary,
        lambda t, specials=(): {w: i for i, w in enumerate(sorted({*specials, *t}))},
        "it gave",
    ),
    (
        build_vocabulary,
        lambda t, specials=(): {
            w: i for i, w in enumerate([*specials, *sorted(set(t), reverse=True)])
        },
        "it gave",
    ),
    (build_vocabulary, lambda t: build_vocabulary(t), "takes 1 of 2 arguments"),
    (unknown_share, lambda ids, u: sum(i == u for i in set(ids)) / len(ids), "it gave"),
    (unknown_share, lambda ids, u: 100 * unknown_share(ids, u), "it gave"),
    (unknown_share, lambda ids, u: round(unknown_share(ids, u)), "it gave"),
    (unknown_share, lambda ids, u: float(u in ids), "it gave"),
    (unknown_share, lambda ids, u: sum(i > u for i in ids) / len(ids), "it gave"),
]
