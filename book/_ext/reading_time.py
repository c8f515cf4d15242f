"""How long a page takes to read, and each of its sections: counted from its words, formulas, figures and lines of code."""

import re
from collections import Counter
from collections.abc import Iterator

from docutils import nodes
from folds import fold
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

# Seconds. Two hundred and twenty words a minute is slow for a novel and quick for a textbook. The others are what a
# reader needs who looks at the thing, not one who works it out: exercises are not counted, they take what they take.
SECONDS = {
    "word": 60 / 220,
    "equation": 15,
    "figure": 12,
    "explorable": 60,
    "line of code": 2,
}
FIGURES = re.compile(r'<figure class="(?:picture|computed)')
EXPLORABLE = re.compile(r'<figure class="explorable')


def take_time(app: Sphinx, doctree: nodes.document) -> None:
    """Note how long the page, its opening and each of its sections take to read, in both readings."""
    page = next(iter(doctree.findall(nodes.section)), None)
    if page is None:
        return
    parts = {part["ids"][0]: part for part in page if isinstance(part, nodes.section)}
    opening = [part for part in page if not isinstance(part, nodes.section)]
    found = {name: both(part) for name, part in parts.items()}
    found[""] = _sum(map(both, opening))
    found[None] = both(page)
    times(app.env)[app.env.docname] = found


def both(node: nodes.Node) -> tuple[float, float]:
    """Minutes in the reading of ideas, and in that of everything."""
    return tuple(
        sum(SECONDS[what] * n for what, n in tally(node, everything).items()) / 60
        for everything in (False, True)
    )


def _sum(pairs: Iterator[tuple[float, float]]) -> tuple[float, float]:
    return tuple(map(sum, zip(*pairs, strict=True))) or (0.0, 0.0)


def tally(node: nodes.Node, everything: bool) -> Counter:
    """How many words, equations, figures and lines of code somebody reads who reads a part of a page."""
    if isinstance(node, nodes.Text):
        return Counter({"word": len(node.split())})
    if isinstance(node, nodes.math_block):
        return Counter({"equation": 1})
    if isinstance(node, nodes.raw):
        html = node.astext()
        return Counter(
            {
                "figure": len(FIGURES.findall(html)),
                "explorable": len(EXPLORABLE.findall(html)),
            }
        )
    if isinstance(node, nodes.literal_block):
        return Counter({"line of code": len(node.astext().splitlines())})
    if isinstance(node, nodes.comment) or _is_left_out(node, everything):
        return Counter()
    return sum((tally(child, everything) for child in node.children), Counter())


def _is_left_out(node: nodes.Element, everything: bool) -> bool:
    if is_exercises(node) or node.get("mime_type") == "text/plain":
        return True
    folded = isinstance(node, fold) or node.get("design_component") == "dropdown"
    return folded and not everything


def times(env: BuildEnvironment) -> dict[str, dict]:
    """The minutes of every page: by the name of a section, "" for what stands before the first, None for all."""
    if not hasattr(env, "reading_times"):
        env.reading_times = {}
    return env.reading_times


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """A page is read again, or gone."""
    times(env).pop(docname, None)


def merge(app: Sphinx, env: BuildEnvironment, docnames: set, other) -> None:
    """Take over what another process read."""
    times(env).update({d: times(other)[d] for d in docnames if d in times(other)})


def is_exercises(node: nodes.Node) -> bool:
    """Whether a node is the section of a page's exercises."""
    return isinstance(node, nodes.section) and "exercises" in node["ids"]


def minutes(time: float) -> int:
    """Whole minutes, never none."""
    return max(1, round(time))


def setup(app: Sphinx) -> dict:
    """Count when code is folded and before formulas are sealed."""
    app.connect("doctree-read", take_time, priority=460)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    return {"parallel_read_safe": True}
