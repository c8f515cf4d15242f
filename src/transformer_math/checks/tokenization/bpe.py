"""Checks of byte-pair encoding, against Hugging Face `tokenizers` and by brute force."""

import json
from collections import Counter

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, smallest
from transformer_math.tokenization._symbols import symbols_of
from transformer_math.tokenization.bpe import BPE, encode_bpe, pair_counts, train_bpe
from transformer_math.tokenization.pair_index import merge_pair


def random_words(rng):
    """A few words over a small alphabet, so that pairs repeat, overlap and tie."""
    words = [
        "".join(rng.choice(list("aBcD")[: rng.integers(1, 5)], size=rng.integers(1, 9)))
        for _ in range(1 if smallest() else rng.integers(1, 12))
    ]
    return {word: int(rng.integers(1, 6)) for word in words}


def huggingface_bpe(chunk_counts, vocab_size, alphabet=()):
    """Train Hugging Face's BPE on chunks that are already cut; \ue000, which no chunk holds, stands between them."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Split("\ue000", behavior="removed")
    corpus = "\ue000".join(
        chunk for chunk, count in chunk_counts.items() for _ in range(count)
    )
    tokenizer.train_from_iterator(
        [corpus],
        trainers.BpeTrainer(
            vocab_size=vocab_size, initial_alphabet=list(alphabet), show_progress=False
        ),
    )
    return tokenizer


def learnt(tokenizer):
    """The tokens by id and the merges by rank of a Hugging Face tokenizer."""
    model = json.loads(tokenizer.to_str())["model"]
    return sorted(model["vocab"], key=model["vocab"].get), [
        tuple(pair) for pair in model["merges"]
    ]


@check(
    pair_counts,
    equation="eq-pair-count",
    oracle="going through the whole corpus, word by word",
    cases=80,
)
def pair_counts_equal_brute_force(pair_counts, rng):
    corpus = random_words(rng)
    wanted: dict = {}
    for word in (word for word, count in corpus.items() for _ in range(count)):
        for i in range(len(word) - 1):
            wanted[word[i], word[i + 1]] = wanted.get((word[i], word[i + 1]), 0) + 1
    return difference(sorted(pair_counts(corpus).items()), sorted(wanted.items()))


@pair_counts_equal_brute_force.rejects(
    "You count each distinct word once: multiply by how often the word stands in the corpus."
)
def words_once(corpus):
    return Counter(pair for word in corpus for pair in zip(word, word[1:]))


@pair_counts_equal_brute_force.rejects(
    "You count pairs that span two words: a pair must lie inside one word."
)
def across_words(corpus):
    text = "".join(word * count for word, count in corpus.items())
    return Counter(zip(text, text[1:]))


@pair_counts_equal_brute_force.rejects(
    "You skip overlapping pairs: “aaa” holds the pair (a, a) twice."
)
def without_overlap(corpus):
    counts: Counter = Counter()
    for word, count in corpus.items():
        i = 0
        while i < len(word) - 1:
            counts[word[i], word[i + 1]] += count
            i += 1 + (word[i] == word[i + 1])
    return counts


def train_by_recounting(corpus, vocab_size, alphabet, key, counts=pair_counts):
    """BPE as slowly as it is defined, with any rule for the choice of the pair: the material of wrong versions."""
    tokens = list(alphabet or sorted({c for word in corpus for c in word}))
    words = {word: tuple(tokens.index(c) for c in word) for word in corpus}
    merges: dict = {}
    while len(tokens) < vocab_size:
        found = counts(_joined(words, corpus))
        if not found:
            break
        pair = max(found, key=lambda pair: key(found, pair, tokens))
        token = tokens[pair[0]] + tokens[pair[1]]
        if token not in tokens:
            tokens.append(token)
        merges[pair] = tokens.index(token)
        words = {
            word: tuple(merge_pair(ids, pair, merges[pair]))
            for word, ids in words.items()
        }
    return BPE(tuple(tokens), merges)


def _joined(words, corpus):
    joined: Counter = Counter()
    for word, ids in words.items():
        joined[ids] += corpus[word]
    return joined


def _made(bpe):
    """The token that each merge makes, by the id that it maps to."""
    return [bpe.tokens[i] for i in bpe.merges.values()]


def _with_what_is_made(tokens, pairs):
    return [tokens, pairs, [a + b for a, b in pairs]]


@check(
    train_bpe,
    equation="eq-bpe-train",
    oracle="the trainer of Hugging Face tokenizers",
    cases=60,
)
def bpe_equals_huggingface(train_bpe, rng):
    corpus = random_words(rng)
    vocab_size = len({c for word in corpus for c in word}) + int(rng.integers(10))
    bpe = train_bpe(corpus, vocab_size)
    return difference(
        [list(bpe.tokens), bpe.pairs(), _made(bpe)],
        _with_what_is_made(*learnt(huggingface_bpe(corpus, vocab_size))),
    )


@check(
    train_bpe,
    equation="eq-bpe-train",
    oracle="the trainer of Hugging Face tokenizers, with a given alphabet",
)
def bpe_with_alphabet_equals_huggingface(train_bpe, rng):
    corpus, letters = random_words(rng), "BDacefg"
    alphabet = rng.permutation(list(letters)).tolist()
    rename, back = (
        str.maketrans("".join(alphabet), letters),
        str.maketrans(letters, "".join(alphabet)),
    )
    renamed = {word.translate(rename): count for word, count in corpus.items()}
    vocab_size = len(letters) + int(rng.integers(10))
    tokens, merges = learnt(huggingface_bpe(renamed, vocab_size, letters))
    bpe = train_bpe(corpus, vocab_size, alphabet)
    return difference(
        [list(bpe.tokens), bpe.pairs(), _made(bpe)],
        _with_what_is_made(
            [token.translate(back) for token in tokens],
            [(a.translate(back), b.translate(back)) for a, b in merges],
        ),
    )


@bpe_with_alphabet_equals_huggingface.rejects(
    "You ignore the alphabet: the vocabulary starts from it, in its order, also with symbols that the corpus lacks."
)
def alphabet_ignored(corpus, vocab_size, alphabet=None):
    return train_bpe(corpus, vocab_size)


@bpe_with_alphabet_equals_huggingface.rejects(
    "You sort the alphabet: its order gives the ids, and ids decide ties."
)
def alphabet_sorted(corpus, vocab_size, alphabet=None):
    return train_bpe(corpus, vocab_size, alphabet and sorted(alphabet))


@bpe_equals_huggingface.rejects(
    "Ties go to the pair with the largest ids in your version; wanted the smallest."
)
def ties_to_the_largest(corpus, vocab_size, alphabet=None):
    return train_by_recounting(
        corpus, vocab_size, alphabet, lambda found, pair, tokens: (found[pair], pair)
    )


@bpe_equals_huggingface.rejects(
    "Ties go to the pair that comes first in the alphabet of its tokens; wanted the smallest ids."
)
def ties_by_spelling(corpus, vocab_size, alphabet=None):
    def key(found, pair, tokens):
        return found[pair], [[-ord(c) for c in tokens[i]] for i in pair]

    return train_by_recounting(corpus, vocab_size, alphabet, key)


@bpe_equals_huggingface.rejects(
    "Ties go to the pair that is met first in the corpus, as `max` or `most_common` takes it; wanted the smallest ids."
)
def ties_to_the_first_seen(corpus, vocab_size, alphabet=None):
    return train_by_recounting(
        corpus, vocab_size, alphabet, lambda found, pair, tokens: found[pair]
    )


@bpe_equals_huggingface.rejects(
    "You stop after one merge: go on until the vocabulary has `vocab_size` tokens, or no pair is left."
)
def one_merge_only(corpus, vocab_size, alphabet=None):
    symbols = alphabet or {c for word in corpus for c in word}
    return train_bpe(corpus, min(vocab_size, len(symbols) + 1), alphabet)


@bpe_equals_huggingface.rejects(
    "You make `vocab_size` merges; the vocabulary has that many tokens, its alphabet included."
)
def that_many_merges(corpus, vocab_size, alphabet=None):
    symbols = alphabet or {c for word in corpus for c in word}
    return train_bpe(corpus, vocab_size + len(symbols), alphabet)


@bpe_equals_huggingface.rejects(
    "You merge the rarest pair: BPE merges the most frequent one."
)
def rarest_first(corpus, vocab_size, alphabet=None):
    return train_by_recounting(
        corpus,
        vocab_size,
        alphabet,
        lambda found, pair, tokens: (-found[pair], -pair[0], -pair[1]),
    )


@bpe_equals_huggingface.rejects(
    "You count each distinct word once: its count in the corpus must weigh in."
)
def unweighted(corpus, vocab_size, alphabet=None):
    def key(found, pair, tokens):
        return found[pair], -pair[0], -pair[1]

    return train_by_recounting(dict.fromkeys(corpus, 1), vocab_size, alphabet, key)


@bpe_equals_huggingface.rejects(
    "You never count anew: after a merge the counts of its neighbours change."
)
def counts_of_the_start(corpus, vocab_size, alphabet=None):
    tokens = list(alphabet or sorted({c for word in corpus for c in word}))
    found = pair_counts(corpus)
    pairs = sorted(found, key=lambda pair: (-found[pair], pair))[
        : max(0, vocab_size - len(tokens))
    ]
    merged = dict.fromkeys(a + b for a, b in pairs)
    all_tokens = [*tokens, *merged]
    return BPE(
        tuple(all_tokens),
        {(tokens.index(a), tokens.index(b)): all_tokens.index(a + b) for a, b in pairs},
    )


def learnt_bpe(rng, corpus):
    """Merges that Hugging Face learnt: its tokenizer, the same merges as a `BPE`, and the letters."""
    tokenizer = huggingface_bpe(corpus, vocab_size=4 + int(rng.integers(12)))
    tokens, merges = learnt(tokenizer)
    number = {token: i for i, token in enumerate(tokens)}
    bpe = BPE(tuple(tokens), {(number[a], number[b]): number[a + b] for a, b in merges})
    return tokenizer, bpe, [token for token in tokens if len(token) == 1]


@check(
    encode_bpe,
    equation="eq-bpe-encode",
    oracle="the encoder of Hugging Face tokenizers",
    cases=60,
)
def encoding_equals_huggingface(encode_bpe, rng):
    tokenizer, bpe, letters = learnt_bpe(rng, random_words(rng))
    chunks = [
        "".join(rng.choice(letters, size=rng.integers(1, 12)))
        for _ in range(1 if smallest() else 4)
    ]
    wanted = tokenizer.encode("\ue000".join(chunks)).ids
    if not longest():
        return difference(list(encode_bpe(chunks, bpe)), wanted)
    in_bytes = BPE(tuple(token.encode() for token in bpe.tokens), bpe.merges)
    of_bytes = encode_bpe([chunk.encode() for chunk in chunks], in_bytes)
    knowing = BPE((*bpe.tokens, "[UNK]"), bpe.merges)
    strange = [f"{chunk}?{chunk}!?" for chunk in chunks]
    return worst(
        (
            difference(list(of_bytes), wanted),
            difference(
                list(encode_bpe(strange, knowing)), with_unknown(strange, knowing)
            ),
        )
    )


encoding_equals_huggingface.visits(
    "a character that is not in the vocabulary",
    lambda chunks, bpe: not set().union(*chunks) <= set(bpe.tokens),
)


def with_unknown(chunks, bpe):
    """What Hugging Face's encoder makes of chunks, with [UNK] for what it does not know."""
    vocabulary = {token: i for i, token in enumerate(bpe.tokens)}
    model = models.BPE(vocabulary, bpe.pairs(), unk_token="[UNK]")
    return [i for chunk in chunks for i in Tokenizer(model).encode(chunk).ids]


