"""Two readings of a page: *ideas*, where code, sources, seals and what goes deeper are one line each, and *everything*.

Nothing is cut: what *ideas* folds is in the page, in `<details>` that a reader, a link or the browser's own search opens.
What goes deeper begins at the comment `% deeper: a title` and ends at `% deeper-end`, or with its section.
The choice is known before the first line is drawn; `readings.js` lets it be changed.
"""

import re

from docutils import nodes
from folds import fold, fold_title, marks
from reading_time import EXPLORABLE, both, is_exercises, minutes, times
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)

SWITCH = """
<div class="readings" role="group" aria-label="How much of this page to show">
<button type="button" value="ideas" aria-pressed="true">Ideas <span>{ideas}&nbsp;min</span></button>
<button type="button" value="everything" aria-pressed="false">Everything <span>{everything}&nbsp;min</span></button>
</div>"""
# What every chapter of its kind has, and who reads for the ideas does not need at first.
DEEPER = {
    "shapes-and-cost": "Shapes, numbers of operations, memory",
    "model-card": "What it is, what it was trained on, what it cannot do",
}
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


def fold_deeper(app: Sphinx, doctree: nodes.document) -> None:
    """Fold what stands between the mark and the end of its section, and the sections that go deeper in every chapter."""
    for mark in list(doctree.findall(nodes.comment)):
        if title := re.fullmatch(r"deeper: (\S.*)", mark.astext().strip()):
            section = mark.parent
            start = section.index(mark)
            ends = [
                end for end in marks(section, "deeper-end") if end.parent is section
            ]
            places = (section.index(end) for end in ends)
            end = next((place for place in places if place > start), len(section))
            section[start : end + 1] = [_deeper(title[1], section[start + 1 : end])]
    for mark in marks(doctree, "deeper-end"):
        logger.warning("what goes deeper ends but never began", location=mark)
    for section in list(doctree.findall(nodes.section)):
        if title := DEEPER.get(section["ids"][0]):
            folded = _deeper(title, section.children[1:])
            section.children[1:] = []
            section += folded


def _deeper(title: str, content: list[nodes.Node]) -> fold:
    folded = fold("", *content, classes=["fold", "aside", "deeper"])
    time = minutes(both(folded)[1])
    folded.insert(0, fold_title("", f"{title} ({time} min)" if time > 1 else title))
    return folded


def fold_code(app: Sphinx, doctree: nodes.document) -> None:
    """Give code and sources a line of their own, under which they are folded."""
    for cell in list(doctree.findall(_is("cell_code"))):
        source = next(iter(cell.findall(_is("cell_code_source"))), None)
        mode = cell.attributes.pop("hide_mode", None)
        if mode == "input":
            _fold(source, _title(cell, source), "listing")
        elif mode == "all":
            _fold_whole(cell)
        elif not _stands_apart(cell):
            _fold_parts(cell, source, mode)


def _fold_parts(
    cell: nodes.container, source: nodes.container | None, mode: str | None
) -> None:
    if mode == "output":
        _fold(cell[-1], fold_title("", "What this code gives"), "listing")
    if source is not None:
        told = ["told"] if _tells_only(cell) and mode is None else []
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
        if isinstance(node, fold) or is_exercises(node) or node.get("design_component"):
            return True
        node = node.parent
    return False


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


def is_chapter(pagename: str) -> bool:
    """Whether a page teaches an idea: it lies in the folder of a group.

    >>> is_chapter("book/position/rope"), is_chapter("book/notation")
    (True, False)
    """
    return pagename.startswith("book/") and pagename.count("/") > 1


def setup(app: Sphinx) -> dict:
    """Fold when chapters' own folds are gathered and before formulas are sealed."""
    app.connect("doctree-read", fold_code, priority=450)
    app.connect("doctree-read", fold_deeper, priority=455)
    app.connect("html-page-context", offer)
    app.add_js_file("readings.js", loading_method="defer")
    return {"parallel_read_safe": True}
