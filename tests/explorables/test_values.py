"""What a live page shows are Python's numbers, for the state in the page and for every state that a control leads to."""

import re
from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from live_pages import PHONE, look, said, settle, slide
from PIL import Image

from transformer_math.explorables import (
    BlockwiseExplorable,
    RopeExplorable,
    ScaledDotProductExplorable,
    SinusoidalExplorable,
)
from transformer_math.explorables.attention.vocabulary import known_vectors
from transformer_math.position import frequencies, wavelengths

TABLE = "table => [...table.tBodies[0].rows].filter(r => !r.hidden).map(r => [...r.cells].map(c => c.textContent))"


def ink(canvas, rows, columns):
    """The ink in the middle of each cell of a heatmap: the share of opacity, negative where red outweighs blue."""
    data = canvas.evaluate("canvas => canvas.toDataURL()").partition(",")[2]
    pixels = np.array(Image.open(BytesIO(b64decode(data))).convert("RGBA"), float)
    height, width = pixels.shape[:2]
    y, x = (np.arange(k) + 0.5 for k in (rows, columns))
    y, x = (y * height / rows).astype(int), (x * width / columns).astype(int)
    r, _, b, a = np.moveaxis(pixels[np.ix_(y, x)], -1, 0)
    return np.where(r > b, -1, 1) * a / 255


def written(x, digits=2):
    """A number as the page writes it."""
    if x == -np.inf:
        return "−∞"
    digits = 0 if abs(x) >= 1000 else digits
    text = f"{abs(x):.{digits}f}"
    return f"−{text}" if x < 0 and float(text) else text


def random_attention(seed):
    rng = np.random.default_rng(seed)
    words = [*rng.choice(known_vectors()[0], size=rng.integers(1, 14)), "Übercomputer"]
    return ScaledDotProductExplorable(
        sentence=" ".join(rng.permutation(words)),
        head=str(rng.choice(["similar", "previous", "both"])),
        scaled=bool(rng.random() < 0.5),
        causal=bool(rng.random() < 0.5),
        temperature=float(rng.uniform(0.1, 4)),
        row=int(rng.integers(len(words))),
        column=int(rng.integers(len(words))),
    )


def assert_shows_attention(figure, wanted, row):
    """The heatmap's ink, the steps of one row, and the readout are those of the Python object."""
    weights, n = wanted.weights, len(wanted.tokens)
    shown = ink(figure.locator(".xp-field canvas"), n, n)
    allowed = np.tril(np.ones((n, n), bool)) if wanted.causal else np.ones((n, n), bool)
    np.testing.assert_allclose(
        np.where(allowed, shown, 0), np.where(allowed, weights, 0), atol=0.006
    )
    lines = figure.locator(".xp-steps").evaluate(TABLE)
    raw = wanted.Q_in_use @ wanted.K_in_use.T
    d_k = wanted.Q_in_use.shape[1]
    scores = raw / (np.sqrt(d_k) if wanted.scaled else 1) / wanted.temperature
    masked = np.where(allowed, scores, -np.inf)
    columns = [raw[row], scores[row], masked[row], weights[row]]
    assert [line[0] for line in lines] == wanted.tokens
    for numbers, column in zip(columns, range(1, 5)):
        shown = [line[column].replace("−", "-").replace("∞", "inf") for line in lines]
        coarse = np.abs(numbers) >= 1000  # written without decimals
        numbers, shown = (np.nan_to_num(x) for x in (numbers, np.array(shown, float)))
        assert (np.abs(shown - numbers) <= np.where(coarse, 0.501, 0.00501)).all()


@pytest.mark.parametrize("seed", range(6))
def test_attention_of_random_states(show, seed):
    explorable = random_attention(seed)
    figure = look(show(explorable))
    assert_shows_attention(figure, explorable, explorable.row)
    weight = explorable.weights[explorable.row, explorable.column]
    tokens = [explorable.tokens[explorable.row], explorable.tokens[explorable.column]]
    readout = figure.locator(".xp-legend").inner_text()
    assert readout == f"“{tokens[0]}” → “{tokens[1]}”: {weight:.3f}"


