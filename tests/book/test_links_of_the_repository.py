"""What the repository's own pages link to exists: files, and headings in them."""

import re

import pytest
from conftest import ROOT

PAGES = sorted(ROOT.glob("*.md"))


def headings(text):
    """The anchors that a page's headings get."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_has_an_end(page):
    links = re.findall(r"\]\(([^)#:]+)(?:#([^)]+))?\)", page.read_text("utf-8"))
    for name, anchor in links:
        assert (ROOT / name).exists(), name
        if anchor:
            assert anchor in headings((ROOT / name).read_text("utf-8")), anchor


def test_every_recipe_is_listed():
    recipes = headings((ROOT / "RECIPES.md").read_text("utf-8")) - {"recipes"}
    listed = re.findall(
        r"\(RECIPES\.md#(.+?)\)", (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    )
    assert sorted(recipes) == sorted(listed)
    assert len(recipes) > 5