@encoding_equals_huggingface.rejects(
    "You drop the characters that are not in the vocabulary: each becomes [UNK], where that token is there."
)
def unknown_dropped(chunks, bpe):
    known = [
        type(chunk)().join(one for one in symbols_of(chunk) if one in bpe.tokens)
        for chunk in chunks
    ]
    return encode_bpe(known, bpe)


def _longest_first(chunk, bpe):
    while chunk:
        token = max((token for token in bpe.tokens if chunk.startswith(token)), key=len)
        yield bpe.tokens.index(token)
        chunk = chunk[len(token) :]


@encoding_equals_huggingface.rejects(
    "You take the longest token that fits, as WordPiece does; BPE applies its merges by rank."
)
def longest_match(chunks, bpe):
    return [i for chunk in chunks for i in _longest_first(chunk, bpe)]


def _merge_by(chunks, bpe, order):
    out = []
    for chunk in chunks:
        ids = [bpe.tokens.index(c) for c in chunk]
        for pair in order(list(bpe.merges)):
            ids = merge_pair(ids, pair, bpe.merges[pair])
        out += ids
    return out


@encoding_equals_huggingface.rejects(
    "You apply the merges learnt last first; wanted the order in which they were learnt."
)
def last_learnt_first(chunks, bpe):
    return _merge_by(chunks, bpe, lambda pairs: pairs[::-1])