def test_attention_controls_lead_where_python_would(show):
    wanted = ScaledDotProductExplorable()
    figure = look(page := show("scaled_dot_product"))
    for change, act in (
        ({"sentence": "the white whale and the sea"}, lambda: figure.get_by_label("Sentence").fill("the white whale and the sea")),
        ({"head": "previous"}, lambda: figure.get_by_role("radio", name="previous token").check()),
        ({"head": "both"}, lambda: figure.get_by_role("radio", name="both").check()),
        ({"scaled": False}, lambda: figure.get_by_role("switch", name="divide by").click()),
        ({"causal": True}, lambda: figure.get_by_role("switch", name="causal mask").click()),
        ({"temperature": 2.5}, lambda: slide(figure, "Temperature", 2.5)),
        ({"row": 4}, lambda: figure.get_by_label("Query", exact=True).select_option(index=4)),
    ):  # fmt: skip
        for name, value in change.items():
            setattr(wanted, name, value)
        act()
        settle(page)
        assert_shows_attention(figure, wanted, min(wanted.row, len(wanted.tokens) - 1))


def test_arcs_show_the_weights_of_the_chosen_query(show):
    wanted = ScaledDotProductExplorable(causal=True)
    for width in (800, 360):
        page = show(
            ScaledDotProductExplorable(view="arcs", causal=True),
            viewport={"width": width, "height": 900},
        )
        figure = look(page)
        figure.get_by_role("button", name="remains").click()
        settle(page)
        buttons = figure.locator(".xp-arcs button:visible")
        shown = buttons.evaluate_all(
            "bs => bs.map(b => [...b.children].map(c => c.textContent))"
        )
        numbers = [written(w) for w in wanted.weights[3]]
        assert shown == [list(pair) for pair in zip(wanted.tokens, numbers)]
        assert (
            buttons.nth(3).get_attribute("aria-pressed") == "true"
            and figure.locator("[aria-pressed=true]").count() == 1
        )


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (11, "(column 11) the weight 0.41, as much as “opinion” (column 2); no key gets more. "),
        (0, "(column 0) the weight 0.00, and most to “opinion” (column 2) and 1 more key: 0.41 each. "),
    ],
)  # fmt: skip
def test_keys_with_the_same_weight_are_told_as_a_tie(show, column, words):
    figure = look(show(ScaledDotProductExplorable(column=column)))
    assert words in figure.locator(".xp-says").inner_text()


def test_the_largest_weight_is_told_once(show):
    figure = look(show(ScaledDotProductExplorable(row=0, column=0)))
    says = figure.locator(".xp-says").inner_text()
    assert says.startswith("“My” (row 0) gives “My” (column 0) the weight 0.")
    assert ", the most of all keys. " in says


def test_the_key_in_sight_has_a_frame_in_the_table_and_no_name_is_indented(show):
    table = look(show("scaled_dot_product")).locator(".xp-steps")
    line = table.locator(".xp-chosen")
    assert line.evaluate("n => getComputedStyle(n).outlineStyle") == "solid"
    names = table.locator("th[scope=row]:visible")
    assert set(names.evaluate_all("all => all.map(n => getComputedStyle(n).paddingLeft)")) == {"0px"}  # fmt: skip


def test_words_that_the_novel_lacks_do_not_move_what_is_below(show):
    figure = look(page := show("scaled_dot_product", **PHONE))
    room = figure.locator(".explorable-room")
    before = room.bounding_box()["height"]
    for stem in ("whale", "whalemonger", "zq"):
        text = " ".join(f"{stem}{letter}" for letter in "abcdefghijklmnop")
        figure.get_by_label("Sentence").fill(text)
        settle(page)
        assert room.bounding_box()["height"] == pytest.approx(before, abs=4)


