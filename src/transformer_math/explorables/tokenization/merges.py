"""A tokenizer as JavaScript reads it: its merges by rank."""

from transformer_math.tokenization.bpe import BPE


def merges_of(bpe: BPE) -> list[list[int]]:
    """Each merge as [first id, second id, id of the merged token].

    >>> from transformer_math.tokenization import train_byte_bpe
    >>> merges_of(train_byte_bpe("the then there", vocab_size=258))
    [[104, 101, 256], [116, 256, 257]]
    """
    return [[first, second, merged] for (first, second), merged in bpe.merges.items()]
