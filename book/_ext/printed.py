"""The formulas of the pages that a build knows, as they are printed."""

from functools import cache
from pathlib import Path

from sphinx.application import Sphinx

from transformer_math.formulas.book import Formula, displayed
from transformer_math.formulas.inline import inline


@cache
def markdown(app: Sphinx) -> list[Path]:
    """The pages that the build knows."""
    pages = (Path(app.env.doc2path(name)) for name in app.env.found_docs)
    return [page for page in pages if page.suffix == ".md"]


@cache
def formulas_of(app: Sphinx) -> tuple[Formula, ...]:
    """The displayed formulas of all pages that the build knows."""
    return tuple(displayed(Path(app.srcdir), markdown(app)))


@cache
def inline_of(app: Sphinx) -> tuple[Formula, ...]:
    """The equations inside the sentences of all pages."""
    return tuple(inline(Path(app.srcdir), markdown(app)))
