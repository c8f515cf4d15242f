"""Pictures carry words and the page's ink, tables lose nothing, shown code is the package's."""

import inspect
import re
import xml.etree.ElementTree as ET

import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.attention import scores, softmax
from transformer_math.plots import (
    canvas,
    heatmap,
    heatmaps,
    matrix,
    picture,
    source,
    table,
)

WORDS = "A heatmap of random numbers, for a test."


def test_a_picture_is_sound_svg_with_its_words():
    shown = heatmap(np.eye(3), alt=WORDS, rows=list("abc"), columns=list("abc"))
    root = ET.fromstring(shown.svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == WORDS
    assert "currentColor" in shown.svg
    assert "#010203" not in shown.svg


def test_two_pictures_share_no_ids():
    a, b = (heatmap(np.eye(n), alt=WORDS) for n in (3, 4))
    ids = [set(re.findall(r'\bid="([^"]+)"', shown.svg)) for shown in (a, b)]
    assert ids[0] and not ids[0] & ids[1]


def test_every_reference_inside_a_picture_resolves():
    shown = heatmaps({"a": np.eye(3), "b": -np.eye(3)}, alt=WORDS)
    ids = set(re.findall(r'\bid="([^"]+)"', shown.svg))
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', shown.svg))
    assert used and used <= ids


def test_a_picture_is_the_same_every_time():
    assert heatmap(np.eye(3), alt=WORDS).svg == heatmap(np.eye(3), alt=WORDS).svg


def test_a_matrix_shows_its_corner_and_says_that_there_is_more():
    shown = matrix(np.arange(30.0).reshape(3, 10), most=4)
    assert shown.head == ("", "0", "1", "2", "3", "…")
    assert shown.rows[1][1] == "10.000"


def test_numbers_read_well():
    rows = table(["a", "b", "c", "d", "e"], [[1234567, -0.5, -np.inf, 1e-7, True]]).rows
    assert rows == (("1\u202f234\u202f567", "−0.500", "−∞", "1.00e−07", "yes"),)


def test_shown_code_is_the_package_code_but_for_the_docstring():
    shown = source(softmax).code
    assert '"""Turn each row of scores into weights."""' in shown
    real = inspect.getsource(softmax)
    assert all(line in real for line in shown.splitlines() if '"""' not in line)
    assert shown.splitlines()[-1] == real.rstrip().splitlines()[-1]


def test_several_functions_are_shown_one_after_the_other():
    assert source(softmax, scores).code.count("\ndef ") + 1 == 2


@refusals(
    (
        "picture without words",
        lambda: picture(canvas()[0], alt="picture"),
        ("alt is 'picture'",),
    ),
    ("row too short", lambda: table(["a", "b"], [[1]]), ("1 cells", "head of 2")),
)
def test_bad_input(call, words, plain_types):
    assert_refused(call, words)
