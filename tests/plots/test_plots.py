"""Pictures carry words and the page's ink, tables lose nothing, shown code is the package's."""

import base64
import inspect
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from bad_input import assert_refused, refusals
from matplotlib import rc_context
from PIL import Image

from transformer_math.attention import scores, softmax
from transformer_math.plots import (
    arcs,
    canvas,
    heatmap,
    heatmaps,
    matrix,
    picture,
    say,
    shapes,
    source,
    table,
)
from transformer_math.plots.symbols import plain
from transformer_math.position import rope

WORDS = "A heatmap of random numbers, for a test."


def plot(n):
    """A small plot of n points."""
    figure, axes = canvas()
    axes.plot(np.arange(n), np.arange(n) ** 2, marker="o")
    return picture(figure, WORDS)


def test_a_picture_is_sound_svg_with_its_words():
    figure, axes = canvas()
    axes.plot([0, 1], [0, 1])
    root = ET.fromstring(picture(figure, WORDS)._repr_html_())
    assert root.find("./div").attrib["role"] == "img"
    assert root.find("./div").attrib["aria-label"] == WORDS
    drawn = picture(figure, WORDS).svg
    assert "currentColor" in drawn
    assert "#010203" not in drawn
    assert "font-family" not in drawn  # the page's own font


def test_two_pictures_share_no_ids():
    ids = [set(re.findall(r'\bid="([^"]+)"', plot(n).svg)) for n in (3, 4)]
    assert ids[0] and not ids[0] & ids[1]


def test_every_reference_inside_a_picture_resolves():
    shown = plot(5)
    ids = set(re.findall(r'\bid="([^"]+)"', shown.svg))
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', shown.svg))
    assert used and used <= ids


def test_a_picture_is_the_same_every_time():
    assert heatmap(np.eye(3), alt=WORDS).svg == heatmap(np.eye(3), alt=WORDS).svg


def test_lines_keep_their_place_to_a_hundredth_of_a_point_and_no_more():
    figure, axes = canvas()
    noise = np.random.default_rng(3).standard_normal((300, 2)).cumsum(axis=0)
    with rc_context({"path.simplify": False}):
        axes.plot(*noise.T)
    longest = max(re.findall(r'\bd="([^"]*)"', picture(figure, WORDS).svg), key=len)
    numbers = re.findall(r"-?[\d.]+", longest)
    assert not [number for number in numbers if re.search(r"\.\d{3}", number)]
    drawn = np.array(numbers, float).reshape(-1, 2)[-300:] * [1, -1]
    wanted = axes.transData.transform(noise) * 72 / figure.dpi
    apart = drawn - wanted
    assert np.ptp(apart, axis=0).max() < 0.0101  # two halves of a hundredth


def cells(shown, kind="plus"):
    """The opacities and the titles of a heatmap's cells."""
    root = ET.fromstring(shown.svg.split("</svg>")[0] + "</svg>")
    paths = root.findall(f".//g[@class='{kind}']/path")
    return {
        path.find("title").text: float(path.get("fill-opacity", 1)) for path in paths
    }


def test_a_cell_holds_as_much_ink_as_its_number_and_says_it():
    shown = heatmap(
        np.array([[0.0, 0.5], [-1.0, -np.inf]]), WORDS, ["a", "b"], ["c", "d"]
    )
    assert cells(shown) == {"a, c: 0": 0.0, "a, d: 0.5": 0.5}
    assert cells(shown, "minus") == {"b, c: −1": 1.0}
    assert cells(shown, "masked") == {"b, d: −∞": 1.0}


def test_cells_are_square():
    for n, m in ((3, 3), (11, 11), (13, 9), (64, 64), (32, 5)):
        names = [list(map(str, range(size))) for size in (n, m)]
        for rows, columns in ([None, None], names):
            drawn = heatmap(np.ones((n, m)), WORDS, rows, columns).svg
            width, height = map(
                float, re.search(r"scale\(([\d.]+) ([\d.]+)\)", drawn).groups()
            )
            assert width == pytest.approx(height, rel=0.16), (n, m)


def test_a_large_matrix_is_an_image_whose_zero_is_the_page():
    values = np.linspace(-1, 1, 900).reshape(30, 30)
    data = re.search(r"base64,([^\"]+)", heatmap(values, WORDS).svg)[1]
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))))
    assert pixels.shape == (30, 30, 4)
    assert np.abs(pixels[..., 3] / 255 - np.abs(values)).max() < 0.003
    assert (pixels[0, 0, :3] == (0xA8, 0x40, 0x1A)).all()
    assert (pixels[-1, -1, :3] == (0x17, 0x50, 0x9A)).all()


