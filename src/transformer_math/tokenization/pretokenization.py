"""Cut a text into chunks before any pair is counted, so that no token ever spans two words."""

import re
from collections import Counter

from transformer_math.contract import Text, contract

# A word takes its leading space along; then numbers, then marks; white space at last, less the space that a word takes.
_CHUNK = re.compile(r" ?[^\W\d_]+| ?\d+| ?(?:[^\w\s]|_)+|\s+(?!\S)|\s+")


@contract
def pretokenize(text: Text) -> list[str]:
    """Cut a text into chunks that a merge must not cross; together they are the text, to the last space.

    The rule is GPT-2's (Radford et al., 2019) without its list of English contractions; what Python's `re` calls a
    letter stands for its Unicode class.

    >>> pretokenize("Don't  panic: 42!")
    ['Don', "'", 't', ' ', ' panic', ':', ' 42', '!']
    """
    return _CHUNK.findall(text)


@contract
def chunk_counts(text: Text) -> Counter[str]:
    """Count each distinct chunk: a corpus in which `the` stands a thousand times needs it only once.

    >>> chunk_counts("to be or not to be")[" be"]
    2
    """
    return Counter(pretokenize(text))
