"""Point at a part of a formula, and the code and the pictures of the page that mean the same light up; and the other way.

What belongs together was found by value while the formulas were marked (`transformer_math.formulas.links`). Here each page
gets the places: of code, as letters of a block that has an anchor; of pictures, by the symbol that their heads bear.
"""

import json
import re
from pathlib import Path

from answers import marked_formulas
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from transformer_math.formulas.answers import Marked
from transformer_math.formulas.shown import shown_on
from transformer_math.plots import symbols
from transformer_math.plots.source import source

logger = logging.getLogger(__name__)


def name_blocks(app: Sphinx, doctree: nodes.document) -> None:
    """Give every block that shows code of the package an anchor."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".md":
        return
    blocks = list(doctree.findall(nodes.literal_block))
    for name, function in shown_on(path.read_text("utf-8")).items():
        code = source(function).code
        block = next((one for one in blocks if code in one.astext()), None)
        if block is not None and not block["ids"]:
            block["ids"].append(f"code-{name}")


def tell(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Put the places of code and pictures below the text of a page that has some."""
    body = context.get("body", "")
    names = re.findall(r'data-symbols="([^"]*)"', body)
    if doctree is None or not names:
        return
    marked = marked_formulas(app)
    places = _places(app, doctree, pagename)
    heads = set(re.findall(r'<span class="symbol">(.*?)</span>', body))
    heads |= set(re.findall(r"<text[^>]*>(.*?)</text>", body))
    blocks: list[str] = []
    links = {name: code_of(marked[name], places, blocks) for name in names}
    pictures = {name: pictures_of(marked[name], heads) for name in names}
    data = {
        "blocks": blocks,
        "code": {name: one for name, one in links.items() if one},
        "pictures": {name: one for name, one in pictures.items() if one},
    }
    if data["code"] or data["pictures"]:
        context["body"] = body + _script(app, pagename, context, data)


def _places(
    app: Sphinx, doctree: nodes.document, page: str
) -> dict[str, tuple[str, int]]:
    """Of each function that a page shows: the anchor of its block, and the letter where it begins there."""
    path = Path(app.env.doc2path(page))
    found = {}
    blocks = [one for one in doctree.findall(nodes.literal_block) if one["ids"]]
    for name, function in shown_on(path.read_text("utf-8")).items():
        code = source(function).code
        for block in blocks:
            if code in block.astext():
                found[name] = (block["ids"][0], block.astext().index(code))
    return found


def code_of(
    formula: Marked, places: dict[str, tuple[str, int]], blocks: list[str]
) -> dict[int, list[int]]:
    """For each place of a formula, in threes: the number of a block, from which letter, to which."""
    found: dict[int, list[int]] = {}
    for place, pieces in enumerate(formula.code):
        for piece in dict.fromkeys(pieces):
            if piece.function in places:
                block, start = places[piece.function]
                if block not in blocks:
                    blocks.append(block)
                where = [blocks.index(block), start + piece.start, start + piece.end]
                found.setdefault(place, []).extend(where)
    return found


def pictures_of(formula: Marked, heads: set[str]) -> dict[int, str]:
    """For each place of a formula whose symbol stands in a head, a caption or a label of the page: how it is set there."""
    sides = {side for head in heads for side in re.split(r"\s*[=≈∈]\s*", head)}
    found = {}
    for place, tex in enumerate(formula.texts):
        if (written := _set(tex)) in sides:
            found[place] = written
    return found


def _set(tex: str) -> str | None:
    tight = re.sub(r"(\\[A-Za-z]+ )|\s+", r"\1", tex)
    try:
        return re.sub(r"^<span[^>]*>|</span>$", "", symbols.html(f"${tight.strip()}$"))
    except ValueError:
        return None


def _script(app: Sphinx, pagename: str, context: dict, data: dict) -> str:
    """Write the places into a file of their own, which is fetched with the script that needs it: pages stay light."""
    name = f"_static/pointing/{pagename.replace('/', '-')}.js"
    file = Path(app.outdir) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    file.write_text(f"globalThis.pointingOfPage = {written};\n", "utf-8")
    addresses = {"script": "_static/pointing.js", "places": name}
    fetched = " ".join(
        f'data-{what}="{context["pathto"](one, resource=True)}?v=00000000"'
        for what, one in addresses.items()
    )
    return f'<script type="application/json" class="pointing" {fetched}></script>'


def count(app: Sphinx, exception: Exception | None) -> None:
    """Say how many formulas have found how much of the code beside them."""
    if exception is None and hasattr(app.env, "found_docs"):
        found = [one.code for one in marked_formulas(app).values() if any(one.code)]
        parts = [pieces for code in found for pieces in code if pieces]
        pieces = sum(map(len, parts))
        logger.info(
            "%d of %d displayed formulas have found code on their pages: %d of their parts, %d pieces",
            *(len(found), len(marked_formulas(app)), len(parts), pieces),
        )


def setup(app: Sphinx) -> dict:
    """Name blocks before they are folded; tell the page behind what its symbols answer."""
    app.connect("doctree-read", name_blocks, priority=440)
    app.connect("html-page-context", tell, priority=510)
    app.connect("build-finished", count)
    return {"parallel_read_safe": True}