def test_panels_are_cut_apart_and_a_bar_of_their_own_goes_with_them():
    figure, axes = canvas(7, 3, 1, 2)
    image = axes[0].imshow(np.eye(3))
    figure.colorbar(image, ax=axes[0])
    axes[1].plot([0, 1], label="a line")
    figure.legend(loc="outside lower center")
    drawings = [drawing for _, drawing in picture(figure, WORDS).panels]
    widths = [float(re.search(r'viewBox="0 0 ([\d.]+)', d)[1]) for d in drawings]
    assert len(drawings) == 3 and sum(widths[:2]) < 6.1 * 72
    assert ["a line" in d for d in drawings] == [False, False, True]
    assert drawings[0].count(">0.8</text>") == 1  # the bar's labels, on one side


def test_the_scale_of_several_heatmaps_stands_below_them_all():
    one = heatmap(np.eye(2), alt=WORDS)._repr_html_()
    two = heatmaps({"a": np.eye(2), "b": np.eye(2)}, alt=WORDS)
    assert "flex-basis:100%" not in one
    assert two._repr_html_().count("flex-basis:100%") == 1
    assert len(two.panels) == 2 and two.svg.endswith(two.scale)


def test_a_mask_has_no_scale_for_its_two_values():
    for matrices in ({"a": np.eye(2) > 0}, {"a": np.eye(2) > 0, "b": np.eye(2) < 1}):
        mask = heatmaps(matrices, alt=WORDS)
        assert not mask.scale and len(mask.panels) == len(matrices)
        assert "flex-basis:100%" not in mask._repr_html_()


def test_no_letter_is_too_small_on_a_phone():
    figure, axes = canvas(6, 3)
    axes.set_title("a small title", fontsize=5)
    drawn = picture(figure, WORDS).svg
    width = float(re.search(r"width:(\d+)px", drawn)[1])
    sizes = [
        float(size) * 4 / 3 for size in re.findall(r"font-size: ([\d.]+)px", drawn)
    ]
    assert min(sizes) * min(1, 322 / width) >= 10


def test_arcs_say_who_attends_to_whom():
    weights = np.array([[0.6, 0.4, 0.0], [0.99, 0.0, 0.01], [0.0, 1.0, 0.0]])
    drawn = ET.fromstring(arcs(weights, ["I", "am", "$x_1$"], WORDS).svg)
    said = {
        title.text: parent
        for parent in drawn.iter()
        for title in parent.findall("title")
    }
    assert list(said) == [
        "I → itself: 0.6",
        "I → am: 0.4",
        "am → I: 0.99",
        "x_1 → am: 1",
    ]
    ahead, back = said["I → am: 0.4"], said["am → I: 0.99"]
    assert float(back.get("stroke-width")) > float(ahead.get("stroke-width"))
    assert back.get("stroke") != ahead.get("stroke")
    assert float(drawn.get("viewBox").split()[2]) <= 340


def test_shapes_draw_all_matrices_to_one_scale_with_their_numbers():
    A, B = np.array([[1.0, -2.0, 0.5], [0.0, 4.0, 1.0]]), np.ones((3, 1))
    drawn = shapes(("$A$", A), "·", ("$B$", B), "=", ("", A @ B), alt=WORDS, rows=["I", "am"])  # fmt: skip
    svgs = [ET.fromstring(drawing) for _, drawing in drawn.panels]
    frames = [svg.find("rect") for svg in svgs]
    sizes = [(float(f.get("width")), float(f.get("height"))) for f in frames if f is not None]  # fmt: skip
    side = sizes[0][0] / 3
    np.testing.assert_allclose(sizes, [(3 * side, 2 * side), (side, 3 * side), (side, 2 * side)], rtol=1e-3)  # fmt: skip
    words = ["".join(text.itertext()) for svg in svgs for text in svg.iter("text")]
    assert words == ["I", "am", "2 × 3", "·", "3 × 1", "=", "2 × 1"]
    titles = [title.text for title in svgs[0].iter("title")]
    assert set(titles) == {
        "I, column 0: 1", "I, column 1: −2", "I, column 2: 0.5",
        "am, column 0: 0", "am, column 1: 4", "am, column 2: 1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "rows", "wanted"),
    [
        ((("$x$", np.ones(3)),), (), "matrices"),
        (("=",), (), "matrices"),
        ((("$x$", np.ones((2, 3))),), ("I",), "one name for each row"),
    ],
)
def test_shapes_refuse_what_is_no_matrix_and_names_that_do_not_fit(parts, rows, wanted):
    with pytest.raises(ValueError, match=wanted):
        shapes(*parts, alt=WORDS, rows=rows)


