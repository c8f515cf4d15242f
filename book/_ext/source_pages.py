"""The package's source as pages of the book, so that a link to a line of code works from an unzipped folder too."""

import inspect
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from contents import ROOT
from processes import processes
from pydata_sphinx_theme.toctree import add_toctree_functions
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from sphinx.application import Sphinx

import transformer_math

PACKAGE = Path(transformer_math.__file__).parent


def page_of(module_file: str | Path) -> str:
    """The name of the page that shows a module of the package."""
    return (
        "_source/"
        + Path(module_file).relative_to(PACKAGE.parent).with_suffix("").as_posix()
    )


def location(function: Callable) -> tuple[str, str]:
    """The page and the anchor of the line where a function begins."""
    function = inspect.unwrap(function)
    return page_of(
        inspect.getsourcefile(function)
    ), f"L-{inspect.getsourcelines(function)[1]}"


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict, str]]:
    """Yield a page for every module; none for one that stands as it would be written."""
    memory = Path(app.outdir).parent / "source_pages.json"
    known = json.loads(memory.read_text("utf-8")) if memory.exists() else {}
    texts = {page_of(p): p.read_text("utf-8") for p in sorted(PACKAGE.rglob("*.py"))}
    around = frame(app)
    wanted = {
        page: sha256(f"{around}\0{text}".encode()).hexdigest()[:16]
        for page, text in texts.items()
    }
    new = [
        page
        for page in wanted
        if known.get(page) != wanted[page]
        or not (Path(app.outdir) / f"{page}.html").exists()
    ]
    with processes(len(new)) as pool:
        bodies = pool.map(coloured, map(texts.get, new), chunksize=8)
        for page, body in zip(new, bodies, strict=True):
            title = page.removeprefix("_source/").replace("/", ".")
            content = {"title": title, "body": f"<h1>{title}</h1>\n{body}"}
            yield page, content, "page.html"
    memory.write_text(json.dumps(wanted), "utf-8")


def coloured(text: str) -> str:
    """A module's text as HTML, with an anchor at every line."""
    formatter = HtmlFormatter(cssclass="highlight", lineanchors="L", linenos="inline")
    return highlight(text, PythonLexer(), formatter)


def frame(app: Sphinx) -> str:
    """What stands around the code on every such page: it is made from the configuration and from the pages' titles."""
    titles = sorted((page, title.astext()) for page, title in app.env.titles.items())
    files = (ROOT / name for name in ("_config.yml", "_toc.yml", "requirements.txt"))
    extensions = getattr(app.config, "extensions_fingerprint", "")
    return repr([titles, extensions, [file.read_text("utf-8") for file in files]])


def share_contents(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Make the contents beside source code once for all modules that lie equally deep: their links are the same.

    The theme would make them anew for each, in most of the time that such a page takes.
    """
    make = context.get("generate_toctree_html")
    if make is None or not pagename.startswith("_source/"):
        return
    shared = app.contents_by_depth.setdefault(pagename.count("/"), {})

    def remembered(**how) -> str:
        key = repr(sorted(how.items()))
        if key not in shared:
            shared[key] = str(make(**how))
        return shared[key]

    context["generate_toctree_html"] = remembered


def come_between(app: Sphinx) -> None:
    """Share contents as soon as the theme offers them: its next function, of the same priority, already makes them."""
    listeners = app.events.listeners["html-page-context"]
    for place, listener in enumerate(listeners):
        if listener.handler is add_toctree_functions:
            mine = listener._replace(handler=share_contents)
            listeners.insert(place + 1, mine)
            return


def setup(app: Sphinx) -> dict:
    """Add the pages when the others have been written."""
    app.contents_by_depth = {}
    app.connect("html-collect-pages", source_pages)
    app.connect("builder-inited", come_between)
    return {"parallel_read_safe": True}
