"""A path through the book that fits in a given time: pages and sections, with minutes that the build counts."""

from dataclasses import dataclass
from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from two_readings import minutes, times

logger = logging.getLogger(__name__)


class path(nodes.General, nodes.Element):
    """Where a path is put when the times of all pages are known."""


@dataclass(frozen=True)
class Stop:
    """One stop: a page, the anchor of a section ("" for what stands before the first, None for all), and what for."""

    page: str
    anchor: str | None
    why: str


def stop(line: str) -> Stop:
    """Read a line.

    >>> stop("position/rope#play | how it turns")
    Stop(page='book/position/rope', anchor='play', why='how it turns')
    >>> stop("index | all of it").anchor
    """
    address, _, why = (part.strip() for part in line.partition("|"))
    page, hash_, anchor = address.partition("#")
    return Stop(f"book/{page}", anchor if hash_ else None, why)


class ReadingPath(SphinxDirective):
    """`page`, `page#` (its opening) or `page#section`, then `| what for`, a line for each; the argument is the most minutes."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Leave its place."""
        _places(self.env).add(self.env.docname)
        node = path(most=int(self.arguments[0]), stops=list(map(stop, self.content)))
        self.set_source_info(node)
        return [node]


def _places(env: BuildEnvironment) -> set[str]:
    if not hasattr(env, "reading_paths"):
        env.reading_paths = set()
    return env.reading_paths


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """A page is read again, or gone."""
    _places(env).discard(docname)


def merge(app: Sphinx, env: BuildEnvironment, docnames: set, other) -> None:
    """Take over where another process left its place."""
    _places(env).update(_places(other))


def write_again(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """It shows times of other pages, so it is written in every build."""
    return sorted(_places(env) & env.all_docs.keys())


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write the list; warn of a stop that is not there, and of a path that takes too long."""
    for node in list(doctree.findall(path)):
        known = [one for one in node["stops"] if _is_there(app, one, node)]
        taken = [times(app.env)[one.page][one.anchor][0] for one in known]
        if sum(taken) > node["most"]:
            logger.warning(
                "this path takes %d minutes, not %d", sum(taken), node["most"],
                location=node, type="path",
            )  # fmt: skip
        items = "".join(
            _item(app, docname, *two) for two in zip(known, taken, strict=True)
        )
        total = f"<p>All of it: {minutes(sum(taken))} minutes.</p>"
        node.replace_self(
            nodes.raw(
                "", f'<ol class="reading-path">{items}</ol>{total}', format="html"
            )
        )


def _is_there(app: Sphinx, one: Stop, node: path) -> bool:
    there = one.anchor in times(app.env).get(one.page, {})
    if not there:
        logger.warning(
            "nothing is at %s#%s", one.page, one.anchor, location=node, type="path"
        )
    return there


def _item(app: Sphinx, docname: str, one: Stop, taken: float) -> str:
    address = app.builder.get_relative_uri(docname, one.page)
    address += f"#{one.anchor}" if one.anchor else ""
    title = app.env.titles[one.page].astext()
    if one.anchor:
        title += f": {_section_title(app, one)}"
    part = ", its opening" if one.anchor == "" else ""
    return (
        f'<li><a href="{address}">{escape(title)}</a>{part} <span>{minutes(taken)}&nbsp;min</span>'
        f"<br>{escape(one.why)}</li>"
    )


def _section_title(app: Sphinx, one: Stop) -> str:
    for entry in app.env.tocs[one.page].findall(nodes.reference):
        if entry.get("anchorname") == f"#{one.anchor}":
            return entry.astext()
    return ""


def setup(app: Sphinx) -> dict:
    """Leave a place when pages are read, fill it when all times are known."""
    app.add_node(path)
    app.add_directive("reading-path", ReadingPath)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", write_again)
    app.connect("doctree-resolved", fill)
    return {"parallel_read_safe": True}
