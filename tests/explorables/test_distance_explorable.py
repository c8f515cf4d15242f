"""Positions side by side, live: Python's favourite distances and losses, by kind, head and task."""

import numpy as np
import pytest
from live_pages import look, settle, slide

from transformer_math.explorables import DistanceExplorable
from transformer_math.explorables._words import plural
from transformer_math.explorables.position.distance import KINDS, TASKS
from transformer_math.trained.placed import CONTEXT, N_HEADS


def assert_shows(figure, wanted):
    says = figure.locator(".xp-says").inner_text()
    layer, head = divmod(wanted.head, N_HEADS)
    inside = wanted.head_scores[:CONTEXT]
    best = int(np.argmax(inside))
    digits = 2 if best < CONTEXT // 2 else 1  # as many as the page carries
    assert f"layer {layer + 1}, head {head} scores highest at {best}, {inside[best]:.{digits}f} above" in says  # fmt: skip
    assert f"The loss is {wanted.losses[1]:.2f} nats at places 16 to 31" in says
    beyond = wanted.head_scores[CONTEXT:]
    if beyond:
        far = wanted.distances[CONTEXT + int(np.argmax(beyond))]
        alike = int(np.isclose(beyond, max(beyond)).sum()) - 1
        more = f", as {'do' if alike > 1 else 'does'} {plural(alike, 'other')}"
        assert (
            f"Of longer ones, {far} scores highest{more * (alike > 0)}: {abs(max(beyond)):.1f}"
            in says
        )
        assert f"and {wanted.losses[-1]:.2f} at places 240 to 255" in says
    else:
        assert "the table has no row" in says and "240" not in says


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(show, kind):
    rng = np.random.default_rng(len(kind))
    wanted = DistanceExplorable(kind=kind, head=int(rng.integers(8)), task=str(rng.choice(list(TASKS))))  # fmt: skip
    assert_shows(look(show(wanted)), wanted)


def test_controls_lead_where_python_would(show):
    wanted, figure = DistanceExplorable(), look(page := show("distance"))
    assert_shows(figure, wanted)
    for label, kind in (("learned", "learned"), ("sine", "sinusoidal")):
        figure.get_by_role("radio", name=label).check()
        slide(figure, "Head", 5)
        settle(page)
        wanted.kind, wanted.head = kind, 5
        assert_shows(figure, wanted)
    figure.get_by_role("radio", name=TASKS["copying"]).check()
    settle(page)
    wanted.task = "copying"
    assert_shows(figure, wanted)


def test_distances_with_the_same_score_are_told_as_a_tie(show):
    figure = look(show(DistanceExplorable(kind="none", head=4)))
    assert "scores highest at 1 and 14, 1.16 above" in figure.locator(".xp-says").inner_text()  # fmt: skip
