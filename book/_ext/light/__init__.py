"""Pages that weigh little and that everybody can read: what is done to the built folder after Sphinx.

The one door to it: `lighten(folder)`, which a build calls at its end, and whoever changes a style sheet by itself. What it
promises, with a test for each in `tests/book/test_light_pages.py`: a visit weighs little; no rule, letter or script is
missed; every icon is drawn; a screen reader finds names, roles and landmarks.

Behind it: `markup` (what a page need not carry), `sounds` (fetched when they are played), `repairs` (what the theme writes
and a screen reader stumbles over),
`styles` and `fonts` (cut to what the pages use), `pages` (all of it, on the pages that changed).
"""

from pathlib import Path

from sphinx.application import Sphinx

from .pages import is_light, lighten

__all__ = ["is_light", "lighten"]


def finish(app: Sphinx, exception: Exception | None) -> None:
    """After a build that succeeded."""
    if exception is None and app.builder.name == "html":
        lighten(Path(app.outdir))


def setup(app: Sphinx) -> dict:
    """Come last, when every page is written."""
    app.connect("build-finished", finish, priority=900)
    return {"parallel_read_safe": True}
