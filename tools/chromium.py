"""Find a Chromium for the tests, or install one: the system's light package, else Playwright's, else the system's whole one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

LIGHT = "chromium-headless-shell"  # the same engine without windows, which cost most of the processor's time
NAMES = (LIGHT, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
LIGHT_WAYS = (("apt-get", ["install", "-y", "-q", LIGHT]),)
WAYS = (
    ("playwright", ["install", "chromium"]),
    ("apt-get", ["install", "-y", "-q", "chromium"]),
    ("dnf", ["install", "-y", "chromium"]),
    ("apk", ["add", "chromium"]),
    ("brew", ["install", "--cask", "chromium"]),
)
ADVICE = (
    "There is no Chromium, and none could be installed: Playwright's download failed, and so did the system's package "
    "manager. Install Chromium or Chrome by hand, or name one in the variable CHROMIUM, and try again."
)


def find_chromium(playwright: Playwright) -> str:
    """The path of a browser that is there: CHROMIUM, the system's, Playwright's. Raises RuntimeError if there is none."""
    candidates = [
        os.environ.get("CHROMIUM"),
        *map(shutil.which, NAMES),
        playwright.chromium.executable_path,
    ]
    found = next((path for path in candidates if path and Path(path).exists()), None)
    if found is None:
        raise RuntimeError(ADVICE)
    return found


def launch(playwright: Playwright, executable: str, pause: float = 0) -> Browser:
    """Start the browser headless, with nothing running in its background; it pauses for milliseconds after each action."""
    return playwright.chromium.launch(
        executable_path=executable, args=FLAGS, slow_mo=pause
    )


def install_chromium() -> None:
    """The light one where there is a package of it, else try one way after the other. Exits with advice where none leads to one."""
    install_by(LIGHT_WAYS, lambda: shutil.which(LIGHT) is not None)
    if not (_is_there() or install_by(WAYS, _is_there)):
        raise SystemExit(ADVICE)


def install_by(
    ways: Iterable[tuple[str, list[str]]], is_there: Callable[[], bool]
) -> bool:
    """Try programs that install, one after the other, until it is there; whether it is."""
    for program, arguments in ways:
        path = shutil.which(program) or shutil.which(
            program, path=str(Path(sys.executable).parent)
        )
        if path is None:
            continue
        print(f"Not there yet: trying {program} {' '.join(arguments)} …", flush=True)
        if program == "apt-get":
            _run([*_as_root(), path, "update", "-q"])
        _run(
            [
                *([] if program in ("playwright", "brew") else _as_root()),
                path,
                *arguments,
            ]
        )
        if is_there():
            return True
    return False


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, timeout=600, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        print(
            f"{command[0]} took more than ten minutes; going on without it.", flush=True
        )


def _as_root() -> list[str]:
    return [] if os.geteuid() == 0 or shutil.which("sudo") is None else ["sudo", "-n"]


def _is_there() -> bool:
    with sync_playwright() as playwright:
        try:
            find_chromium(playwright)
        except RuntimeError:
            return False
    return True


if __name__ == "__main__":
    if "CHROMIUM" not in os.environ and shutil.which(LIGHT) is None:
        install_chromium()