def test_edited_numbers_count(show):
    figure = look(page := show("scaled_dot_product"))
    figure.get_by_text("Edit the query’s").click()
    figure.get_by_label("Q, row 2, dimension 0", exact=True).fill("40")
    figure.get_by_label("K, row 11, dimension 1", exact=True).fill("-7")
    settle(page)
    wanted = ScaledDotProductExplorable()
    # an edit takes over five digits after the point, which a link can hold
    Q, K = wanted.Q_in_use.round(5), wanted.K_in_use.round(5)
    Q[2, 0], K[11, 1] = 40, -7
    wanted.Q, wanted.K = Q, K
    assert_shows_attention(figure, wanted, 2)
    assert "edited" in figure.locator(".xp-note").inner_text()
    figure.get_by_role("button", name="Back to").click()
    settle(page)
    assert_shows_attention(figure, ScaledDotProductExplorable(), 2)


@pytest.mark.parametrize("wrong", ["1e308", "-1e308", "1e999", "1000.01", ""])
def test_a_number_that_is_too_large_is_refused_in_words(show, wrong):
    figure = look(page := show("scaled_dot_product"))
    figure.get_by_text("Edit the query’s").click()
    field = figure.get_by_label("Q, row 2, dimension 0", exact=True)
    field.fill(wrong)
    settle(page)
    words = figure.locator(".xp-problem:visible").inner_text()
    assert "wanted a number from −1\u202f000 to 1\u202f000" in words
    assert field.get_attribute("aria-invalid") == "true"
    assert_shows_attention(figure, ScaledDotProductExplorable(), 2)
    assert "NaN" not in figure.inner_text() and "undefined" not in figure.inner_text()
    field.fill("3")
    settle(page)
    assert figure.locator(".xp-problem:visible").count() == 0


def test_what_is_left_out_is_said(show):
    figure = look(page := show("scaled_dot_product"))
    figure.get_by_label("Sentence").fill(
        "one two three four five six seven eight nine ten a b c d e f last <b>"
    )
    note = figure.locator(".xp-note").inner_text()
    assert "first 16 tokens" in note and "“last”" in note and "“<” “b” “>”" in note
    assert "letters" in note and "“c”" in note and "“seven”" not in note
    figure.get_by_label("Sentence").fill("  ")
    settle(page)
    assert "Type a word" in figure.locator(".xp-note").inner_text()
    figure.get_by_label("Sentence").fill("word")
    settle(page)
    assert "1 token," in figure.locator(".xp-says").inner_text()


def test_strange_text_stays_inside(show):
    figure = look(page := show("scaled_dot_product"))
    for text in ("a" * 10_000 + " sea", "👩\u200d🚀 👍🏽 sea", "\u202e\u200bsea"):
        figure.get_by_label("Sentence").fill(text)
        settle(page)
        explorable = ScaledDotProductExplorable(sentence=text)
        lines = figure.locator(".xp-steps").evaluate(TABLE)
        assert [line[0] for line in lines] == explorable.tokens
        assert page.evaluate("document.documentElement.scrollWidth") <= 800
        assert figure.bounding_box()["height"] < 1100
    figure.get_by_label("Sentence").fill("b" * 300)
    assert figure.locator(".xp-row-name").first.get_attribute("title") == "b" * 300


# ---- waves ----


def numbers_of(text):
    return [float(x.replace("−", "-")) for x in re.findall(r"−?\d+(?:\.\d+)?", text)]


def points(figure, selector):
    """The points of a path."""
    d = figure.locator(selector).get_attribute("d")
    return np.array([pair.split(",") for pair in d[1:].split("L")], float)


