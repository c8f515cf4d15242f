"""Arrays as few bytes: a quantised matrix keeps one scale a row and a signed byte an entry, its largest error half a step.

Layout: the length of a header (4 bytes), the header in JSON, then for each entry its bytes; a text is UTF-8, a matrix
its scales (float32) and its numbers (int8). Each part begins at a multiple of 4. `explorables/kit.js` reads the same.
"""

import json
from collections.abc import Mapping

import numpy as np

Content = str | np.ndarray


def pack(contents: Mapping[str, Content]) -> bytes:
    """Texts and matrices as bytes; rows of a matrix are scaled so that the largest entry becomes 127.

    Raises ValueError for what is no text and no matrix of finite numbers.

    >>> unpack(pack({"words": "sea ship", "W": np.array([[0.5, -1.0]])}))["W"].round(2)
    array([[ 0.5, -1. ]], dtype=float32)
    """
    entries, parts = [], []
    for name, content in contents.items():
        shape = None if isinstance(content, str) else list(np.shape(content))
        body = content.encode() if isinstance(content, str) else _quantised(content)
        entries.append({"name": name, "shape": shape, "bytes": len(body)})
        parts.append(_padded(body))
    header = _padded(json.dumps(entries, separators=(",", ":")).encode(), b" ")
    return len(header).to_bytes(4, "little") + header + b"".join(parts)


def unpack(data: bytes) -> dict[str, Content]:
    """What `pack` was given: texts as they were, matrices in float32, as near as bytes allow."""
    length = int.from_bytes(data[:4], "little")
    found: dict[str, Content] = {}
    place = 4 + length
    for entry in json.loads(data[4:place]):
        body = data[place : place + entry["bytes"]]
        text = entry["shape"] is None
        found[entry["name"]] = body.decode() if text else _read(body, entry["shape"])
        place += len(_padded(body))
    return found


def _quantised(matrix: np.ndarray) -> bytes:
    if np.ndim(matrix) != 2 or not np.isfinite(matrix).all():
        raise ValueError(
            f"a part has shape {np.shape(matrix)} or numbers that are not finite; wanted a matrix of finite numbers. "
            "Fix: reshape it to rows."
        )
    scales = (np.abs(matrix).max(axis=1, initial=0) / 127).astype("<f4")
    steps = matrix / np.where(scales > 0, scales, 1)[:, None]
    return scales.tobytes() + np.rint(steps).clip(-127, 127).astype(np.int8).tobytes()


def _read(body: bytes, shape: list[int]) -> np.ndarray:
    scales = np.frombuffer(body, "<f4", shape[0])
    steps = np.frombuffer(body, np.int8, offset=4 * shape[0]).reshape(shape)
    return scales[:, None] * steps.astype(np.float32)


def _padded(body: bytes, filler: bytes = b"\0") -> bytes:
    return body + filler * (-len(body) % 4)
