"""Windows of Firefox and WebKitGTK, as readers have them, driven over the W3C's protocols: WebDriver BiDi, and WebDriver.

(Playwright drives a Firefox and a WebKit of its own making.) Both protocols describe keys and pointers in the same words:
one class says what a test does, and two how the browser is told.
"""

import json
import os
import re
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from socketserver import ThreadingTCPServer
from threading import Thread
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from websocket import create_connection

from other_browsers import find_firefox, find_webkit

KEYS = {
    "Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009", "Escape": "\ue00c",
    "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011",
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
}  # fmt: skip
PATIENCE = 120  # seconds
# Firefox asks its maker for news; the tests count what pages ask for.
PREFERENCES = {
    "app.normandy.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "ui.useOverlayScrollbars": 1,  # as in the other two, they take no room
}


class Window:
    """One window: opens files, runs functions in them, presses keys, moves the pointer, notes complaints."""

    def evaluate(self, function: str, *arguments):
        """What a JavaScript function returns, or promises; its arguments and its value are JSON."""
        call = f"(async () => JSON.stringify((await ({function})(...{json.dumps(arguments)})) ?? null))()"
        return json.loads(self._run(call))

    def wait(self, function: str, *arguments):
        """Wait until a function returns something true, and return it."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if found := self.evaluate(function, *arguments):
                return found
            time.sleep(0.02)
        raise TimeoutError(f"not true within {PATIENCE} s: {function} {arguments}")

    def press(self, *keys: str):
        """Press keys one after the other: by name, or what they write; `Control+a` holds the first."""
        strokes = []
        for key in keys:
            held = [KEYS.get(k, k) for k in (key.split("+") if len(key) > 1 else [key])]
            strokes += [{"type": "keyDown", "value": k} for k in held]
            strokes += [{"type": "keyUp", "value": k} for k in reversed(held)]
        self._perform({"type": "key", "id": "keyboard", "actions": strokes})

    def drag(self, *places: tuple[float, float]):
        """Press the pointer at the first place of the window, move over the others, let go."""
        first, *others = ({"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0} for x, y in places)  # fmt: skip
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))  # fmt: skip
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}  # fmt: skip
        self._perform(mouse | {"actions": [first, down, *others, up]})

    def click(self, x: float, y: float):
        """Press and let go at a place of the window."""
        self.drag((x, y))


class FirefoxWindow(Window):
    """Over WebDriver BiDi, which Firefox speaks by itself."""

    def __init__(self, address: str):
        self._socket = create_connection(address, timeout=PATIENCE, suppress_origin=True)  # fmt: skip
        self._sent, self._complaints = 0, []
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent", "network.fetchError"])  # fmt: skip
        # the one that is there at the start never gets the focus, and without it keys press nothing
        self._context = self._send("browsingContext.create", type="tab")["context"]

    def open(self, path: Path, width: int = 800, height: int = 1000, after: str = ""):
        """Open a file in a window of that size inside; `after` stands after its address."""
        viewport = {"width": width, "height": height}
        self._say("browsingContext.setViewport", viewport=viewport)
        self._say("browsingContext.activate")
        # what the page before had not fetched yet is given up, and said, before this one is opened
        self._say("browsingContext.navigate", url="about:blank", wait="complete")
        self._complaints.clear()
        self._say("browsingContext.navigate", url=path.as_uri() + after, wait="complete")  # fmt: skip

    def complaints(self) -> list[str]:
        """What the console said, what was missing, and what was asked of other hosts, since the page was opened."""
        self._send("session.status")
        return self._complaints

    def close(self):
        """Close the browser."""
        self._send("browser.close")

    def _send(self, method: str, **parameters) -> dict:
        self._sent += 1
        message = {"id": self._sent, "method": method, "params": parameters}
        self._socket.send(json.dumps(message))
        while (answer := json.loads(self._socket.recv())).get("id") != self._sent:
            self._note(**answer)
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['message']}")
        return answer["result"]

    def _say(self, method: str, **parameters) -> dict:
        return self._send(method, context=self._context, **parameters)

    def _note(self, method: str, params: dict, **_):
        if method == "log.entryAdded" and params["level"] in ("error", "warn"):
            self._complaints.append(f"{params['level']}: {params['text']}")
        elif method == "network.fetchError":
            self._complaints.append(f"missing: {params['request']['url']}")
        elif method == "network.beforeRequestSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:")):
                self._complaints.append(f"foreign: {url}")

    def _run(self, call: str) -> str:
        target = {"context": self._context}
        said = self._send("script.evaluate", expression=call, awaitPromise=True, target=target)  # fmt: skip
        if said["type"] == "exception":
            raise RuntimeError(f"{said['exceptionDetails']['text']} in {call}")
        return said["result"]["value"]

    def _perform(self, actions: dict):
        self._say("input.performActions", actions=[actions])


class WebKitWindow(Window):
    """Over WebDriver, through WebKitGTK's own driver, which tells nothing of the console: a script in the page does."""

    def __init__(self, port: int, browser: str, wall: "Wall"):
        self._address, self._wall = f"http://127.0.0.1:{port}", wall
        proxy = {"proxyType": "manual"} | dict.fromkeys(("httpProxy", "sslProxy"), wall.address)  # fmt: skip
        options = {"binary": browser, "args": ["--automation"]}
        wanted = {"browserName": "MiniBrowser", "proxy": proxy, "webkitgtk:browserOptions": options}  # fmt: skip
        session = self._ask("POST", "/session", capabilities={"alwaysMatch": wanted})
        self._address += f"/session/{session['sessionId']}"
        self._size = None

    def open(self, path: Path, width: int = 800, height: int = 1000, after: str = ""):
        """Open a file in a window of that size inside; `after` stands after its address."""
        if self._size != (width, height):
            self._resize(width, height)
        self._wall.asked.clear()
        with witnessed(path) as copy:
            self._ask("POST", "/url", url=copy.as_uri() + after)

    def complaints(self) -> list[str]:
        """What the console said, what was missing, and what was asked of other hosts, since the page was opened."""
        return self.evaluate("() => complaints") + self._wall.asked

    def close(self):
        """Close the browser."""
        self._ask("DELETE", "")

    def _resize(self, width: int, height: int):
        self._size = width, height
        self._ask("POST", "/window/rect", width=width, height=height)
        inner = self.evaluate("() => [innerWidth, innerHeight]")
        wanted = [2 * size - found for size, found in zip(self._size, inner)]
        self._ask("POST", "/window/rect", width=wanted[0], height=wanted[1])
        self.wait("(...size) => `${[innerWidth, innerHeight]}` === `${size}`", *self._size)  # fmt: skip

    def _ask(self, verb: str, path: str, **parameters):
        data = json.dumps(parameters).encode() if verb == "POST" else None
        request = Request(self._address + path, data, method=verb)
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            said = json.load(error)["value"]
            raise RuntimeError(f"{path}: {said['error']}: {said['message']}") from error

    def _run(self, call: str) -> str:
        script = f"const done = arguments[0]; {call}.then(done, (e) => done({{ message: `${{e}} ${{e.stack}}` }}))"
        said = self._ask("POST", "/execute/async", script=script, args=[])
        if isinstance(said, dict):
            raise RuntimeError(f"{said['message']} in {call}")
        return said

    def _perform(self, actions: dict):
        self._ask("POST", "/actions", actions=[actions])


