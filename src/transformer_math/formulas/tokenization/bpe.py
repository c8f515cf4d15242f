"""How the formulas of byte-pair encoding are read."""

from collections.abc import Callable
from itertools import islice, product

import numpy as np

from transformer_math.formulas.reading import calls_reading
from transformer_math.formulas.texts import MOST_STEPS, corpus, must_agree, steps, table
from transformer_math.tokenization.pair_index import merge_pair


@calls_reading("eq-pair-count")
def pairs_of_the_corpus(calls):
    """Tokens become ids; one pair that stands in the corpus, and one that does not."""
    for call in calls:
        word_counts = call.arguments[0]
        tokens = sorted({token for word in word_counts for token in word})
        ids = {token: number for number, token in enumerate(tokens)}
        spelled = [[ids[token] for token in word] for word in word_counts]
        given = corpus(spelled, word_counts.values())
        inside = dict.fromkeys(pair for w in word_counts for pair in zip(w, w[1:]))
        missing = (pair for pair in product(tokens, tokens) if pair not in inside)
        for a, b in [*list(inside)[:2], *islice(missing, 1)]:
            count = call.output.get((a, b), 0)
            yield given | {"a": ids[a], "b": ids[b]}, {"result": count}


@calls_reading("eq-bpe-train")
def merge_after_merge(calls):
    """One case for each of the first merges that were learnt: the corpus as the merges before it leave it."""
    for call in calls:
        counts, bpe = call.arguments[0], call.output
        if isinstance(counts, str):
            continue  # a text, which is cut into words first
        symbols = [token for token in bpe.tokens if len(token) == 1]
        words = [
            [symbols.index(word[i : i + 1]) for i in range(len(word))]
            for word in counts
        ]
        known = len(symbols)
        for (a, b), made in islice(bpe.merges.items(), MOST_STEPS):
            given = corpus(words, counts.values()) | {"mathcal:V": list(range(known))}
            yield given, {"a": a, "b": b}
            words = [merge_pair(word, (a, b), made) for word in words]
            known = max(known, made + 1)


@calls_reading("eq-bpe-encode")
def merges_in_a_chunk(calls):
    """One case for each step in a chunk; the steps must end in the ids that the function gives."""
    for call in calls:
        chunks, bpe = call.arguments
        known = {token: number for number, token in enumerate(bpe.tokens)}
        ranks = {pair: rank for rank, pair in enumerate(bpe.merges)}
        ends: list[int] = []
        for chunk in chunks:
            parts = [
                known.get(chunk[i : i + 1], known.get("[UNK]"))
                for i in range(len(chunk))
            ]
            for i, values in steps(parts, _ranked(ranks), min):
                given = {"x": list(parts), "n": len(parts), "rank": table(values)}
                yield given, {"i": i}
                parts[i : i + 2] = [bpe.merges[parts[i], parts[i + 1]]]
            ends += parts
        must_agree(ends, list(call.output))


def _ranked(ranks: dict) -> Callable:
    return lambda a, b: ranks.get((a, b), np.inf)
