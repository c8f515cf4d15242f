"""Trees of parameters keep their form under every operation, and come back from a file as they went in."""

import zipfile
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from transformer_math import trees
from transformer_math.model import count_parameters, initialise


class Pair(NamedTuple):
    first: np.ndarray
    second: float


@dataclass(frozen=True)
class Layer:
    W: np.ndarray
    inner: tuple


def tree():
    return {
        "layer": Layer(np.arange(6.0).reshape(2, 3), (np.float32([1, 2]), [3, True])),
        "pair": Pair(np.array([], dtype=int), 0.1),
        "a/b": OrderedDict(x=np.array(np.nan)),
        "counts": Counter(a=2),
    }


MODEL = initialise(
    np.random.default_rng(0), 5, d_model=4, n_heads=2, d_ff=3, n_layers=2
)


def test_paths_lead_to_the_leaves():
    assert list(trees.leaves(tree())) == [
        "['layer'].W",
        "['layer'].inner[0]",
        "['layer'].inner[1][0]",
        "['layer'].inner[1][1]",
        "['pair'].first",
        "['pair'].second",
        "['a/b']['x']",
        "['counts']['a']",
    ]
    assert (
        trees.leaves(MODEL)[".layers[1].attention.W_Q"] is MODEL.layers[1].attention.W_Q
    )
    assert trees.leaves(7.0) == {"": 7.0}


def test_mapping_keeps_the_form_and_leaves_the_original_alone():
    doubled = trees.map_leaves(lambda a, b: a + b, tree(), tree())
    assert trees.different_form(doubled, tree()) is None
    assert doubled["layer"].W.tolist() == [[0, 2, 4], [6, 8, 10]]
    assert doubled["layer"].inner[1] == [6, 2]
    assert doubled["pair"].second == 0.2
    assert type(doubled["a/b"]) is OrderedDict
    assert doubled["counts"] == Counter(a=4)
    assert trees.same(tree(), tree())


def test_trees_of_another_form_are_not_mapped_together():
    for other in ({"layer": 1}, {**tree(), "more": 1}, list(tree().values()), 3.0):
        with pytest.raises(ValueError, match="differ in form"):
            trees.map_leaves(lambda a, b: a, tree(), other)
    with pytest.raises(ValueError, match="form: list here, tuple there"):
        trees.map_leaves(lambda a, b: a, [1.0], (1.0,))
    with pytest.raises(ValueError, match=r"at \[0\]: tuple here, float there"):
        trees.map_leaves(lambda a, b: a, [(1.0,)], [1.0])
    with pytest.raises(ValueError, match=r"at \['layer'\]: at .inner"):
        trees.map_leaves(lambda a, b: a, tree(), {**tree(), "layer": Layer(1.0, (1,))})


def test_same_sees_numbers_types_and_form():
    assert trees.same([np.nan, 1], [np.nan, 1])
    assert not trees.same([1.0], [1.0 + 2e-16])
    assert not trees.same([1.0], [1])
    assert not trees.same([1.0], (1.0,))
    assert not trees.same([np.float32(1)], [np.float64(1)])
    assert not trees.same([np.zeros(2)], [np.zeros((2, 1))])


@pytest.mark.parametrize(
    "saved", [tree(), MODEL, np.arange(3), 2.5, []], ids=lambda t: type(t).__name__
)
def test_what_is_saved_comes_back_bit_for_bit(saved, tmp_path):
    path = tmp_path / "tree.npz"
    trees.save(path, saved)
    blank = trees.map_leaves(
        lambda leaf: type(leaf)(0) if np.isscalar(leaf) else np.zeros_like(leaf), saved
    )
    assert trees.same(trees.load(path, like=blank), saved)
    names = zipfile.ZipFile(path).namelist()
    assert all(name.endswith(".npy") and "/" not in name for name in names)


def test_numbers_come_from_the_file_not_from_the_model(tmp_path):
    path = tmp_path / "model.npz"
    trees.save(path, MODEL)
    other = initialise(
        np.random.default_rng(1), 5, d_model=4, n_heads=2, d_ff=3, n_layers=2
    )
    assert not trees.same(other, MODEL)
    assert trees.same(trees.load(path, like=other), MODEL)


def test_a_file_of_another_form_is_refused(tmp_path):
    path = tmp_path / "tree.npz"
    trees.save(path, {"W": np.zeros((2, 3))})
    for like, words in (
        (
            {"W": np.zeros((3, 2))},
            r"float64 of shape \(2, 3\) in the file; wanted float64 of shape \(3, 2\)",
        ),
        ({"W": np.zeros((2, 3), dtype=np.float32)}, "wanted float32"),
        ({"V": np.zeros((2, 3))}, "missing in the file"),
        ({}, "wanted missing"),
    ):
        with pytest.raises(ValueError, match=words):
            trees.load(path, like=like)


def test_names_with_signs_of_an_archive_come_back(tmp_path):
    saved = {"a/b": 1.0, "a%2Fb": 2.0, "a%252Fb": 3.0, "%": 4.0, "%25": 5.0}
    for part in (saved, {"a%2Fb": 2.0}):
        trees.save(tmp_path / "tree.npz", part)
        blank = dict.fromkeys(part, 0.0)
        assert trees.load(tmp_path / "tree.npz", like=blank) == part


def test_a_damaged_file_is_refused(tmp_path):
    path, like = tmp_path / "tree.npz", {"W": np.arange(6.0), "b": np.zeros(2)}
    trees.save(path, like)
    whole = path.read_bytes()
    np.save(tmp_path / "one.npy", np.zeros(3))
    one = (tmp_path / "one.npy").read_bytes()
    central = whole.index(b"PK\x01\x02")
    version = whole[: central + 6] + b"\xff" + whole[central + 7 :]
    asks_for_a_password = whole[: central + 8] + b"\x01" + whole[central + 9 :]
    parts = [whole[:end] for end in range(0, len(whole), 7)]
    others = (whole[40:], b"a text", one, bytes(len(whole)), version)
    for damaged in (*parts, *others, asks_for_a_password):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"tree.npz is damaged, .* Fix: write it"):
            trees.load(path, like=like)


def test_what_is_no_number_is_not_saved(tmp_path):
    for leaf in ("text", None, np.array([{}], dtype=object)):
        with pytest.raises(ValueError, match="wanted numbers"):
            trees.save(tmp_path / "tree.npz", {"leaf": leaf})


def test_parameters_are_the_sizes_of_the_leaves():
    assert count_parameters(MODEL) == sum(
        np.size(a) for a in trees.leaves(MODEL).values()
    )
    assert count_parameters({"a": [np.zeros((2, 3)), 1.0]}) == 7


class Payload:
    def __reduce__(self):
        return print, ("it ran",)


def test_nothing_in_a_file_is_run(tmp_path, capsys):
    path = tmp_path / "tree.npz"
    np.savez(path, W=np.array([Payload()], dtype=object))
    with pytest.raises(ValueError):
        trees.load(path, like={"W": np.zeros(1)})
    assert capsys.readouterr().out == ""
