"""The explorables' host, style, modules and weights among the static files; pages that hold an explorable ask for them."""

from pathlib import Path

from sphinx.application import Sphinx

from transformer_math.explorables.assets import FOLDER, write_assets


def write(app: Sphinx) -> None:
    """Write the files that all explorables of the book share."""
    write_assets(Path(app.outdir) / "_static")


def load_where_needed(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Give host and style to the pages that hold an explorable, and to no other."""
    if '<figure class="explorable"' in context.get("body", ""):
        app.add_js_file(f"{FOLDER}/host.js", loading_method="defer")
        app.add_css_file(f"{FOLDER}/explorable.css")


def setup(app: Sphinx) -> dict:
    """Write before the first page is, since addresses carry a hash of the file."""
    app.connect("builder-inited", write)
    app.connect("html-page-context", load_where_needed, priority=400)
    return {"parallel_read_safe": True}
