"""Controls headless Chromium with its DevTools protocol over a pipe. This needs no package and no port."""

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

NEXT_FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


class ChromiumError(Exception):
    """The browser has ended, or it refused a command."""


def program() -> str | None:
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Chromium:
    """A browser with one tab. Keeps all events that it reports, in their order."""

    def __init__(self) -> None:
        self.events: list[dict] = []
        self._last = 0
        self._buffer = b""
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        low_in, self._out = os.pipe()
        self._in, low_out = os.pipe()
        # Numbers other than 3 and 4: the browser reads its commands from 3 and writes its answers to 4.
        theirs_in, theirs_out = (fcntl.fcntl(one, fcntl.F_DUPFD, 10) for one in (low_in, low_out))
        command = [program() or PROGRAMS[0], "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        command += ["--no-first-run", "--disable-extensions", f"--user-data-dir={self._profile.name}", "about:blank"]
        wrapped = ["bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "bash", *command]
        self._process = subprocess.Popen(
            wrapped, pass_fds=(theirs_in, theirs_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for one in (low_in, low_out, theirs_in, theirs_out):
            os.close(one)
        self._session = None
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> "Chromium":
        return self

    def __exit__(self, *unused: object) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._profile.cleanup()

    def _receive(self) -> dict:
        while b"\0" not in self._buffer:
            more = os.read(self._in, 1 << 20)
            if not more:
                raise ChromiumError("Chromium has ended")
            self._buffer += more
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method: str, **parameters: object) -> dict:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") != self._last:
                self.events.append(answer)
            elif "error" in answer:
                raise ChromiumError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def open(self, page: Path, fragment: str = "") -> None:
        """Opens PAGE and returns when it is loaded."""
        for address in ("about:blank", page.resolve().as_uri() + fragment):
            self.events.clear()
            self.call("Page.navigate", url=address)
            while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
                self.events.append(self._receive())

    def ask(self, expression: str) -> object:
        """The value of EXPRESSION in JavaScript. If it is a promise, waits for it."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise ChromiumError(str(answer["exceptionDetails"].get("exception", answer)))
        return answer["result"].get("value")

    def show(self, width: int, height: int, scheme: str = "light", media: str = "screen") -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)
        self.ask(NEXT_FRAME)  # wait until the page is drawn in the new style

    def press(self, key: str) -> None:
        codes = {"Tab": 9, "Enter": 13, "Escape": 27}
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=codes[key], **text)

    def complaints(self) -> list[str]:
        """What the page printed on the console, and its exceptions and dialogs."""
        methods = ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")
        methods += ("Page.javascriptDialogOpening",)
        return [json.dumps(event["params"]) for event in self.events if event.get("method") in methods]

    def requests(self) -> list[str]:
        """The addresses that the page requested since it was opened."""
        sent = (event for event in self.events if event.get("method") == "Network.requestWillBeSent")
        return [event["params"]["request"]["url"] for event in sent]
