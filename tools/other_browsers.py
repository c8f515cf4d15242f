"""Firefox and WebKitGTK for the tests, beside Chromium: find them, or install them by the system's packages."""

import os
import shutil
from pathlib import Path

from chromium import install_by

FIREFOXES = ("firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox")  # fmt: skip
WEBKIT = ("WebKitWebDriver", "Xvfb")
# where distributions put the small browser that WebKitGTK brings for its driver
MINI_BROWSERS = ("usr/lib/*/webkit2gtk-4.*", "usr/libexec/webkit2gtk-4.*", "usr/lib/webkit2gtk-4.*")  # fmt: skip
WAYS = {
    "Firefox": (
        ("apt-get", ["install", "-y", "-q", "firefox-esr"]),
        ("dnf", ["install", "-y", "firefox"]),
        ("apk", ["add", "firefox-esr"]),
        ("brew", ["install", "--cask", "firefox"]),
    ),
    "WebKitGTK": (("apt-get", ["install", "-y", "-q", "webkit2gtk-driver", "xvfb"]),),
}


def find_firefox() -> str:
    """The path of Firefox: FIREFOX, or the system's. Raises RuntimeError if there is none."""
    candidates = [os.environ.get("FIREFOX"), *map(shutil.which, FIREFOXES)]
    found = next((path for path in candidates if path and Path(path).exists()), None)
    if found is None:
        raise RuntimeError("There is no Firefox; name one in the variable FIREFOX.")
    return found


def find_webkit() -> tuple[str, str, str]:
    """The paths of WebKitGTK's driver, of its small browser, and of a screen for them. Raises RuntimeError if one is missing."""
    browsers = (path for place in MINI_BROWSERS for path in Path("/").glob(f"{place}/MiniBrowser"))  # fmt: skip
    driver, screen = map(shutil.which, WEBKIT)
    browser = next(browsers, None)
    if not (driver and browser and screen):
        raise RuntimeError("WebKitWebDriver, MiniBrowser or Xvfb is missing: WebKitGTK needs the three.")  # fmt: skip
    return driver, str(browser), screen


FINDERS = {"Firefox": find_firefox, "WebKitGTK": find_webkit}


def is_there(name: str) -> bool:
    """Whether the tests can open windows of that browser."""
    try:
        FINDERS[name]()
    except RuntimeError:
        return False
    return True


if __name__ == "__main__":
    for name, ways in WAYS.items():
        if not is_there(name) and not install_by(ways, lambda n=name: is_there(n)):
            print(f"No {name}, and none could be installed: its tests will be skipped.")
