"""The tasks beside the figures of other senses: each can be met, and none is at first."""

import numpy as np
import pytest
from live_pages import look
from test_models import met_tasks

from transformer_math.explorables import (
    CodebookExplorable,
    DividedAttentionExplorable,
    PatchesExplorable,
)
from transformer_math.modalities import patchify
from transformer_math.signals.photographs import PORTRAIT_SIDE, portrait

SIZE = 8  # of the patches among which one has nearly one colour


def one_code():
    """The first frame that is one code, four times."""
    ids = CodebookExplorable(bits=2).ids
    return int(np.flatnonzero((ids == ids[:, :1]).all(axis=1))[0])


def last_patch():
    """Where the shuffled order shows the last patch of the photograph."""
    n = len(PatchesExplorable().tokens)
    order = (7 * np.arange(n) + 3) % n
    return place(int(np.flatnonzero(order == n - 1)[0]), 16)


def plain_patch():
    """The patch whose pixels differ least."""
    pixels = patchify(portrait(), SIZE).reshape(-1, SIZE * SIZE, 3)
    return place(int(np.ptp(pixels, axis=1).max(axis=-1).argmin()), SIZE)


def place(token, side):
    row, column = divmod(token, PORTRAIT_SIDE // side)
    return {"x": column * side, "y": row * side}


WAYS = [
    (CodebookExplorable, 0, lambda: {"bits": 7}),
    (CodebookExplorable, 1, lambda: {"bits": 8}),
    (CodebookExplorable, 2, lambda: {"bits": 2, "frame": one_code()}),
    (DividedAttentionExplorable, 0, lambda: {"steps": "2"}),
    (
        DividedAttentionExplorable,
        1,
        lambda: {"scheme": "space", "steps": "2", "class_token": True},
    ),
    (DividedAttentionExplorable, 2, lambda: {"scheme": "space"}),
    (PatchesExplorable, 0, lambda: {"patch_size": "24"}),
    (PatchesExplorable, 1, lambda: {"shuffled": True} | last_patch()),
    (PatchesExplorable, 2, lambda: {"patch_size": str(SIZE)} | plain_patch()),
]


@pytest.mark.parametrize(("cls", "met", "state"), WAYS)
def test_each_task_of_a_sense_can_be_met_and_none_is_at_first(show, cls, met, state):
    assert met_tasks(look(show(cls()))) == []
    assert met in met_tasks(look(show(cls(**state()))))
