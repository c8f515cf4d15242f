"""Open the chapters in JupyterLab: a double click on a chapter opens it as a notebook."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = (
    Path(sys.prefix) / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
)
NOTEBOOKS_FIRST = {
    "@jupyterlab/docmanager-extension:plugin": {
        "defaultViewers": {"markdown": "Jupytext Notebook"}
    },
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
}


def configure() -> None:
    """Make Jupytext's notebook the default viewer of Markdown files, in this environment alone."""
    settings = json.loads(SETTINGS.read_text()) if SETTINGS.exists() else {}
    SETTINGS.parent.mkdir(parents=True, exist_ok=True)
    SETTINGS.write_text(json.dumps(settings | NOTEBOOKS_FIRST, indent=2))


if __name__ == "__main__":
    configure()
    if "--configure-only" not in sys.argv:
        lab = Path(sys.executable).with_name("jupyter-lab")
        sys.exit(
            subprocess.run(
                [lab, "--ServerApp.root_dir", ROOT / "book", *sys.argv[1:]]
            ).returncode
        )
