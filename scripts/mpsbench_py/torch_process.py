"""Starts the processes of PyTorch's sides in a comparison, and talks with them."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from mpsbench_py import heap

SECONDS_TO_END = 40  # torchrun waits 30 s for its processes


class ComparisonError(Exception):
    """One side did not run, or the sides disagree. The message is one line for the user."""


class TorchProcess:
    """A process of mpsbench_py.torch_side, which does one job after another. What it compiles goes to the folder CACHE,
    unless the user has named another one. WORDS are those after python in its command line.
    """

    def __init__(self, job_seconds: float, cache: Path, words: tuple[str, ...] = ("-m", "mpsbench_py.torch_side")):
        self.job_seconds = job_seconds
        self.words = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 (closed in close())
        self.process = subprocess.Popen(
            [sys.executable, *words],
            cwd=Path(__file__).resolve().parents[1],
            env={"TORCHINDUCTOR_CACHE_DIR": str(cache), **heap.settings(os.environ), **os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.words,
            text=True,
        )

    def close(self) -> None:
        self.process.communicate()
        self.words.close()

    def ask(self, request: dict) -> dict:
        late = threading.Event()
        timer = threading.Timer(self.job_seconds, self.end, [late])
        timer.start()
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if late.is_set():
            raise ComparisonError(f"Python: no answer within {self.job_seconds:g} s")
        if not line:
            raise ComparisonError(f"Python, exit {self.process.wait()}: {self.last_words()}")
        answer = json.loads(line)
        if "error" in answer:
            raise ComparisonError(f"Python: {answer['error']}")
        return answer

    def end(self, late: threading.Event) -> None:
        """Ends the process, which can first end others that it has started, as torchrun does."""
        late.set()
        self.process.terminate()
        try:
            self.process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def last_words(self) -> str:
        """The last line or, if a rank of several says why it failed, that line: torchrun prints many after it."""
        self.words.seek(0)
        lines = self.words.read().strip().splitlines() or ["no message"]
        return next((line for line in lines if re.match(r"rank \d+: ", line)), lines[-1])


class TorchProcesses:
    """One process for each of PyTorch's sides, so that no side's failure or compiled code reaches another side. If they
    are not kept, each job gets a new one. Inductor's caches are empty at first, so that a side's first compilation is
    whole.
    """

    def __init__(self, sides: list[str], keep: bool, job_seconds: float) -> None:
        self.keep = keep
        self.job_seconds = job_seconds
        self.caches = tempfile.TemporaryDirectory(prefix="mpsbench-inductor-", ignore_cleanup_errors=True)
        self.running = {side: self.start(side) for side in sides if keep}

    def start(self, side: str) -> TorchProcess:
        return TorchProcess(self.job_seconds, Path(self.caches.name) / side)

    def __enter__(self) -> "TorchProcesses":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.running.values():
            process.close()
        self.caches.cleanup()

    def ask(self, side: str, request: dict) -> dict:
        process = self.running.pop(side, None) or self.start(side)
        try:
            answer = process.ask(request)
        except BaseException:
            process.close()  # the next job of this side gets a new one
            raise
        if self.keep:
            self.running[side] = process
        else:
            process.close()
        return answer
