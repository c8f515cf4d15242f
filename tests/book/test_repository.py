"""No page leads to the placeholder's repository; where there is an address, buttons and pictures for sharing are there."""

import json
import re
from types import SimpleNamespace

import book_site
import nbformat
import pytest

from build import ADDRESS, HTML, SUMMARY

OWN = "https://github.com/owner/book"
NOBODY = f"https://github.com/{book_site.PLACEHOLDER}/book"
PUBLISHED = json.loads((HTML.parent / "counts.json").read_text("utf-8"))["published"]


def test_no_title_says_the_same_twice():
    for path in HTML.rglob("*.html"):
        title = re.search("<title>(.*?)</title>", path.read_text("utf-8"), re.S)
        parts = title[1].split("&#8212;") if title else []
        assert len({part.strip() for part in parts}) == len(parts), path


def app_of(url, outdir="."):
    config = SimpleNamespace(
        html_theme_options={"repository_url": url},
        html_title="A book",
        html_baseurl="",
        root_doc="index",
    )
    app = SimpleNamespace(
        config=config, outdir=outdir, builder=SimpleNamespace(name="html")
    )
    book_site.know_own_address(app, config)
    return app


def buttons(url):
    download = {"type": "link", "url": "../page.md", "text": ".md"}
    alone = {"type": "link", "url": f"{url}/blob/main/page.md", "text": "Source"}
    return [
        {"type": "group", "buttons": [alone]},
        {"type": "group", "buttons": [download, alone]},
        alone,
        {"type": "javascript"},
    ]


def context_of(url):
    context = {"header_buttons": buttons(url), "title": "A page"}
    book_site.hide_dead_links(app_of(url), "page", "page.html", context, None)
    book_site.describe(app_of(url), "page", "page.html", context, None)
    return context


def test_with_an_address_everything_is_there():
    context = context_of(OWN)
    assert context["header_buttons"] == buttons(OWN)
    assert "https://owner.github.io/book/_static/preview.png" in context["metatags"]


def test_without_one_what_would_lead_there_is_gone():
    context = context_of(NOBODY)
    download = {"type": "link", "url": "../page.md", "text": ".md"}
    assert context["header_buttons"] == [
        {"type": "group", "buttons": [download]},
        {"type": "javascript"},
    ]
    assert "og:title" in context["metatags"]
    assert "og:image" not in context["metatags"]


@pytest.mark.parametrize("url, wanted", [(OWN, 1), (NOBODY, 0)])
def test_notebooks_install_a_package_that_can_be_found(
    tmp_path, monkeypatch, url, wanted
):
    nothing = SimpleNamespace(proofs={})
    monkeypatch.setattr(book_site, "evidence_of", lambda app: nothing)
    path = tmp_path / "html" / "_sources" / "page.ipynb"
    path.parent.mkdir(parents=True)
    cell = nbformat.v4.new_code_cell("1 + 1")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    app = app_of(url, tmp_path / "html")
    domain = SimpleNamespace(equations=[])
    app.env = SimpleNamespace(found_docs=[], get_domain=lambda name: domain)
    book_site.finish(app, None)
    cells = nbformat.read(path, as_version=4).cells
    assert sum(f"git+{url}" in cell.source for cell in cells) == wanted


def test_no_page_of_the_built_book_leads_to_the_placeholder():
    for path in HTML.rglob("*.html"):
        assert book_site.PLACEHOLDER not in path.read_text("utf-8"), path


def test_the_build_says_how_to_set_the_address():
    assert (ADDRESS in SUMMARY.read_text("utf-8")) is not PUBLISHED
