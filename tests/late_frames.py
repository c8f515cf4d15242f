"""`LATE_FRAMES=120 pytest tests/explorables`: each frame comes so many milliseconds late, as on a busy machine.

A test that reads the page before the figure has painted passes on a quiet machine and fails on another; so it fails here.
`LATE_LOOKS=400` is its counterpart: the tests look so many milliseconds after each click, key or move. What a page takes
back a moment later is then seen to be gone.
"""

import os

PAUSE = float(os.environ.get("LATE_LOOKS", 0))

LATE = """(() => {
  const frame = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (paint) => setTimeout(() => frame(paint), %d);
})()"""


def delayed(browser):
    """The browser; all its pages wait for their frames where the environment says so."""
    late = int(os.environ.get("LATE_FRAMES", 0))
    if late:
        for name in ("new_context", "new_page"):
            setattr(browser, name, _with_script(getattr(browser, name), LATE % late))
    return browser


def _with_script(make, script):
    def made(**options):
        page = make(**options)
        page.add_init_script(script)
        return page

    return made
