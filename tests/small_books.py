"""Small books that tests build with the book's own extensions."""

from conftest import ROOT

EXTENSIONS = ROOT / "book" / "_ext"


def conf(text: str) -> str:
    """A `conf.py` that finds the book's extensions, and says what stands in the text."""
    return f"import sys\n\nsys.path.insert(0, {str(EXTENSIONS)!r})\n{text}"
