"""The records of the trainings made again: one for each, whole, and measured as the committed model is."""

import pytest

from transformer_math.trained.induction_controls import (
    TRAININGS,
    induction_controls,
    measured,
)
from transformer_math.trained.induction_heads import N_HEADS, induction_heads


def test_there_is_a_record_for_each_training():
    wanted = [(name, seed) for name, (_, seeds) in TRAININGS.items() for seed in seeds]
    assert [(r["model"], r["seed"]) for r in induction_controls()] == wanted


@pytest.mark.parametrize(
    "record", induction_controls(), ids=lambda r: f"{r['model']} {r['seed']}"
)
def test_a_record_is_whole(record):
    task, _ = TRAININGS[record["model"]]
    assert [len(scores) for scores in record["prefix"]] == [N_HEADS] * task.n_layers
    assert all(0 <= score <= 1 for scores in record["prefix"] for score in scores)
    assert record["first"] > record["second"] > 0


def test_the_committed_model_measures_like_its_kind():
    record = next(r for r in induction_controls() if r["model"] == "two layers")
    found = measured(induction_heads())
    assert found.keys() == record.keys() - {"model", "seed"}
    assert found["second"] == pytest.approx(record["second"], abs=0.1)
    assert max(found["prefix"][1]) == pytest.approx(max(record["prefix"][1]), abs=0.1)