WITNESS = """<script>
  globalThis.complaints = [];
  for (const level of ["error", "warn"]) {
    const say = console[level];
    console[level] = (...all) => (complaints.push(`${level}: ${all.join(" ")}`), say.apply(console, all));
  }
  const missing = ({ target, message }) => complaints.push(message ?? `missing: ${target.src ?? target.href}`);
  addEventListener("error", missing, true);
  addEventListener("unhandledrejection", ({ reason }) => complaints.push(`error: ${reason}`));
</script>
"""


@contextmanager
def witnessed(path: Path):
    """A copy of a page, in its folder, with a script at its start that notes what goes wrong."""
    copy = path.with_stem(f"{path.stem}-{os.getpid()}")
    start = re.compile("(?=<meta charset)", re.IGNORECASE)
    copy.write_text(start.sub(WITNESS, path.read_text("utf-8"), count=1), "utf-8")
    try:
        yield copy
    finally:
        copy.unlink()


class Wall(ThreadingTCPServer):
    """What is sent to another host ends here, and is noted."""

    def __init__(self):
        self.asked = []
        super().__init__(("127.0.0.1", 0), self.note)
        self.address = "{}:{}".format(*self.server_address)
        Thread(target=self.serve_forever, daemon=True).start()

    def note(self, connection, *_):
        """Remember the first line: verb and address."""
        line = connection.makefile().readline().strip()
        self.asked.append(f"foreign: {line}")


@contextmanager
def firefox():
    """A window of Firefox, without a screen."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        told = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())  # fmt: skip
        (Path(profile) / "user.js").write_text("\n".join(told))
        command = [find_firefox(), "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile]  # fmt: skip
        with running(command) as process:
            listening = waited(lambda: json.loads((Path(profile) / "WebDriverBiDiServer.json").read_text()))  # fmt: skip
            window = FirefoxWindow(f"ws://{listening['ws_host']}:{listening['ws_port']}/session")  # fmt: skip
            yield window
            window.close()
            process.wait(PATIENCE)


@contextmanager
def webkit():
    """A window of WebKitGTK's small browser, on a screen that nobody sees."""
    driver, browser, screen = find_webkit()
    reads, writes = os.pipe()
    command = [screen, "-displayfd", str(writes), "-screen", "0", "1600x1400x24", "-nolisten", "tcp"]  # fmt: skip
    with running(command, pass_fds=[writes]):
        display = os.read(reads, 20).decode().strip()
        here = {"DISPLAY": f":{display}", "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1"}  # fmt: skip
        port = free_port()
        with running([driver, f"--port={port}"], env=os.environ | here):
            waited(lambda: urlopen(f"http://127.0.0.1:{port}/status").read())
            with Wall() as wall:
                window = WebKitWindow(port, browser, wall)
                yield window
                window.close()
                wall.shutdown()


@contextmanager
def running(command: list[str], **options):
    """A program that runs meanwhile, and says nothing."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)  # fmt: skip
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def free_port() -> int:
    """A port on which nobody listens."""
    with socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return tried.getsockname()[1]


def waited(get):
    """What `get` returns as soon as it can."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return get()
        except (OSError, URLError, ValueError):
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


BROWSERS = {"Firefox": firefox, "WebKitGTK": webkit}
