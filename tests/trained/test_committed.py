import numpy as np
import pytest

from transformer_math.trained.committed import (
    FOLDER,
    float32,
    read_committed,
    read_history,
    read_records,
    write_committed,
    write_records,
)
from transformer_math.trees import leaves

TREE = {"W": np.array([[0.5, -1.0], [0.25, 0.0]]), "layers": (np.array([3.0, 1.5]),)}


def test_what_is_written_is_read_within_half_a_step(tmp_path):
    history = [{"step": 1, "loss": 0.123456789}]
    write_committed("small", TREE, {"config": "{}"}, history, tmp_path)
    found, texts = read_committed("small", TREE, tmp_path)
    assert texts == {"config": "{}"}
    assert read_history("small", tmp_path) == [{"step": 1, "loss": 0.123457}]
    for path, leaf in leaves(TREE).items():
        got = leaves(found)[path]
        assert got.shape == leaf.shape and got.dtype == np.float32
        assert np.abs(got - leaf).max() <= np.abs(leaf).max() / 254 + 1e-6
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "small.bin",
        "small_history.json",
    ]


def test_another_model_is_refused(tmp_path):
    write_committed("small", TREE, {}, [], tmp_path)
    with pytest.raises(
        ValueError, match=r"small.bin differs from the model at \['W'\]"
    ):
        read_committed("small", {**TREE, "W": np.zeros((3, 2))}, tmp_path)
    with pytest.raises(ValueError, match="differs from the model"):
        read_committed("small", {"W": TREE["W"]}, tmp_path)


def test_single_precision_everywhere():
    assert {leaf.dtype for leaf in leaves(float32(TREE)).values()} == {
        np.dtype("float32")
    }


BEYOND_TEXT = ("code_drawing", "digit", "film", "point", "sound", "time_series", "vqgan")  # fmt: skip


def test_checkpoints_are_small_enough():
    sizes = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    beyond = {name: n for name, n in sizes.items() if name.startswith(BEYOND_TEXT)}
    assert sum(sizes.values()) - sum(beyond.values()) <= 3_000_000
    assert sum(beyond.values()) <= 500_000 and max(beyond.values()) <= 120_000
    assert sizes["date_translator.bin"] <= 300_000


def test_records_of_several_trainings_are_written_with_six_digits(tmp_path, capsys):
    found = [{"seed": 1, "right": [0.123456789, 1.0]}, {"seed": 2, "right": [0.5]}]
    write_records("again.json", iter(found), tmp_path)
    assert read_records("again.json", tmp_path) == [
        {"seed": 1, "right": [0.123457, 1.0]},
        {"seed": 2, "right": [0.5]},
    ]
    assert len(capsys.readouterr().out.splitlines()) == len(found)
