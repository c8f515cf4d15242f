"""The package stands alone: its wheel computes with NumPy and jaxtyping, and grades and shows its widgets with their extras."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from conftest import ROOT

HERE = sysconfig.get_path("purelib")
NEEDED = ("numpy", "jaxtyping", "wadler_lindig")

COMPUTES = """
import sys
import numpy as np
from transformer_math.attention import attention, causal_mask
from transformer_math.checks import grade
from transformer_math.gradient import attention_vjp
from transformer_math.trained.date_translator import date_translator

Q = np.eye(3)
output, weights = attention(Q, Q, Q, causal_mask(3))
assert weights[0].tolist() == [1, 0, 0]
(_, pullback), date = attention_vjp(Q, Q, Q), date_translator()
assert pullback(Q)[0].shape == (3, 3)
try:
    grade(causal_mask, like=causal_mask)
except ImportError as refusal:
    print(refusal)
assert not {"torch", "matplotlib", "anywidget"} & sys.modules.keys()
"""

GRADES_AND_SHOWS = """
import numpy as np
import transformer_math
from transformer_math import explorables
from transformer_math.attention import causal_mask
from transformer_math.checks import grade
from transformer_math.formulas.shipped import shipped

assert ROOT not in transformer_math.__file__, transformer_math.__file__
print(grade(lambda n: np.tri(n, k=1, dtype=bool), like=causal_mask))
assert grade(lambda n: np.tri(n, dtype=bool), like=causal_mask)
assert r"\\sqrt{d_k}" in shipped()["eq-attention"]["tex"]
for name in explorables.__all__:
    if name not in ("Explorable", "FormulaExplorable"):
        data, _ = getattr(explorables, name)()._repr_mimebundle_()
        assert "text/html" in data and "application/vnd.jupyter.widget-view+json" in data
explorables.FormulaExplorable("eq-attention")._repr_mimebundle_()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy: building leaves files behind."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("pyproject.toml", "setup.py", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for room, kept in (
        ("src", shutil.ignore_patterns("*.egg-info", "__pycache__")),
        ("book", None),
    ):
        shutil.copytree(ROOT / room, copy / room, ignore=kept)
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *options, "-w", copy, copy], check=True
    )
    return next(copy.glob("*.whl"))


def installed(wheel, folder):
    """A new environment that holds the wheel alone; its Python, and where packages lie."""
    venv.create(folder, with_pip=False)
    site = next(folder.glob("lib/python*/site-packages"))
    ZipFile(wheel).extractall(site)
    return folder / "bin" / "python", site


def run(python, code, home=None):
    env = {"HOME": str(home)} if home else None
    done = subprocess.run(
        [python, "-I", "-c", code], capture_output=True, text=True, env=env
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_with_numpy_and_jaxtyping_alone_it_computes_and_says_what_grading_needs(
    wheel, tmp_path
):
    python, site = installed(wheel, tmp_path)
    for name in NEEDED:
        for path in Path(HERE).glob(f"{name}*"):  # its metadata and libraries too
            (site / path.name).symlink_to(path)
    assert "pip install 'transformer-math[checks]'" in run(python, COMPUTES)


def test_with_its_extras_it_grades_and_shows_its_widgets(wheel, tmp_path):
    python, site = installed(wheel, tmp_path)
    (site / "others.pth").write_text(HERE)
    texts = tmp_path / ".cache" / "transformer-math"  # where the package looks for them
    texts.parent.mkdir()
    texts.symlink_to(ROOT / ".cache" / "data")
    code = f"ROOT = {str(ROOT)!r}\n{GRADES_AND_SHOWS}"
    printed = run(python, code, home=tmp_path)
    assert "one step into the future" in printed


def test_it_says_that_it_is_typed(wheel):
    assert "transformer_math/py.typed" in ZipFile(wheel).namelist()
