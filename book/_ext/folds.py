"""Fold anything, code cells included: `{fold-start} Title` … `{fold-end}` become one `<details>` element."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)


class fold(nodes.General, nodes.Element):
    """What is folded, with its title."""


class fold_mark(nodes.General, nodes.Invisible, nodes.Element):
    """Where a fold begins (it has a title) or ends (it has none)."""


class FoldStart(SphinxDirective):
    """Everything from here to `fold-end` is folded under this title; an option gives it a class."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Leave a mark."""
        return [fold_mark(title=self.arguments[0], line=self.lineno)]


class FoldEnd(SphinxDirective):
    """The end of a fold."""

    def run(self) -> list[nodes.Node]:
        """Leave a mark."""
        return [fold_mark(line=self.lineno)]


def gather_folds(app: Sphinx, doctree: nodes.document) -> None:
    """Move what stands between two marks into one node."""
    for mark in list(doctree.findall(fold_mark)):
        if mark.parent is None or "title" not in mark:
            continue
        siblings = mark.parent.children
        start = siblings.index(mark)
        end = next((i for i in range(start + 1, len(siblings)) if isinstance(siblings[i], fold_mark)), None)
        if end is None or "title" in siblings[end]:
            logger.warning(
                "the fold %r has no end in its section", mark["title"], location=(app.env.docname, mark["line"])
            )
            continue
        title = mark["title"]
        folded = fold(
            "", *siblings[start + 1 : end], title=title, classes=["fold", title.split()[0].lower().strip(":")]
        )
        mark.parent[start : end + 1] = [folded]
    for mark in list(doctree.findall(fold_mark)):
        logger.warning("a fold ends that never began", location=(app.env.docname, mark["line"]))
        mark.parent.remove(mark)


def open_fold(translator, node: fold) -> None:
    """Write the opening tags and the title."""
    translator.body.append(
        translator.starttag(node, "details") + f"<summary>{translator.encode(node['title'])}</summary>\n"
    )


def close_fold(translator, node: fold) -> None:
    """Write the closing tag."""
    translator.body.append("</details>\n")


def setup(app: Sphinx) -> dict:
    """Register the directives, and gather folds before equations are signed."""
    app.add_node(fold, html=(open_fold, close_fold))
    app.add_node(fold_mark, html=(lambda *_: None, lambda *_: None))
    app.add_directive("fold-start", FoldStart)
    app.add_directive("fold-end", FoldEnd)
    app.connect("doctree-read", gather_folds, priority=400)
    return {"parallel_read_safe": True}
