"""JavaScript's formulas against Python's: cases that Python writes are computed again by Node."""

import base64
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np

from transformer_math import explorables

HERE = Path(__file__).parent
SOURCES = Path(explorables.__file__).parent
TOLERANCE = 1e-12


def plain(value):
    """NumPy as JSON; what JSON has no word for becomes a text or an object that compare.mjs reads back."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    return "-Infinity" if isinstance(value, float) and value == -np.inf else value


def copy_modules(folder, change=lambda text: text):
    """The explorables' modules where Node takes them for modules, changed if asked."""
    for path in SOURCES.rglob("*.js"):
        target = folder / path.relative_to(SOURCES)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(change(path.read_text("utf-8")), "utf-8")
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def compare(folder, module, cases):
    """What was exported, what was compared, and the largest error of each formula."""
    written = [
        {"name": name, "args": plain(args), "wanted": plain(wanted)}
        for name, args, wanted in cases
    ]
    (folder / "cases.json").write_text(json.dumps(written), encoding="utf-8")
    node = shutil.which("node")
    command = [node, HERE / "compare.mjs", folder, module, folder / "cases.json"]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=120
    )
    return json.loads(done.stdout)


def assert_parity(folder, module, cases, at_least=1000, change=str, inside=()):
    """Every formula that the module exports is compared, or makes an argument of one that is, and agrees.

    `change` adds to the modules' texts; `inside` are formulas that others, which are compared, call.
    """
    report = compare(copy_modules(folder, change), module, cases)
    used = set(report["compared"]) | set(report["called"]) | set(inside)
    assert set(report["exported"]) <= used
    assert all(report["compared"].values())
    assert sum(report["compared"].values()) > at_least
    apart = {
        name: worst for name, worst in report["worst"].items() if worst > TOLERANCE
    }
    assert not apart, apart
