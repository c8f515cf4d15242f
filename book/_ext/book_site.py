"""What the built site needs besides its pages: notebooks that run anywhere, what search engines read, a page for lost links."""

import json
import re
import shutil
from html import escape, unescape
from pathlib import Path
from urllib.parse import urlparse

import nbformat
from docutils import nodes
from evidence import evidence_of
from sphinx.application import Sphinx

from transformer_math.plots import symbols

DESCRIPTION = "The Transformer in ten steps, from text to probabilities; every equation checked in the build that shows it."
LOST = "404"
HOME = "From text to probabilities in ten steps"
PLACEHOLDER = "your-organisation"  # as `_config.yml` comes: the book has no address yet
INSTALL = """\
# Where the book's package is missing (on Colab, say), install it first.
import importlib.util

if importlib.util.find_spec("transformer_math") is None:
    %pip install -q "transformer-math[book] @ git+{repository}"
"""


def has_address(config) -> bool:
    """Whether somebody has put the repository's address into `_config.yml`.

    >>> from types import SimpleNamespace
    >>> has_address(SimpleNamespace(html_theme_options={"repository_url": f"https://github.com/{PLACEHOLDER}/book"}))
    False
    """
    return PLACEHOLDER not in config.html_theme_options["repository_url"]


def know_own_address(app: Sphinx, config) -> None:
    """Derive the address of the published site, as GitHub Pages makes it, from the repository's."""
    if not has_address(config):
        return
    owner, name = (
        config.html_theme_options["repository_url"].rstrip("/").split("/")[-2:]
    )
    config.html_baseurl = f"https://{owner}.github.io/{name}/"


def copy_static(app: Sphinx) -> None:
    """Put the picture for shared links where every page finds it."""
    target = Path(app.outdir) / "_static"
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(app.confdir) / "images" / "preview.png", target)


def point_colab_to_notebook(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Colab opens .ipynb files alone: send it to the one that the published site holds."""
    for group in context.get("header_buttons", []):
        for button in group.get("buttons", []):
            if button.get("text") == "Colab":
                button["url"] = re.sub(
                    r"/blob/[^/]+/(.*)\.md$",
                    r"/blob/gh-pages/_sources/\1.ipynb",
                    button["url"],
                )


def hide_dead_links(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Leave out the buttons that would lead to the placeholder's repository."""
    if has_address(app.config):
        return
    for group in context.get("header_buttons", []):
        if "buttons" in group:
            group["buttons"] = [one for one in group["buttons"] if leads_on(one)]
    context["header_buttons"] = [
        one
        for one in context.get("header_buttons", [])
        if one.get("buttons", True) and leads_on(one)
    ]


def leads_on(button: dict) -> bool:
    """Whether a button leads to something that exists."""
    return PLACEHOLDER not in str(button.get("url", ""))


def in_words(paragraph: nodes.paragraph) -> str:
    """A paragraph as plain text, its formulas as a reader would type them."""
    copy = paragraph.deepcopy()
    for formula in list(copy.findall(nodes.math)):
        try:
            text = symbols.plain(f"${formula.astext()}$")
        except ValueError:
            text = re.sub(r"\\([a-zA-Z]+)|[{}$]", r"\1", formula.astext())
        formula.replace_self(nodes.Text(text))
    return " ".join(copy.astext().removeprefix("What. ").split())


def lost_page(app: Sphinx):
    """Yield the page that a server shows for an address that is none; its links hold from any depth."""
    body = (
        "<h1>There is no such page</h1><p>The address may have changed, or a letter is missing. The list on the left "
        'leads to every chapter, <a href="search.html">the search</a> to every word.</p>'
    )
    yield LOST, {"title": "No such page", "body": body}, "page.html"


def describe(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict,
    doctree: nodes.document | None,
) -> None:
    """Set what search engines and shared links show: title, description and picture of the page."""
    paragraphs = () if doctree is None else doctree.findall(nodes.paragraph)
    own = (p for p in paragraphs if not isinstance(p.parent, nodes.citation))
    text = next(map(in_words, own), DESCRIPTION)
    tags = {
        "og:title": context.get("title") or app.config.html_title,
        "og:type": "article",
        "og:description": text,
    }
    if has_address(app.config):
        tags |= {
            "og:url": f"{app.config.html_baseurl}{pagename}.html",
            "og:image": f"{app.config.html_baseurl}_static/preview.png",
            "og:image:alt": "A map of the Transformer in ten steps, beside an equation with its seal.",
        }
    lines = [
        f'<meta name="description" content="{escape(text)}">',
        '<meta name="twitter:card" content="summary_large_image">',
    ]
    lines += [
        f'<meta property="{name}" content="{escape(unescape(re.sub("<[^>]+>", "", value)))}">'
        for name, value in tags.items()
    ]
    if pagename == app.config.root_doc:
        context["title"] = HOME  # behind it stands the book's title
    if pagename == LOST:
        folder = urlparse(app.config.html_baseurl).path or "/"
        lines.insert(0, f'<base href="{folder}">')
    context["metatags"] = context.get("metatags", "") + "\n".join(lines)


def drop_unused_scripts(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Leave out Thebe, which needs a server, and what marks the finds of Sphinx's search: the book has its own."""
    context["script_files"] = [
        script
        for script in context["script_files"]
        if not re.search(
            "thebe|sphinx_highlight",
            f"{script}{getattr(script, 'attributes', '')}",
            re.IGNORECASE,
        )
    ]


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Leave a count of pages, equations and checks; notebooks of a published book install its package."""
    if exception is not None or app.builder.name != "html":
        return
    if has_address(app.config):
        let_notebooks_install(app)
    checks = [check for found in evidence_of(app).proofs.values() for check in found]
    counts = {
        "pages": len(app.env.found_docs),
        "equations": len(app.env.get_domain("math").equations),
        "checks": len(checks),
        "wrong": sum(len(check.wrong) for check in checks),
        "published": has_address(app.config),
    }
    (Path(app.outdir).parent / "counts.json").write_text(json.dumps(counts))


def let_notebooks_install(app: Sphinx) -> None:
    """Give every downloadable notebook a cell that installs the package."""
    source = INSTALL.format(repository=app.config.html_theme_options["repository_url"])
    for path in (Path(app.outdir) / "_sources").rglob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        first = next(
            i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"
        )
        if notebook.cells[first].source != source:
            notebook.cells.insert(
                first, nbformat.v4.new_code_cell(source, id="install")
            )
            nbformat.write(notebook, path)


def setup(app: Sphinx) -> dict:
    """Connect each to the moment at which it acts."""
    app.connect("config-inited", know_own_address)
    app.connect("builder-inited", copy_static)
    app.connect("html-page-context", point_colab_to_notebook, priority=900)
    app.connect("html-page-context", hide_dead_links, priority=901)
    app.connect("html-page-context", describe)
    app.connect("html-page-context", drop_unused_scripts, priority=900)
    app.connect("html-collect-pages", lost_page)
    app.connect("build-finished", finish)
    for own in ("book.js", "theme.js"):
        app.add_js_file(own, loading_method="defer")
    return {"parallel_read_safe": True}
