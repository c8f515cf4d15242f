"""What the search knows of a page: its prose and the code that it shows; no raw TeX, no folded plotting code."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.search import IndexBuilder

FEED = IndexBuilder.feed


def readable(doctree: nodes.document) -> nodes.document:
    """A copy without formulas and without code that the page hides."""
    copy = doctree.deepcopy()
    copy.settings = doctree.settings
    for node in list(copy.findall(_is_noise)):
        node.parent.remove(node)
    return copy


def _is_noise(node: nodes.Node) -> bool:
    if isinstance(node, (nodes.math, nodes.math_block)):
        return True
    return isinstance(node, nodes.container) and (
        node.get("nb_element") == "cell_code_source"
        and node.parent.get("hide_mode") is not None
    )


def feed(index: IndexBuilder, docname: str, filename: str, title: str, doctree) -> None:
    """Index the readable copy."""
    FEED(index, docname, filename, title, readable(doctree))


def setup(app: Sphinx) -> dict:
    """Stand in for the indexer's own reading."""
    IndexBuilder.feed = feed
    return {"parallel_read_safe": True}
