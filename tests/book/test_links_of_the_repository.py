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


ROOMS = {
    "book/_ext": ("*.py", "*/__init__.py"),
    "tools": ("*.py", "*/__init__.py"),
    "src/transformer_math/formulas": ("*.py", "*.js", "*.mjs"),
}


@pytest.mark.parametrize("room", ROOMS)
def test_the_design_names_every_module(room):
    design = (ROOT / "DESIGN.md").read_text("utf-8")
    paths = [path for kind in ROOMS[room] for path in (ROOT / room).glob(kind)]
    names = {path.parent.name if path.stem == "__init__" else path.name for path in paths}  # fmt: skip
    names -= {"formulas", "__pycache__"}
    missing = {name for name in names if not re.search(rf"`{name.removesuffix('.py')}(\.py)?`", design)}  # fmt: skip
    assert len(names) > 15 and not missing
