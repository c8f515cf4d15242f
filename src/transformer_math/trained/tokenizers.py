"""One tokenizer of each kind that has read *Moby-Dick*, with at most 1,024 tokens: what the playground cuts with.

`python -m transformer_math.trained.tokenizers` trains them; `tokenizers()` reads what came out.
"""

import json
from collections.abc import Mapping
from functools import cache

from transformer_math.corpus import moby_dick, split_held_out
from transformer_math.tokenization.tokenizer_json import from_json, to_json
from transformer_math.tokenization.tokenizers import (
    BPETokenizer,
    ByteBPETokenizer,
    ByteTokenizer,
    CharacterTokenizer,
    SentencePieceTokenizer,
    Tokenizer,
    UnigramTokenizer,
    WordPieceTokenizer,
    WordTokenizer,
)
from transformer_math.trained.committed import FOLDER

FILE = FOLDER / "tokenizers.json"
KINDS: Mapping[str, type[Tokenizer]] = {
    "characters": CharacterTokenizer,
    "words": WordTokenizer,
    "bytes": ByteTokenizer,
    "byte_bpe": ByteBPETokenizer,
    "bpe": BPETokenizer,
    "word_piece": WordPieceTokenizer,
    "unigram": UnigramTokenizer,
    "sentencepiece": SentencePieceTokenizer,
}
VOCAB_SIZE = 1024
DECIMALS = 5  # of log-probabilities: they travel


def train(name: str) -> Tokenizer:
    """Learn the tokenizer of that name from nine tenths of its paragraphs."""
    training, _ = split_held_out(moby_dick())
    learnt = KINDS[name].train(training, VOCAB_SIZE)
    return rounded(learnt) if isinstance(learnt, UnigramTokenizer) else learnt


def rounded(tokenizer: UnigramTokenizer) -> UnigramTokenizer:
    """The same pieces, their log-probabilities in few digits."""
    scores = tokenizer.unigram.log_probabilities.round(DECIMALS)
    return UnigramTokenizer(tokenizer.unigram._replace(log_probabilities=scores))


@cache
def tokenizers() -> dict[str, Tokenizer]:
    """The tokenizers by name, from the committed file."""
    found = json.loads(FILE.read_text("utf-8"))
    return {name: from_json(json.dumps(found[name])) for name in KINDS}


def write() -> None:
    """Train all of them and write the committed file, a line for each."""
    lines = [f"{json.dumps(name)}: {to_json(train(name))}" for name in KINDS]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8", newline="")


if __name__ == "__main__":
    write()
