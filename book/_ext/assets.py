"""Fetch what pages need but git does not hold: texts and signals, KaTeX's style sheet, fonts and script; verify every byte.

KaTeX comes in the version that typesets the formulas. Every build does it; where everything lies there already, it needs
no network.
"""

import shutil
import tempfile
from pathlib import Path

from contents import ROOT
from sphinx.application import Sphinx
from sphinxcontrib.katex import katex_version

from transformer_math import corpus
from transformer_math.fetched import fetch
from transformer_math.npm import digest, unpack, verify
from transformer_math.signals.packages import packages

KATEX = ROOT / ".cache" / "static" / "katex"
# For a new version of sphinxcontrib-katex: its version of KaTeX, the hash of npm's archive, and the hash that
# `contents` gives for what is kept of it.
VERSION = "0.16.22"
ARCHIVE = "e9e0d167db3175481cbadaff38e8d90b130f6a3ddb451a47e43c577fd511f365"
KEPT = "ba751b09aaf6d7c50db73be474f4b6ff71344e6fb58d439aa076f4406e95e2ae"


def fetch_all() -> None:
    """Fetch what is missing or spoilt."""
    fetch_katex()
    fetch([*corpus.TEXTS, *packages()])


def fetch_katex() -> None:
    """Bring KaTeX's style sheet, fonts and script into `.cache/static`, unless just these bytes are there."""
    if katex_version != VERSION:
        raise RuntimeError(
            f"sphinxcontrib-katex typesets with KaTeX {katex_version}, and this file pins {VERSION}. "
            "Fix: pin the new version and its hashes in book/_ext/assets.py."
        )
    if KATEX.exists() and digest(contents(KATEX)) == KEPT:
        return
    with tempfile.TemporaryDirectory() as folder:
        dist = unpack("katex", VERSION, ARCHIVE, Path(folder)) / "dist"
        shutil.rmtree(KATEX, ignore_errors=True)
        (KATEX / "fonts").mkdir(parents=True)
        for file in (
            "katex.min.css",
            "katex.min.js",
        ):  # the script, for readers who edit a formula
            shutil.copy(dist / file, KATEX)
        for font in (dist / "fonts").glob("*.woff2"):
            shutil.copy(font, KATEX / "fonts")
    verify(str(KATEX), contents(KATEX), KEPT)


def contents(folder: Path) -> bytes:
    """The names and the bytes of all files in a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    names = (path.relative_to(folder).as_posix().encode() for path in files)
    return b"".join(n + b"\0" + f.read_bytes() for n, f in zip(names, files))


def setup(app: Sphinx) -> dict:
    """Fetch before Sphinx looks for static files."""
    app.connect("config-inited", lambda app, config: fetch_all(), priority=1)
    return {"parallel_read_safe": True}
