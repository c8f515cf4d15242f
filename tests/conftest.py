"""What all tests share: shapes that are not enforced where refusals are tested, and a browser."""

import sys
from pathlib import Path

import jaxtyping
import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / room) for room in ("tests", "tools", "book/_ext")]


@pytest.fixture
def plain_types():
    """Switch jaxtyping off: the package's own ValueErrors are what a reader meets."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium that reaches no other host."""
    from playwright.sync_api import sync_playwright

    from chromium import find_chromium, launch

    with sync_playwright() as playwright:
        browser = launch(playwright, find_chromium(playwright))
        yield browser
        browser.close()
