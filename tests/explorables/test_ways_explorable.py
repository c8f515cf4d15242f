"""The embedding map, live: Python's answers and neighbours, by way, text and words."""

import re

import numpy as np
import pytest
from live_pages import look, said, settle

from transformer_math.explorables import WaysExplorable
from transformer_math.explorables.embedding.ways import ASKED, TEXTS, places_of
from transformer_math.trained.word_ways import ON_MAP, WAYS


def lines(figure, number):
    """The words and cosines of one of the two tables."""
    rows = figure.locator("table").nth(number).locator("tbody tr")
    return [row.inner_text().split("\t") for row in rows.all()]


def dots_of(figure):
    """Where the words' dots stand in the picture: they are one path, and each begins at its left end."""
    d = figure.locator("svg path.xp-dot").get_attribute("d")
    begun = re.findall(r"M([-\d.]+),([-\d.]+)a([\d.]+),", d)
    return np.array([[float(x) + float(r), float(y)] for x, y, r in begun])


def assert_shows(figure, wanted):
    ranking = [line[1] for line in lines(figure, 0)]
    cosines = np.sort(wanted.cosines)[::-1][:5]
    assert ranking == wanted.answers()
    shown = [float(line[2].replace("−", "-")) for line in lines(figure, 0)]
    np.testing.assert_allclose(shown, cosines, atol=0.0051)
    for way, line in zip(WAYS, lines(figure, 1)):
        state = {name: getattr(wanted, name) for name in ("text", "a", "b", "c", "own")}
        assert line[:2] == [way, WaysExplorable(way=way, **state).answers()[0]]
    says = said(figure)
    near = re.search(r"Near “(.*?)” are (.*)\.$", says)
    assert near[1] == wanted.words[wanted.near]
    assert [one.split()[0] for one in near[2].split(", ")] == wanted.neighbours()


@pytest.mark.parametrize("seed", range(4))
def test_random_questions(show, seed):
    rng = np.random.default_rng(seed)
    a, b, c, near = rng.permutation(ON_MAP)[:4].tolist()
    text, way = str(rng.choice(list(TEXTS))), str(rng.choice(list(WAYS)))
    wanted = WaysExplorable(text=text, way=way, a=a, b=b, c=c, near=near, own=bool(rng.integers(2)))  # fmt: skip
    assert_shows(look(show(wanted)), wanted)


def test_controls_lead_where_python_would(show):
    wanted, figure = WaysExplorable(), look(page := show("ways"))
    assert_shows(figure, wanted)
    figure.get_by_role("radio", name="GloVe").check()
    figure.get_by_role("switch", name="these words may answer").click()
    settle(page)
    wanted.way, wanted.own = "GloVe", True
    assert_shows(figure, wanted)
    figure.get_by_role("radio", name="the book’s").check()
    settle(page)
    wanted.text = "book"
    wanted.a, wanted.b, wanted.c = places_of("book")
    wanted.near = wanted.b
    assert_shows(figure, wanted)
    assert [wanted.words[i] for i in (wanted.a, wanted.b, wanted.c)] == [*ASKED["book"]]
    figure.get_by_label("as c").select_option("their")
    settle(page)
    wanted.c = wanted.near = wanted.words.index("their")  # the ring goes to the word
    assert_shows(figure, wanted)


def test_a_word_asked_twice_leaves_the_plane_to_the_answers(show):
    wanted, figure = WaysExplorable(), look(page := show("ways"))
    wanted.b = wanted.a
    figure.get_by_label("is to b").select_option(wanted.words[wanted.a])
    settle(page)
    answer = wanted.answers()[0]
    assert f"the plane also goes through “{answer}”." in said(figure)
    shown = dots_of(figure)
    assert len(shown) == ON_MAP
    across, down = wanted.plane.T
    for drawn, meant in ((shown[:, 0], across), (shown[:, 1], -down)):
        assert np.corrcoef(drawn, meant)[0, 1] > 0.999999


def test_one_word_asked_three_times(show):
    figure = look(show(WaysExplorable(a=5, b=5, c=5)))
    through = re.search(r"goes through “(.*?)” and “(.*?)”\.", said(figure))
    wanted = WaysExplorable(a=5, b=5, c=5)
    assert [wanted.words[i] for i in wanted.corners[1:]] == list(through.groups())


def test_arrows_go_from_word_to_word(show):
    figure = look(page := show("ways"))
    grip = figure.get_by_role("slider", name="The word whose neighbours are told")
    names = set()
    grip.press("Home")
    for _ in range(4):
        settle(page)
        names.add(grip.get_attribute("aria-valuetext"))
        grip.press("ArrowRight")
    assert len(names) == 4


def test_a_dot_under_the_pointer_has_its_neighbours_told(show):
    wanted = WaysExplorable()
    figure = look(page := show("ways"))
    x, y = dots_of(figure)[wanted.words.index("france")]
    box = figure.locator("svg:has(path.xp-dot)").bounding_box()
    page.mouse.move(box["x"] + x, box["y"] + y)
    settle(page)
    assert "Near “france” are" in figure.locator(".xp-says").inner_text()


@pytest.mark.parametrize(("width", "height"), [(360, 170), (741, 145)])
def test_the_plane_has_room(show, width, height):
    """The words are spread over all the height that the figure can spare."""
    figure = look(show("ways", viewport={"width": width + 32, "height": 800}))
    assert np.ptp(dots_of(figure)[:, 1]) > height
