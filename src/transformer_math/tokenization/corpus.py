"""Two corpora: four toy words to follow by hand, and real English that every Python installation carries."""

import re
from pydoc_data.topics import topics

# The toy corpus of Sennrich et al. (2016), in the variant of this book's sources.
TOY_WORDS = {"low": 3, "lower": 2, "newest": 3, "widest": 1}

_SENTENCES = re.compile(r"[A-Z“\"(].*[.:!?)”\"]", re.DOTALL)


def english_prose() -> str:
    """The paragraphs of prose in Python's language reference, each once, one a line, in a fixed order.

    The reference is part of the standard library (`pydoc_data.topics`), so the text is there without a download.
    Listings, grammar rules and headings are left out: what stays starts like a sentence and ends like one.
    """
    paragraphs = re.split(
        r"\n\s*\n", "\n\n".join(topics[name] for name in sorted(topics))
    )
    lines = (" ".join(paragraph.split()).removeprefix("* ") for paragraph in paragraphs)
    return "\n".join(dict.fromkeys(line for line in lines if _is_prose(line)))


def _is_prose(line: str) -> bool:
    shown_code = ">>>" in line or "::=" in line
    return (
        len(line.split()) >= 8
        and not shown_code
        and _SENTENCES.fullmatch(line) is not None
    )
