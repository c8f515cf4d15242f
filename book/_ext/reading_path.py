"""A path through the book that fits in a given time: pages and sections, with minutes that the build counts."""

from dataclasses import dataclass
from html import escape

from docutils import nodes
from left_places import places
from reading_time import minutes, times
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)


class path(nodes.General, nodes.Element):
    """Where a path is put when the times of all pages are known."""


@dataclass(frozen=True)
class Stop:
    """One stop: a page, the anchors of its sections ("" for what stands before the first, None for all), and what for."""

    page: str
    anchors: tuple[str | None, ...]
    why: str


def stop(line: str) -> Stop:
    """Read a line.

    >>> stop("position/rope # #play | how it turns")
    Stop(page='book/position/rope', anchors=('', 'play'), why='how it turns')
    >>> stop("index | all of it").anchors
    (None,)
    """
    address, _, why = (part.strip() for part in line.partition("|"))
    page, *anchors = address.split()
    parts = tuple(anchor.removeprefix("#") for anchor in anchors)
    return Stop(f"book/{page}", parts or (None,), why)


class ReadingPath(SphinxDirective):
    """`page`, or `page # #section …` (`#` is its opening), then `| what for`, a line for each; the argument is the most minutes."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Leave its place."""
        places(self.env, "reading-path").add(self.env.docname)
        node = path(most=int(self.arguments[0]), stops=list(map(stop, self.content)))
        self.set_source_info(node)
        return [node]


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write the list; warn of a stop that is not there, and of a path that takes too long."""
    for node in list(doctree.findall(path)):
        known = [one for one in node["stops"] if _is_there(app, one, node)]
        total = sum(_taken(app, one) for one in known)
        if total > node["most"]:
            logger.warning(
                "this path takes %d minutes, not %d", total, node["most"], location=node, type="path"
            )  # fmt: skip
        shown = sum(minutes(_taken(app, one)) for one in known)
        items = "".join(_item(app, docname, one) for one in known)
        html = (
            f'<ol class="reading-path">{items}</ol><p>All of it: {shown} minutes.</p>'
        )
        node.replace_self(nodes.raw("", html, format="html"))


def _taken(app: Sphinx, one: Stop) -> float:
    return sum(times(app.env)[one.page][anchor][0] for anchor in one.anchors)


def _is_there(app: Sphinx, one: Stop, node: path) -> bool:
    missing = set(one.anchors) - times(app.env).get(one.page, {}).keys()
    for anchor in missing:
        logger.warning("nothing is at %s#%s", one.page, anchor, location=node, type="path")  # fmt: skip
    return not missing


def _item(app: Sphinx, docname: str, one: Stop) -> str:
    address = app.builder.get_relative_uri(docname, one.page)
    title = escape(app.env.titles[one.page].astext())
    parts = ", ".join(
        _part(app, address, one, anchor) for anchor in one.anchors if anchor is not None
    )
    return (
        f'<li><a href="{address}"><strong>{title}</strong></a> <span>{minutes(_taken(app, one))}&nbsp;min</span>'
        f"<br>{escape(one.why)} {parts and f'<span>Read: {parts}.</span>'}</li>"
    )


def _part(app: Sphinx, address: str, one: Stop, anchor: str) -> str:
    if not anchor:
        return "the opening"
    return f'<a href="{address}#{anchor}">{escape(_section_title(app, one.page, anchor))}</a>'


def _section_title(app: Sphinx, page: str, anchor: str) -> str:
    entries = app.env.tocs[page].findall(nodes.reference)
    return next(one.astext() for one in entries if one["anchorname"] == f"#{anchor}")


def setup(app: Sphinx) -> dict:
    """Leave a place when pages are read, fill it when all times are known."""
    app.setup_extension("left_places")
    app.add_node(path)
    app.add_directive("reading-path", ReadingPath)
    app.connect("doctree-resolved", fill)
    return {"parallel_read_safe": True}
