"""The records of the trainings with other seeds: whole, and what they say of the untrained models is what these do."""

import numpy as np
import pytest

from transformer_math.trained.senses import SensesTask
from transformer_math.trained.senses_controls import (
    SEEDS,
    right_senses,
    senses_controls,
)


def test_there_is_a_record_for_each_seed():
    assert [record["seed"] for record in senses_controls()] == list(SEEDS)


@pytest.mark.parametrize("record", senses_controls(), ids=lambda r: str(r["seed"]))
def test_the_untrained_model_is_what_the_record_says(record):
    start = SensesTask().initial(np.random.default_rng([record["seed"], 0]))
    assert right_senses(start) == pytest.approx(record["untrained"], abs=0.005)
    assert len(record["trained"]) == len(record["untrained"]) == 3