@encoding_equals_huggingface.rejects(
    "You leave the characters as they are: apply the merges."
)
def no_merges(chunks, bpe):
    return _merge_by(chunks, bpe, lambda pairs: [])


@encoding_equals_huggingface.rejects(
    "You go from left to right and merge the first pair you know; wanted the pair of lowest rank anywhere."
)
def leftmost_first(chunks, bpe):
    out = []
    for chunk in chunks:
        ids = [bpe.tokens.index(c) for c in chunk]
        while (
            at := next(
                (i for i, pair in enumerate(zip(ids, ids[1:])) if pair in bpe.merges),
                None,
            )
        ) is not None:
            ids[at : at + 2] = [bpe.merges[ids[at], ids[at + 1]]]
        out += ids
    return out


@bpe_equals_huggingface.rejects(
    "Your merges map each pair to its rank; wanted the id of the new token, which is its place among the tokens."
)
def ranks_for_ids(corpus, vocab_size, alphabet=None):
    bpe = train_bpe(corpus, vocab_size, alphabet)
    return BPE(bpe.tokens, {pair: rank for rank, pair in enumerate(bpe.merges)})


@bpe_equals_huggingface.rejects(
    "You number the characters as they are met; without an alphabet they are numbered in the order of their code points."
)
def alphabet_as_met(corpus, vocab_size, alphabet=None):
    met = dict.fromkeys(c for word in corpus for c in word)
    return train_bpe(corpus, vocab_size, alphabet or list(met))


