"""Fold anything, code cells included: from the comment `% fold-start` to `% fold-end`, under a title set in bold.

Comments and a bold line are plain Markdown, so the chapter reads well as a notebook too.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)


class fold(nodes.General, nodes.Element):
    """What is folded: a title and what comes after it."""


class fold_title(nodes.General, nodes.TextElement):
    """The line that is seen while the fold is closed."""


def marks(doctree: nodes.Element, text: str) -> Iterator[nodes.comment]:
    """The comments that say `text` and nothing else."""
    return (
        comment
        for comment in list(doctree.findall(nodes.comment))
        if comment.astext().strip() == text
    )


def gather_folds(app: Sphinx, doctree: nodes.document) -> None:
    """Move what stands between two marks into one node; report a fold that has no end, no beginning or no title."""
    for mark in marks(doctree, "fold-start"):
        siblings = mark.parent.children
        start = siblings.index(mark)
        ends = (
            i
            for i in range(start, len(siblings))
            if siblings[i] in list(marks(doctree, "fold-end"))
        )
        end = next(ends, None)
        if end is None:
            logger.warning("a fold has no end in its section", location=mark)
        elif not _is_title(siblings[start + 1]):
            logger.warning("a fold does not begin with a title in bold", location=mark)
        else:
            mark.parent[start : end + 1] = [_folded(siblings[start + 1 : end])]
    for mark in marks(doctree, "fold-end"):
        logger.warning("a fold ends that never began", location=mark)


def _is_title(node: nodes.Node) -> bool:
    parts = [part for part in node.children if part.astext()]
    return isinstance(node, nodes.paragraph) and [type(part) for part in parts] == [
        nodes.strong
    ]


def _folded(content: list[nodes.Node]) -> fold:
    title = fold_title("", "", *next(content[0].findall(nodes.strong)).children)
    kind = title.astext().split()[0].lower().strip(":")
    return fold("", title, *content[1:], classes=["fold", kind])


def _opens(tag: str):
    return lambda translator, node: translator.body.append(
        translator.starttag(node, tag, "")
    )


def _closes(tag: str):
    return lambda translator, node: translator.body.append(f"</{tag}>\n")


def setup(app: Sphinx) -> dict:
    """Gather folds before equations are signed."""
    app.add_node(fold, html=(_opens("details"), _closes("details")))
    app.add_node(fold_title, html=(_opens("summary"), _closes("summary")))
    app.connect("doctree-read", gather_folds, priority=400)
    return {"parallel_read_safe": True}