def assert_shows_waves(figure, wanted):
    P, d = wanted.encoding, wanted.d_model
    shown = ink(figure.locator("canvas"), d, wanted.n_positions)
    np.testing.assert_allclose(shown, P.T, atol=0.005)
    wave = points(figure, ".xp-curve.xp-position")
    place = np.interp(wave[:, 0], [wave[0, 0], wave[-1, 0]], [-0.5, wanted.n_positions - 0.5])  # fmt: skip
    omega = frequencies(d, wanted.base)[wanted.dimension // 2]
    curve = (np.cos if wanted.dimension % 2 else np.sin)(omega * place)
    np.testing.assert_allclose((346 - wave[:, 1]) / 42, curve, atol=0.05)
    says = figure.locator(".xp-says").inner_text()
    length = wavelengths(d, wanted.base)[wanted.dimension // 2]
    long = f"{length:.1f}" if length < 1000 else f"{length:,.0f}".replace(",", "\u202f")
    assert f"a wave {long} positions long" in says
    product = written(wanted.similarity)
    assert f"P[p] · P[q] = {product} of at most {d // 2}." in says


@pytest.mark.parametrize("seed", range(4))
def test_waves_of_random_states(show, seed):
    rng = np.random.default_rng(seed)
    d, n = 2 * int(rng.integers(2, 65)), int(rng.integers(8, 257))
    explorable = SinusoidalExplorable(
        d_model=d,
        n_positions=n,
        base=float(10 ** rng.uniform(1, 5)),
        dimension=int(rng.integers(d)),
        position=int(rng.integers(n)),
        other=int(rng.integers(n)),
    )
    assert_shows_waves(look(show(explorable)), explorable)


def test_waves_controls_lead_where_python_would(show):
    wanted, figure = SinusoidalExplorable(), look(page := show("sinusoidal"))
    for trait, label, value in (
        ("dimension", "Dimension drawn as a wave", 31),
        ("d_model", "Dimensions dmodel", 12),
        ("n_positions", "Positions", 20),
        ("dimension", "Dimension drawn as a wave", 3),
    ):
        setattr(wanted, trait, value)
        slide(figure, label, value)
        settle(page)
        assert_shows_waves(figure, wanted)
    slide(figure, "Base", 2)
    wanted.base = 100.0
    settle(page)
    assert_shows_waves(figure, wanted)


def test_positions_come_back_with_the_room_for_them(show):
    figure = look(page := show("sinusoidal"))

    def flags(count):
        slide(figure, "Positions", count)
        settle(page)
        places = [figure.get_by_role("slider", name=f"Position {x}") for x in "pq"]
        return [int(place.get_attribute("aria-valuenow")) for place in places]

    assert flags(12) == [11, 11]
    assert flags(8) == [7, 7]
    assert flags(25) == [20, 24]
    figure.get_by_role("slider", name="Position q").press("ArrowLeft")
    settle(page)
    assert flags(100) == [20, 23]  # chosen anew, where there was no room
    slide(figure, "Dimensions dmodel", 4)
    slide(figure, "Dimensions dmodel", 32)
    settle(page)
    assert "Dimension 6 is " in said(figure)


# ---- RoPE ----


def assert_shows_rope(figure, wanted):
    """Both dot products, the tips of the arrows, and the curve over all offsets."""
    pair = slice(2 * wanted.plane, 2 * wanted.plane + 2)
    query, key = wanted.rotated
    shown = figure.locator(".xp-legend span").all_inner_texts()
    assert shown[0] == f"plane {wanted.plane}: {written(query[pair] @ key[pair])}"
    assert shown[1] == f"all {wanted.d // 2} planes: {written(wanted.dot_product)}"
    radius = float(figure.locator("circle.xp-line").get_attribute("r"))
    for letter, tip in (("q", query[pair]), ("k", key[pair])):
        place = figure.get_by_role("slider", name=f"Vector {letter}")
        x, y = numbers_of(place.get_attribute("transform").replace("-", "−"))
        np.testing.assert_allclose([x, -y], radius * tip, atol=1e-6 * radius)
    curve = points(figure, ".xp-curve.xp-muted")
    offsets = np.linspace(-40, 40, len(curve))
    omegas = frequencies(wanted.d, wanted.base) / wanted.scale
    q, k = (np.array(x[: wanted.d]).view(complex) for x in (wanted.query, wanted.key))
    values = (q.conj() * k * np.exp(1j * offsets[:, None] * omegas)).real.sum(axis=1)
    middle, unit = np.polyfit(values, curve[:, 1], 1)[::-1]
    np.testing.assert_allclose(curve[:, 1], middle + unit * values, atol=0.06)
    assert unit < 0


@pytest.mark.parametrize("seed", range(4))
def test_rope_of_random_states(show, seed):
    rng = np.random.default_rng(seed)
    d = 2 * int(rng.integers(1, 9))
    explorable = RopeExplorable(
        i=int(rng.integers(41)),
        j=int(rng.integers(41)),
        d=d,
        plane=int(rng.integers(d // 2)),
        base=float(10 ** rng.uniform(1, 5)),
        scale=int(rng.integers(1, 9)),
        query=rng.uniform(-1, 1, size=16).tolist(),
        key=rng.uniform(-1, 1, size=16).tolist(),
    )
    assert_shows_rope(look(show(explorable)), explorable)


def test_rope_controls_lead_where_python_would(show):
    wanted, figure = RopeExplorable(), look(page := show("rope"))
    for trait, label, value in (
        ("plane", "Plane", 3),
        ("i", "Query’s position i", 9),
        ("j", "Key’s position j", 30),
        ("d", "Dimensions d", 4),
        ("scale", "Positions divided by s", 4),
    ):
        setattr(wanted, trait, value)
        slide(figure, label, value)
        settle(page)
        assert_shows_rope(figure, wanted)


def test_rope_pairs_are_constant_along_diagonals(show):
    """The map in ink is Python's, and a click in it leads to its pair."""
    wanted = RopeExplorable(base=100.0, scale=3)
    figure = look(page := show(wanted))
    figure.get_by_role("radio", name="all pairs").check()
    settle(page)
    values = wanted.products
    canvas = figure.locator(".xp-pairs canvas")
    shown = ink(canvas, *values.shape)
    np.testing.assert_allclose(shown, values / np.abs(values).max(), atol=0.02)
    for offset in range(-40, 41):
        assert np.ptp(np.diagonal(values, offset)) < 1e-9
    box = canvas.bounding_box()
    page.mouse.click(box["x"] + 30.5 / 41 * box["width"], box["y"] + 12.5 / 41 * box["height"])  # fmt: skip
    settle(page)
    wanted.i, wanted.j = 12, 30
    assert_shows_rope(figure, wanted)


def test_rope_dot_product_stays_put_when_both_move(show):
    figure = look(page := show("rope"))
    before = figure.locator(".xp-legend").inner_text()
    slide(figure, "Move both together", 30)
    settle(page)
    assert figure.locator(".xp-legend").inner_text() == before
    assert_shows_rope(figure, RopeExplorable(i=32, j=30))


def test_offset_is_key_minus_query(show):
    figure = look(show(RopeExplorable(i=10, j=3)))
    assert "Offset −7:" in figure.locator(".xp-says").inner_text()


@pytest.mark.parametrize("letter", "qk")
def test_rope_vectors_turn_and_stretch(show, letter):
    figure = look(page := show("rope"))
    handle = figure.get_by_role("slider", name=f"Vector {letter}")
    for act, by in (
        (lambda: page.keyboard.press("ArrowRight"), [5, 0]),
        (lambda: page.keyboard.press("ArrowDown"), [0, -0.05]),
        (lambda: drag(page, handle, -40, -60), None),
    ):
        before = tip(handle)
        handle.focus()
        act()
        settle(page)
        if by is not None:
            assert (np.abs(tip(handle) - before - by) <= [1.01, 0.011]).all()
        else:
            assert np.abs(tip(handle) - before).max() > 1


def tip(handle):
    """The angle in degrees, and the length."""
    return np.array(numbers_of(handle.get_attribute("aria-valuetext")))


def drag(page, locator, dx, dy):
    box = locator.locator(".xp-grip, .xp-flag").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=3)
    page.mouse.up()


def test_dragging_a_flag_moves_by_as_many_positions(show):
    figure = look(page := show("sinusoidal"))
    flag = figure.get_by_role("slider", name="Position p")
    column = figure.locator("canvas").bounding_box()["width"] / 64
    drag(page, flag, 10 * column, 0)
    settle(page)
    assert flag.get_attribute("aria-valuenow") == "30"
    box = figure.locator(".xp-map").bounding_box()
    page.mouse.click(box["x"] + 200, box["y"] + box["height"] * 30.5 / 32)
    settle(page)
    assert "Dimension 30 is sin" in figure.locator(".xp-says").inner_text()


# ---- one module for many figures ----


def test_a_page_can_hold_several_and_they_are_independent(show):
    page = show("scaled_dot_product", "sinusoidal", "rope", "rope")
    figures = [look(page, k) for k in range(4)]
    before = [f.locator(".xp-says").inner_text() for f in figures]
    figures[3].get_by_label("Query’s position i").press("ArrowRight")
    settle(page)
    after = [f.locator(".xp-says").inner_text() for f in figures]
    assert before[:3] == after[:3] and before[3] != after[3]


def test_two_views_of_one_model_agree_and_clean_up(show):
    """As in a notebook: the whole module, a model that both share, and views that go."""
    page = show("sinusoidal")
    look(page)
    explorable = RopeExplorable()
    outcome = page.evaluate(
        """async ([state, source]) => {
          const url = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
          const module = await import(url);
          const listeners = {};
          const model = {get: n => state[n], save_changes() {},
            set(n, v) { state[n] = v; (listeners[`change:${n}`] ?? []).forEach(f => f()); },
            on(e, f) { (listeners[e] ??= []).push(f); }, off(e, f) { listeners[e] = listeners[e].filter(g => g !== f); }};
          const frames = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
          const views = [0, 1].map(() => document.body.appendChild(document.createElement('div')));
          const stops = await Promise.all(views.map(el => module.default.render({model, el})));
          model.set('i', 11);
          await frames();
          const said = views.map(el => el.querySelector('.xp-says').textContent);
          stops.forEach(stop => stop());
          return {said, left: Object.values(listeners).flat().length, html: views.map(el => el.innerHTML).join('')};
        }""",
        [explorable.state() | {"bounds": explorable.bounds}, explorable._esm],
    )
    assert all("q at position 11" in text for text in outcome["said"])
    assert outcome["left"] == 0 and outcome["html"] == ""


@pytest.mark.parametrize(
    ("row", "tile", "read"), [(2, 4, 1), (7, 5, 3), (11, 1, 9), (12, 13, 1), (0, 3, 0)]
)
def test_tiles_show_the_running_state(show, row, tile, read):
    wanted = BlockwiseExplorable(row=row, tile=tile, read=read)
    figure = look(show(wanted))
    lines = figure.locator(".xp-tiles").evaluate(TABLE)
    (m,), (l,), (o,) = wanted.running
    seen = [j < read * tile for j in range(len(o))]
    columns = [
        wanted.tokens,
        [written(s) for s in wanted.scores[row]],
        [written(a) for a in wanted.weights],
        [written(x) if old else "–" for x, old in zip(o, seen)],
        [written(x / l) if old else "–" for x, old in zip(o, seen)],
    ]
    assert lines == [list(line) for line in zip(*columns)]
    facts = figure.locator(".xp-legend b").all_inner_texts()
    assert facts[:2] == [written(m), written(l)]


def test_the_scrubber_reads_tile_after_tile(show):
    page = show("blockwise")
    figure = look(page)
    figure.get_by_role("slider", name="Tiles read").focus()
    for read in (2, 3, 4):
        page.keyboard.press("ArrowRight")
        settle(page)
        (m,), (l,), _ = BlockwiseExplorable(read=read).running
        facts = figure.locator(".xp-legend b").all_inner_texts()
        assert facts[:2] == [written(m), written(l)]
    assert "the weights are those of softmax" in figure.locator(".xp-says").inner_text()
    page.keyboard.press("ArrowRight")
    settle(page)
    value = figure.get_by_role("slider", name="Tiles read").get_attribute(
        "aria-valuetext"
    )
    assert value == "4 of 4"
