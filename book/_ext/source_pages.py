"""The package's source as pages of the book, so that a link to a line of code works from an unzipped folder too."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path

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
    """Yield a page for every module, with an anchor at every line."""
    formatter = HtmlFormatter(
        cssclass="highlight", lineanchors="L", anchorlinenos=True, linenos="inline"
    )
    for path in sorted(PACKAGE.rglob("*.py")):
        name = (
            path.relative_to(PACKAGE.parent)
            .with_suffix("")
            .as_posix()
            .replace("/", ".")
        )
        body = highlight(path.read_text("utf-8"), PythonLexer(), formatter)
        yield (
            page_of(path),
            {"title": name, "body": f"<h1>{name}</h1>\n{body}"},
            "page.html",
        )


def setup(app: Sphinx) -> dict:
    """Add the pages when the others have been written."""
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True}
