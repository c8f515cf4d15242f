"""Two readings of a page: *ideas*, where code, sources and seals are one line each, and *everything*.

Nothing is cut: what *ideas* folds is in the page, in `<details>` that a reader, a link or the browser's own search opens.
The choice is known before the first line is drawn; `readings.js` lets it be changed.
"""

import re
from collections import Counter
from collections.abc import Iterator

from docutils import nodes
from folds import fold, fold_title
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
SWITCH = """
<div class="readings" role="group" aria-label="How much of this page to show">
<button type="button" value="ideas" aria-pressed="true">Ideas <span>{ideas}&nbsp;min</span></button>
<button type="button" value="everything" aria-pressed="false">Everything <span>{everything}&nbsp;min</span></button>
</div>"""
# In the head: the choice holds before anything is drawn, and what *everything* unfolds is open as soon as it is read.
CHOOSE = """<script>((page, kept) => {
try { kept = localStorage.getItem("reading") } catch {}
page.dataset.reading = kept === "everything" ? kept : "ideas";
const open = (node) => { if (node.matches?.("details.aside")) node.open = true };
const opener = new MutationObserver((changes) => {
if (page.dataset.reading === "everything") for (const { addedNodes } of changes) addedNodes.forEach(open) });
opener.observe(page, { childList: true, subtree: true });
addEventListener("DOMContentLoaded", () => opener.disconnect());
})(document.documentElement)</script>"""


def fold_code(app: Sphinx, doctree: nodes.document) -> None:
    """Give code and sources a line of their own, under which they are folded."""
    for cell in list(doctree.findall(_is("cell_code"))):
        source = next(iter(cell.findall(_is("cell_code_source"))), None)
        if cell.get("hide_mode") == "input":
            _fold(source, _title(cell, source), "listing")
            del cell["hide_mode"]
        elif cell.get("hide_mode") == "all":
            _fold_whole(cell)
            del cell["hide_mode"]
        elif _stands_apart(cell):
            continue
        elif source is not None:
            told = ["told"] if _tells_only(cell) else []
            _fold(source, _title(cell, source), "listing", "aside", *told)
        elif names := _shown_functions(cell):
            _fold(cell[0], _named(names), "listing", "aside")


def _is(element: str):
    return lambda node: (
        isinstance(node, nodes.container) and node.get("nb_element") == element
    )


def _stands_apart(cell: nodes.Node) -> bool:
    """Whether a cell is an exercise's, or folded already with what stands around it."""
    node = cell.parent
    while node is not None:
        if (
            isinstance(node, fold)
            or _is_exercises(node)
            or node.get("design_component")
        ):
            return True
        node = node.parent
    return False


def _is_exercises(node: nodes.Node) -> bool:
    return isinstance(node, nodes.section) and "exercises" in node["ids"]


def _fold(node: nodes.Node, title: fold_title, *classes: str) -> None:
    folded = fold("", title, classes=["fold", *classes])
    node.parent.replace(node, folded)
    folded += node


def _fold_whole(cell: nodes.container) -> None:
    folded = fold("", fold_title("", cell["prompt_show"]), classes=["fold"])
    folded += cell.children
    cell.children = []
    cell += folded


def _title(cell: nodes.container, source: nodes.container) -> fold_title:
    prompt = cell.get("prompt_show", "{type}")
    lines = len(source.astext().splitlines())
    many = f"Code, {lines} line{'s' * (lines != 1)}"
    return fold_title("", many if "{type}" in prompt else prompt)


def _named(names: list[str]) -> fold_title:
    title = fold_title("", "Code of ")
    for place, name in enumerate(names):
        title += [nodes.Text(", ")] * (place > 0)
        title += nodes.literal("", name)
    return title


def _shown(cell: nodes.container) -> list[str]:
    """What a cell gave, in plain text, one for each output."""
    return [
        one.astext()
        for one in cell.findall(nodes.container)
        if one.get("mime_type") == "text/plain"
    ]


def _tells_only(cell: nodes.container) -> bool:
    """Whether all that a cell shows is a sentence or something to play with: then its code tells a reader nothing."""
    shown = _shown(cell)
    html = "".join(node.astext() for node in cell.findall(nodes.raw))
    told = all(one.lstrip().startswith("Sentence(") for one in shown)
    return bool(shown) and (told or bool(EXPLORABLE.search(html)))


def _shown_functions(cell: nodes.container) -> list[str]:
    if not any(one.lstrip().startswith("Source(") for one in _shown(cell)):
        return []
    code = (node.astext() for node in cell.findall(nodes.literal_block))
    return re.findall(r"^(?:def|class) (\w+)", next(code, ""), re.MULTILINE)


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
    if _is_exercises(node) or node.get("mime_type") == "text/plain":
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


def is_chapter(pagename: str) -> bool:
    """Whether a page teaches an idea: it lies in the folder of a group.

    >>> is_chapter("book/position/rope"), is_chapter("book/notation")
    (True, False)
    """
    return pagename.startswith("book/") and pagename.count("/") > 1


def minutes(time: float) -> int:
    """Whole minutes, never none."""
    return max(1, round(time))


def offer(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Put the switch below the title of a chapter."""
    body = context.get("body", "")
    if not is_chapter(pagename) or pagename not in times(app.env):
        return
    ideas, everything = times(app.env)[pagename][None]
    switch = SWITCH.format(ideas=minutes(ideas), everything=minutes(everything))
    context["body"] = body.replace("</h1>", "</h1>" + switch, 1)
    context["metatags"] = context.get("metatags", "") + CHOOSE


def setup(app: Sphinx) -> dict:
    """Fold when chapters' own folds are gathered and before formulas are sealed."""
    app.connect("doctree-read", fold_code, priority=450)
    app.connect("doctree-read", take_time, priority=460)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("html-page-context", offer)
    app.add_js_file("readings.js", loading_method="defer")
    return {"parallel_read_safe": True}
