import os
import shutil

import pytest
from playwright.sync_api import sync_playwright

SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def browser():
    """Chromium: the system's own where there is one, else Playwright's."""
    system = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=system, args=SWITCHES)
        yield chromium
        chromium.close()
