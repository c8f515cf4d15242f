"""Pages are read and written on all processors, also by `jupyter-book build .`, which has no `-j`.

Sphinx leaves one process of those that it may have to itself while pages are written, and needs little of it: it may have
one more than there are processors. All of them search for garbage seldom.

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
    app.parallel = max(app.parallel, 1 + (os.cpu_count() or 1))
    app.connect("config-inited", speak_for_the_silent)
    return {"parallel_read_safe": True}
