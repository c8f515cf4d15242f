"""Questions stand in the exercise that they belong to, exercises are numbered on each page, pages that ask load what listens.

A question is the last line of a cell (`ask`, `choose`, `predict`, `estimate`, `sketch`), written where its answer is
computed: as a rule in the fold of the solution. On the page it stands in the box of the exercise before it.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx_exercise.nodes import is_exercise_node

logger = logging.getLogger(__name__)
LISTENED_TO = ('<div class="question ', '<div class="grade wrong"')
DRAWN = '<div class="question sketch"'


def asks(cell: nodes.Node) -> bool:
    """Whether a cell's output is a question."""
    return (
        isinstance(cell, nodes.container)
        and cell.get("nb_element") == "cell_code"
        and any(LISTENED_TO[0] in raw.astext() for raw in cell.findall(nodes.raw))
    )


def move_questions(app: Sphinx, doctree: nodes.document) -> None:
    """Move every question into the box of the last exercise before it."""
    exercise = None
    for node in list(doctree.findall()):
        if is_exercise_node(node):
            exercise = node
        elif asks(node) and exercise is None:
            logger.warning("a question belongs to no exercise", location=node)
        elif asks(node):
            node.parent.remove(node)
            exercise.append(node)


def number_by_page(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Let the numbers of exercises begin anew on every page."""
    env.numbers_through_the_book = env.toc_fignumbers
    env.toc_fignumbers = dict(renumbered(env.toc_fignumbers))
    return []


def renumbered(numbers: dict[str, dict]) -> Iterator[tuple[str, dict]]:
    """Each page's numbers, those of its exercises counted from one.

    >>> dict(renumbered({"a": {"exercise": {"ex-b": (8,), "ex-a": (7,)}, "figure": {"f": (3,)}}}))
    {'a': {'exercise': {'ex-a': (1,), 'ex-b': (2,)}, 'figure': {'f': (3,)}}}
    """
    for page, kinds in numbers.items():
        own = sorted(kinds.get("exercise", {}).items(), key=lambda pair: pair[1])
        counted = {label: (i,) for i, (label, _) in enumerate(own, 1)}
        yield page, kinds | ({"exercise": counted} if own else {})


def number_through_the_book(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Give Sphinx back the numbers that it counted last time: it writes pages again where these have changed."""
    env.toc_fignumbers = getattr(env, "numbers_through_the_book", env.toc_fignumbers)
    return []


def load_where_needed(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Give script and style to the pages on which a reader answers, and to no other."""
    body = context.get("body", "")
    if DRAWN in body:
        app.add_js_file("sketch.js", loading_method="defer")
        app.add_css_file("sketch.css")
    if any(mark in body for mark in LISTENED_TO):
        app.add_js_file("questions.js", loading_method="defer")
        app.add_css_file("questions.css")


def setup(app: Sphinx) -> dict:
    """Move them when folds are gathered; number pages behind Sphinx's own count and before `references` looks at it."""
    app.connect("doctree-read", move_questions, priority=450)
    app.connect("env-get-updated", number_through_the_book, priority=100)
    app.connect("env-get-updated", number_by_page, priority=800)
    app.connect("html-page-context", load_where_needed, priority=400)
    return {"parallel_read_safe": True}
