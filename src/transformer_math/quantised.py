"""Arrays as few bytes: a quantised matrix keeps one scale a row and a signed byte an entry, its largest error half a step.

Layout: the length of a header (4 bytes), the header in JSON, then for each entry its bytes; a text is UTF-8, a matrix
its scales (float32) and its numbers (int8). Each part begins at a multiple of 4. `explorables/kit.js` reads the same.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math.contract.scalars import shown
from transformer_math.errors import require

Content = str | np.ndarray

_AGAIN = "write the file again, or fetch the whole of it"
_SMALLEST, _LARGEST = 1.5e-36, 3.4e38  # their scales are normal, and 127 of them finite


def pack(contents: Mapping[str, Content]) -> bytes:
    """Texts and matrices as bytes; rows of a matrix are scaled so that the largest entry becomes 127.

    Raises ValueError for what is no text and no matrix of finite real numbers, and for rows that float32 cannot scale.

    >>> unpack(pack({"words": "sea ship", "W": np.array([[0.5, -1.0]])}))["W"].round(2)
    array([[ 0.5, -1. ]], dtype=float32)
    """
    entries, parts = [], []
    for name, content in contents.items():
        shape = None if isinstance(content, str) else list(np.shape(content))
        body = (
            content.encode() if isinstance(content, str) else _quantised(name, content)
        )
        entries.append({"name": name, "shape": shape, "bytes": len(body)})
        parts.append(_padded(body))
    header = _padded(json.dumps(entries, separators=(",", ":")).encode(), b" ")
    return len(header).to_bytes(4, "little") + header + b"".join(parts)


def unpack(data: bytes) -> dict[str, Content]:
    """What `pack` was given: texts as they were, matrices in float32, as near as bytes allow.

    Raises ValueError for bytes that `pack` did not write, or that are not all of them.
    """
    found: dict[str, Content] = {}
    entries, place = _header(data)
    for entry in entries:
        body = data[place : place + entry["bytes"]]
        text = entry["shape"] is None
        found[entry["name"]] = body.decode() if text else _read(body, entry["shape"])
        place += len(_padded(body))
    return found


def _header(data: bytes) -> tuple[list[dict], int]:
    """The entries of an archive, and the place where their bodies begin."""
    place = 4 + int.from_bytes(data[:4], "little")
    try:
        entries = json.loads(data[4:place])
    except (ValueError, RecursionError):
        entries = None
    require(
        isinstance(entries, list) and all(map(_is_entry, entries)),
        f"the archive of {len(data)} bytes has no header that can be read; wanted what pack(...) gave. Fix: {_AGAIN}.",
    )
    end = place + sum(size + -size % 4 for size in (e["bytes"] for e in entries))
    require(
        end == len(data),
        f"the archive has {len(data)} bytes; wanted {end}, as its header says. Fix: {_AGAIN}.",
    )
    return entries, place


def _is_entry(entry: Any) -> bool:
    match entry:
        case {"name": str(), "shape": None, "bytes": int(size)}:
            return size >= 0
        case {"name": str(), "shape": [int(rows), int(columns)], "bytes": int(size)}:
            return min(rows, columns) >= 0 and size == rows * (4 + columns)
    return False


def _quantised(name: str, content: Any) -> bytes:
    given = np.asarray(content)
    require(
        given.ndim == 2 and given.dtype.kind in "biuf",
        f"{name} is {shown(content)} with dtype {given.dtype}; wanted a matrix of finite numbers, or a text. "
        "Fix: reshape it to rows of real numbers.",
    )
    require(
        bool(np.isfinite(given).all()),
        f"{name} holds NaN or infinity; wanted a matrix of finite numbers. Fix: look for the step that made it.",
    )
    matrix = given.astype(np.promote_types(given.dtype, np.float32), copy=False)
    largest = np.abs(matrix).max(axis=1, initial=0)
    outside = (largest > 0) & ((largest < _SMALLEST) | (largest > _LARGEST))
    require(
        not any(outside),
        f"{name} has a row whose largest entry is {largest[outside].max(initial=0):.3g}; wanted 0, or {_SMALLEST:.3g} to "
        f"{_LARGEST:.3g}, which float32 can scale. Fix: divide the matrix by a power of ten, and say so beside it.",
    )
    scales = (largest / 127).astype("<f4")
    steps = matrix / np.where(scales > 0, scales, 1)[:, None]
    return scales.tobytes() + np.rint(steps).clip(-127, 127).astype(np.int8).tobytes()


def _read(body: bytes, shape: list[int]) -> np.ndarray:
    scales = np.frombuffer(body, "<f4", shape[0])
    steps = np.frombuffer(body, np.int8, offset=4 * shape[0]).reshape(shape)
    return scales[:, None] * steps.astype(np.float32)


def _padded(body: bytes, filler: bytes = b"\0") -> bytes:
    return body + filler * (-len(body) % 4)
