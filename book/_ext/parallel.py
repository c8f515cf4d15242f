"""Pages are read and written by as many processes as there are processors, also by `jupyter-book build .`, which has no `-j`.

All of them search for garbage seldom.

Sphinx does so where every extension says that it may. Two do not say it, and may: neither keeps anything of a page
while it is read.
"""

import os

from processes import search_seldom
from sphinx.application import Sphinx

SILENT = ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex")


def speak_for_the_silent(app: Sphinx, config) -> None:
    """Say for them what they do not say: without it Sphinx reads with one process, and warns."""
    for name in SILENT:
        if name in app.extensions:
            app.extensions[name].parallel_read_safe = True


def setup(app: Sphinx) -> dict:
    """Set the number of processes before Sphinx asks for it."""
    search_seldom()
    app.parallel = max(app.parallel, os.cpu_count() or 1)
    app.connect("config-inited", speak_for_the_silent)
    return {"parallel_read_safe": True}