def test_a_cell_ends_no_line_within_a_date_a_size_a_point_or_a_heads_name():
    cells = ["on 1851-10-18", "4 × 11 × 11", "(-1.1, 0)", "layer 1, head 0", "$4 × 2$"]
    page = table(["a", "b", "c", "d", "e"], [cells])._repr_html_()
    joined = {"on 1851‑10‑18", "4_×_11_×_11", "(−1.1,_0)", "layer_1,_head_0"}
    found = re.findall(">([^<>]+)</t[hd]>", page)
    assert joined <= {text.replace("\N{NO-BREAK SPACE}", "_") for text in found}
    assert "<span" in page and "$" not in page


@pytest.mark.parametrize(
    "tex, typed",
    [
        (r"-\ln p", "−ln\u2009p"),
        (r"\log_2 N", "log_2\u2009N"),
        (r"4 \ln 3", "4\u2009ln\u20093"),
        (r"\sin(i/100)", "sin(i/100)"),
        (r"\sin\, i", "sin\u2009i"),
        (r"d_{\max} x", "d_maxx"),
        ("a - b", "a\u2009−\u2009b"),
    ],
)
def test_names_of_functions_keep_a_distance(tex, typed):
    assert plain(f"${tex}$") == typed


def test_symbols_are_typeset_in_tables_and_pictures():
    shown = table(
        ["$d_k$", ""],
        [["$W^Q$", r"$\sqrt{d_{\text{model}}}$ & <1>"]],
        "costs $5 and $6",
    )
    page = shown._repr_html_()
    assert '<span class="symbol"><i>d</i><sub><i>k</i></sub></span>' in page
    assert "<i>W</i><sup><i>Q</i></sup>" in page
    assert "√<i>d</i><sub>model</sub></span> &amp; &lt;1&gt;" in page
    assert "costs $5 and $6" in page
    figure, axes = canvas()
    axes.set_xlabel("$d_k$ and on")
    drawn = picture(figure, WORDS).svg
    assert "$" not in drawn and "<tspan" in drawn
    ET.fromstring(drawn)


def test_words_stand_to_the_left_and_numbers_to_the_right():
    head = ["", "words", "numbers", "shares", "units", "nothing", "both", "spread"]
    rows = [
        ["a", "3 × low", "-2.04", "12.5%", "0.26 ms", "—", "4842", "91 (90 to 92)"],
        ["b", "14 of them", "1e-7", "< 1%", "98 ms", "", "[UNK]", "2 of 3"],
        ["c", "0 (none)", -np.inf, "–", "more than 172 ms", "…", "17", "0.1 ± 0.2"],
    ]
    page = table(head, rows)._repr_html_()
    cells = re.findall(r"<t[dh]( scope=.col.)?( class=.words.)?>([^<]+)<", page)
    left = {text for _, side, text in cells if side}
    assert left == {"words", "3 × low", "14 of them", "0 (none)"}
    assert {"−2.04", "12.5\u00a0%", "more than 172 ms", "[UNK]"} <= {
        c[2] for c in cells
    }
    assert "words" not in table(head, [])._repr_html_().replace(">words<", "")
    assert ">91 (90\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}92)<" in page


def test_an_empty_corner_is_no_heading():
    assert (
        "<th></th>" not in (page := matrix(np.eye(2))._repr_html_())
        and "<td></td>" in page
    )
    assert "></th>" not in page


def test_sentences_print_real_minus_signs():
    said = say(
        "−1 is -1, (-0.5) is 5e-07 more; `x[-1]`, $-1$, 1790-1800, well-known, GPT-2."
    ).text
    assert (
        said
        == "−1 is −1, (−0.5) is 5e−07 more; `x[-1]`, $-1$, 1790-1800, well-known, GPT-2."
    )


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


def test_a_condition_that_functions_share_is_left_out_too():
    assert inspect.getsource(inspect.unwrap(rope)).count("@") >= 2
    assert source(rope).code.startswith("def rope(")


@refusals(
    (
        "picture without words",
        lambda: picture(canvas()[0], alt="picture"),
        ("alt is 'picture'",),
    ),
    (
        "unknown symbol",
        lambda: table([r"$\heartsuit$"], [])._repr_html_(),
        (r"\heartsuit", "Fix:"),
    ),
    (
        "arcs of another sentence",
        lambda: arcs(np.eye(2), ["a"], alt=WORDS),
        ("shape (2, 2)", "1 tokens"),
    ),
    ("row too short", lambda: table(["a", "b"], [[1]]), ("1 cells", "head of 2")),
)
def test_bad_input(call, words):
    assert_refused(call, words)


def test_long_numbers_at_an_axis_are_grouped_as_in_the_text():
    figure, axes = canvas()
    axes.plot([0, 20_000], [0.00012, 1.5])
    axes.set_xticks([0, 5_000, 20_000])
    html = picture(figure, "A line that rises from left to right.")._repr_html_()
    assert "20\u202f000" in html and "5\u202f000" in html
    assert not re.search(r"\d\.\d*\u202f", html)
