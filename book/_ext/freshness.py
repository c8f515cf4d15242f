"""No stale page: when `src/`, these extensions or `requirements.txt` change, every chapter is run and read again."""

from hashlib import sha256
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]


def fingerprint() -> str:
    """A hash of everything, besides its own cells, that a page's content depends on."""
    files = [
        ROOT / "requirements.txt",
        *sorted(
            p for p in (ROOT / "src").rglob("*") if p.suffix in {".py", ".js", ".css"}
        ),
    ]
    files += sorted((ROOT / "book" / "_ext").glob("*.py"))
    digest = sha256()
    for path in files:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where the outputs of executed chapters are kept for the package as it is now."""
    return ROOT / "_build" / "executed" / fingerprint()


def use_own_cache(app: Sphinx, config) -> None:
    """Key the cache of executed chapters on the fingerprint, and let Sphinx notice when it changes."""
    config.package_fingerprint = fingerprint()
    config.nb_execution_cache_path = str(cache_folder())


def setup(app: Sphinx) -> dict:
    """Register the fingerprint as part of the reading environment."""
    app.add_config_value("package_fingerprint", "", "env")
    app.connect("config-inited", use_own_cache, priority=1)
    return {"parallel_read_safe": True}
