"""The cells of a page, as MyST-NB reads them, and their code."""

import re
from functools import cache
from pathlib import Path

from myst_nb.core.read import read_myst_markdown_notebook
from nbformat import NotebookNode


def read(page: Path) -> NotebookNode:
    """A page as a notebook, as MyST-NB reads it; its metadata hold the line at which each cell begins."""
    text = page.read_text("utf-8")
    return read_myst_markdown_notebook(text, None, path=page, add_source_map=True)


@cache
def code(text: str) -> str:
    """All code in the text of a page, its cells told apart as outputs are found: one cell cut in two is another page.

    IPython's own commands stand in it as comments, so that it is Python.
    """
    notebook = read_myst_markdown_notebook(text)
    cells = (cell.source for cell in notebook.cells if cell.cell_type == "code")
    return re.sub(r"^(?=[%!])", "# ", "\n# %%\n".join(cells), flags=re.MULTILINE)
