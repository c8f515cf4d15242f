"""Let sphinxcontrib-bibtex find its plugins once: pybtex looks for them in all installed packages, at every reference."""

from functools import cache

import pybtex.plugin
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict:
    """Keep what has been found."""
    found = cache(pybtex.plugin._load_entry_point)
    pybtex.plugin._load_entry_point = found
    return {"parallel_read_safe": True}