def _counted(corpus, pairs_of):
    counts: Counter = Counter()
    for word, count in corpus.items():
        for pair in pairs_of(word):
            counts[pair] += count
    return counts


@pair_counts_equal_brute_force.rejects(
    "You count a pair once in each word; “aaa” holds the pair (a, a) twice."
)
def once_in_each_word(corpus):
    return _counted(corpus, lambda word: set(zip(word, word[1:])))


@pair_counts_equal_brute_force.rejects(
    "Your keys are texts, such as “ab”; wanted pairs, such as (“a”, “b”): later the two parts may be longer."
)
def texts_for_pairs(corpus):
    counts: Counter = Counter()
    for (a, b), count in pair_counts(corpus).items():
        counts[a + b] += count
    return counts


@pair_counts_equal_brute_force.rejects(
    "You leave out the last pair of each word: a word of n characters has n − 1 pairs."
)
def last_pair_lost(corpus):
    return _counted(corpus, lambda word: list(zip(word, word[1:]))[:-1])


@pair_counts_equal_brute_force.rejects(
    "You cut words into pairs that do not overlap; each character but the last begins a pair."
)
def side_by_side(corpus):
    return _counted(corpus, lambda word: zip(word[::2], word[1::2]))


@encoding_equals_huggingface.rejects(
    "You merge across chunks: each chunk is encoded by itself."
)
def merged_across_chunks(chunks, bpe):
    return encode_bpe(["".join(chunks)], bpe)


@encoding_equals_huggingface.rejects(
    "You make one merge and stop: look again at all neighbours, until none of the pairs is known."
)
def one_merge_for_each_chunk(chunks, bpe):
    ids: list = []
    for chunk in chunks:
        parts = [bpe.tokens.index(character) for character in chunk]
        known = [pair for pair in bpe.merges if pair in zip(parts, parts[1:])]
        ids += merge_pair(parts, known[0], bpe.merges[known[0]]) if known else parts
    return ids
