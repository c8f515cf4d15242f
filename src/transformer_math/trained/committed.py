"""The checkpoints that stand in git: weights as bytes, in the layout that a page fetches, and the history of training."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from transformer_math.quantised import pack, unpack
from transformer_math.trees import leaves, map_leaves

FOLDER = Path(__file__).with_name("checkpoints")


def write_committed(
    name: str,
    parameters: Any,
    texts: Mapping[str, str],
    history: Iterable[Mapping[str, int | float]],
    folder: Path = FOLDER,
) -> None:
    """Write `<name>.bin`, each leaf a matrix under its path, each text under its name; and `<name>_history.json`."""
    matrices = {path: np.atleast_2d(leaf) for path, leaf in leaves(parameters).items()}
    lines = ",\n".join(json.dumps(_rounded(record)) for record in history)
    _replace(folder / f"{name}_history.json", f"[\n{lines}\n]\n".encode())
    _replace(folder / f"{name}.bin", pack({**matrices, **texts}))


def read_committed(
    name: str, like: Any, folder: Path = FOLDER
) -> tuple[Any, dict[str, str]]:
    """The parameters, float32 in the form of `like`, whose numbers do not matter; and the texts.

    Raises ValueError where the file holds other paths or sizes than `like`.
    """
    found = unpack((folder / f"{name}.bin").read_bytes())
    texts = {key: part for key, part in found.items() if isinstance(part, str)}
    arrays = {key: p for key, p in found.items() if not isinstance(p, str)}
    stored = {key: part.size for key, part in arrays.items()}
    wanted = {path: np.size(leaf) for path, leaf in leaves(like).items()}
    if stored != wanted:
        different = sorted(set(stored.items()) ^ set(wanted.items()))
        raise ValueError(
            f"{name}.bin differs from the model at {different[0][0]}. Fix: train it anew, python -m transformer_math.trained.{name}"
        )
    matrices = iter(arrays[path] for path in wanted)
    return map_leaves(lambda leaf: next(matrices).reshape(np.shape(leaf)), like), texts


def read_texts(name: str, folder: Path = FOLDER) -> dict[str, str]:
    """The texts that stand in a checkpoint beside its parameters, by name."""
    found = unpack((folder / f"{name}.bin").read_bytes())
    return {key: part for key, part in found.items() if isinstance(part, str)}


def read_history(name: str, folder: Path = FOLDER) -> list[dict[str, int | float]]:
    """What was recorded while the model was trained: step, loss, and what it was evaluated by."""
    return json.loads((folder / f"{name}_history.json").read_text("utf-8"))


def write_records(
    name: str, records: Iterable[Mapping[str, Any]], folder: Path = FOLDER
) -> None:
    """Write what was measured on several trainings, a line for each, numbers with six digits."""
    lines = []
    for record in records:
        lines.append(json.dumps(_shortened(record)))
        print(lines[-1], flush=True)
    _replace(folder / name, ("[\n" + ",\n".join(lines) + "\n]\n").encode())


def read_records(name: str, folder: Path = FOLDER) -> list[dict[str, Any]]:
    """What was measured on several trainings, one record for each."""
    return json.loads((folder / name).read_text("utf-8"))


def float32(parameters: Any) -> Any:
    """The same tree in single precision, in which the models are trained."""
    return map_leaves(lambda leaf: leaf.astype(np.float32), parameters)


def _rounded(record: Mapping[str, int | float]) -> dict[str, int | float]:
    return {key: type(value)(f"{value:.6g}") for key, value in record.items()}


def _shortened(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _shortened(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_shortened(part) for part in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _replace(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(data)
    with partial.open("r+b") as written:
        os.fsync(written.fileno())  # on the disk before it takes the old one's place
    os.replace(partial, path)
