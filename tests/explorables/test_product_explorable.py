"""A matrix product, live: Python's numbers, row and column of each, by keys and by pointer."""

import re

import numpy as np
import pytest
from live_pages import PHONE, look, said, settle
from test_values import written
from traitlets import TraitError

from transformer_math.explorables import ProductExplorable

LIT = "all => all.map(cell => cell.classList.contains('xp-lit'))"


def numbers(figure, kind):
    return figure.locator(f".xp-product .xp-number.{kind}")


def assert_shows(figure, wanted):
    kinds = {"xp-query": wanted.left, "xp-key": wanted.right, "xp-content": wanted.product}  # fmt: skip
    (n, k), m = np.shape(wanted.left), len(wanted.columns)
    at = (range(n), wanted.row), (range(m), wanted.column)
    in_row, in_column = (np.array([x == here for x in all_]) for all_, here in at)
    lit = in_row.repeat(k), np.tile(in_column, k), np.outer(in_row, in_column).ravel()
    digits = 1 if k + m > 7 else 2
    for (kind, values), wanted_lit in zip(kinds.items(), lit, strict=True):
        cells = numbers(figure, kind)
        assert cells.all_text_contents() == [
            written(x, digits) for x in np.ravel(values)
        ]
        assert cells.evaluate_all(LIT) == wanted_lit.tolist()
    total = figure.locator(".xp-total td").last
    assert total.text_content() == written(wanted.number, 3)
    says = figure.locator(".xp-says").inner_text()
    whole = np.equal(wanted.left, np.round(wanted.left)).all()
    sign = "=" if whole else "[=≈]"
    assert re.search(f" {sign} {written(wanted.number)}: row {wanted.row}", says)


def random_product(seed, n, k, m):
    rng = np.random.default_rng(seed)
    return ProductExplorable(
        left=rng.normal(size=(n, k)),
        right=rng.normal(size=(k, m)),
        row=int(rng.integers(n)),
        column=int(rng.integers(m)),
    )


@pytest.mark.parametrize("sizes", [(1, 1, 1), (2, 4, 3), (5, 5, 5), (1, 5, 1)])
def test_random_matrices(show, sizes):
    wanted = random_product(1, *sizes)
    assert_shows(look(show(wanted)), wanted)


def test_an_index_belongs_to_the_whole_bracket_and_words_hold_no_underscores(show):
    symbols = ["h", "W_2", "hW_2"]
    sum_ = "(h W_2)_ij = Σ_k !h_ik ?W_{2,kj}"
    wanted = ProductExplorable(symbols=symbols, formula=sum_)
    assert "times W₂, 4 by 3, gives hW₂." in wanted.description()
    figure = look(show(wanted))
    product = figure.locator(".xp-printed math > msub").first
    assert product.evaluate("e => [...e.children].map((part) => part.textContent)") == ["(hW2)", "ij"]  # fmt: skip
    assert figure.locator(".xp-printed .xp-key").text_content() == "W2,kj"
    assert "hW₂ of row 0" in said(figure) and "_" not in figure.inner_text()


A = [[0.67, 0.09, 0.24], [0.09, 0.67, 0.24], [1 / 3, 1 / 3, 1 / 3]]
V = [[10, 0], [0, 10], [5, 5]]
HARD = {
    "values": {"left": A, "right": V},
    "scores": {"left": [[1, 0], [1, 2]], "right": [[2, 1, 0, 0], [0, 0, 1, 0.5]], "column": 3},
}  # fmt: skip


@pytest.mark.parametrize("name", HARD)
def test_matrices_with_little_to_find_ask_for_three_things_as_well(show, name):
    figure = look(show(ProductExplorable(**HARD[name])))
    assert figure.locator(".xp-goals li").count() == 3


def test_keys_and_pointer_choose_a_number(show):
    wanted, figure = ProductExplorable(left=np.eye(3) / 3, right=np.ones((3, 4)) / 7), None  # fmt: skip
    figure = look(page := show(wanted))
    field = figure.get_by_role("application")
    for key, row, column in (
        ("ArrowRight", 0, 1),
        ("ArrowDown", 1, 1),
        ("End", 1, 3),
        ("ArrowRight", 1, 3),
        ("ArrowUp", 0, 3),
        ("Home", 0, 0),
    ):
        field.press(key)
        settle(page)
        wanted.row, wanted.column = row, column
        assert_shows(figure, wanted)
    box = field.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.9)
    settle(page)
    wanted.row, wanted.column = 2, 2
    assert_shows(figure, wanted)


def test_whole_numbers_have_no_decimals(show):
    figure = look(show("product"))
    assert "2 · 1 + 0 · 0" in figure.locator(".xp-says").inner_text()


def test_what_is_rounded_is_not_said_to_be_equal(show):
    left, right = np.full((1, 3), 1 / 3), [[1, 0.5], [1, 0.5], [0, -1]]
    figure = look(page := show(ProductExplorable(left=left, right=right)))
    last = figure.locator(".xp-total")
    assert "0.33 · 1.00 + 0.33 · 1.00 + 0.33 · 0.00 ≈ 0.67:" in said(figure)
    assert last.locator("td").all_text_contents() == ["≈", "0.667"]
    figure.get_by_role("application").press("ArrowRight")
    settle(page)
    assert "+ 0.33 · (−1.00) = 0.00:" in said(figure)
    assert last.locator("td").all_text_contents() == ["≈", "0.000"]


def test_long_names_of_columns_lie_apart(show):
    figure = look(
        page := show(
            ProductExplorable(
                left=np.eye(4),
                right=np.ones((4, 3)),
                columns=["it", "remains", "leviathans"],
            )
        )
    )
    names = [name.bounding_box() for name in figure.locator(".xp-top-name").all()]
    ends = [name["x"] + name["width"] for name in names]
    assert all(end <= name["x"] + 0.5 for end, name in zip(ends, names[1:]))
    widths = "name => name.scrollWidth <= name.clientWidth"
    name = figure.get_by_text("remains", exact=True)
    assert name.evaluate(widths)
    box = name.bounding_box()  # columns are as wide as their names
    below = figure.get_by_role("application").bounding_box()
    for x in (box["x"] + 2, box["x"] + box["width"] - 2):
        page.mouse.move(x, below["y"] + 5)
        settle(page)
        assert "column “remains”" in said(figure)
        assert name.evaluate(widths)


def test_no_number_is_cut_on_a_phone(show):
    figure = look(show(random_product(2, 5, 5, 5), **PHONE))
    cut = (
        "all => all.filter(n => n.scrollWidth > n.clientWidth).map(n => n.textContent)"
    )
    assert figure.locator(".xp-number").evaluate_all(cut) == []


def test_matrices_are_given_once():
    with pytest.raises(TraitError, match="read-only"):
        ProductExplorable().left = [[1.0]]


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"left": [[1.0]]}, "left has 1 columns and right 4 rows"),
        ({"left": [[np.nan] * 4]}, "holds NaN"),
        ({"left": np.ones((6, 4))}, "up to 5 rows"),
        ({"rows": ["one"]}, "1 names of rows"),
    ],
)
def test_what_is_no_product_is_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        ProductExplorable(**changes)
