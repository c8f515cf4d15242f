"""The cells with the imports and what they prepare stand first in the notebook and last on the page, where they disturb nobody."""

from docutils import nodes
from sphinx.application import Sphinx

TITLES = (
    "The imports of this page’s code",
    "What this page’s code prepares first",
)


def is_set_up(cell: nodes.container) -> bool:
    """A hidden cell of code without an output, in front of the first heading."""
    return (
        cell.get("nb_element") == "cell_code"
        and cell.get("hide_mode") == "input"
        and not any(part.get("nb_element") == "cell_code_output" for part in cell)
    )


def move_set_up(app: Sphinx, doctree: nodes.document) -> None:
    """Move it behind the last section."""
    page = next(iter(doctree.findall(nodes.section)), None)
    if page is None:
        return
    before = []
    for part in page.children:
        if isinstance(part, nodes.section):
            break
        before.append(part)
    cells = [
        part for part in before if isinstance(part, nodes.container) and is_set_up(part)
    ]
    for cell, title in zip(cells, TITLES):
        cell["prompt_show"] = cell["prompt_hide"] = title
    for cell in cells:
        page.remove(cell)
        page.append(cell)


def setup(app: Sphinx) -> dict:
    """Move it while a page is read, before its source is wrapped in a toggle."""
    app.connect("doctree-read", move_set_up, priority=300)
    return {"parallel_read_safe": True}
