"""Runs the front in a separate folder, as a user's shell would.

Every test file gets the arguments MPSBENCH FAKE_WORKER, then those of unittest, such as the name of a class.
"""

import copy
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from pathlib import Path


def take_program():
    """Takes the first argument, a program, so that the others are left for unittest."""
    return Path(sys.argv.pop(1)).resolve()


MPSBENCH, FAKE_WORKER = take_program(), take_program()
SOURCE = Path(__file__).resolve().parents[2]
MARK = "MPSBENCH_E2E_TEST"  # in the environment of all processes that a test starts, to find orphans
PATIENCE = 60  # seconds: no test waits longer, and none needs even a tenth of it
STATE = tempfile.TemporaryDirectory()  # has the machine's name: the reports of all tests are of one machine
unittest.addModuleCleanup(STATE.cleanup)

# A network with few parameters: 4 inputs, 3 outputs.
TINY = {
    "name": "tiny",
    "parameters": {"classes": 3, "dropout": 0.1},
    "inputs": [{"name": "input", "dtype": "float32", "shape": [4]}],
    "layers": [{"type": "dropout", "p": "$dropout"}, {"type": "linear", "name": "fc", "out_features": "$classes"}],
    "loss": "cross_entropy",
    "optimizer": {"name": "sgd", "lr": 0.1},
    "batch_size": 4,
    "rows": 1000,
}


def normal(**result):
    """The actions of a launch that succeeds. script.hpp describes RESULT."""
    return [{"normal": result}]


def suite_keys():
    """The options that a suite may contain, from its published schema."""
    schema = json.loads((SOURCE / "configs/schema/suite.schema.json").read_text(encoding="utf-8"))
    own = set(schema["properties"]) | set(schema["$defs"]["settings"]["properties"])
    return own - {"$schema", "name", "description", "matrices"}


def is_root_on_linux():
    return sys.platform == "linux" and os.geteuid() == 0


def safetensors(tensors):
    """A safetensors file of zeros. TENSORS: name -> shape."""
    header, end = {}, 0
    for name, shape in tensors.items():
        begin, count = end, 1
        for size in shape:
            count *= size
        end = begin + 4 * count
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + bytes(end)


def another(report, name):
    """A copy of REPORT with other launches: what a second run with equal figures would have written."""
    report = copy.deepcopy(report)
    report["run"]["id"] = name
    for launch in (launch for case in report["cases"] for launch in case["launches"]):
        launch["wall_seconds"] += zlib.crc32(name.encode()) / 2**32  # no two launches last equally long
    return report


def without_launches(case):
    """Changes CASE to what it is if nothing was measured."""
    case["launches"] = []
    for key, value in case["metrics"].items():
        if isinstance(value, dict):
            kept = {"kind": "projected" if key == "epoch_seconds" else "median-step", "count": 0}
            case["metrics"][key] = {one: kept.get(one) for one in value}
        elif key not in ("parameters", "trainable_parameters", "weight_bytes", "flops_per_step", "energy_method"):
            case["metrics"][key] = None


class Done:
    def __init__(self, process, out, err):
        self.code, self.out, self.err = process.returncode, out, err

    def __str__(self):
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class FrontTest(unittest.TestCase):
    maxDiff = None
    patience = PATIENCE

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.work = self.folder / "work"
        self.work.mkdir()
        dropped = ("MPSBENCH_", "OMP_", "NO_COLOR", "XDG_")
        self.env = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
        self.env |= {"HOME": str(self.folder / "home"), "XDG_STATE_HOME": STATE.name}
        self.env["MPSBENCH_WORKER"] = str(FAKE_WORKER)
        self.env["OMP_NUM_THREADS"] = "1"  # fewer threads are not tried then, however busy the machine is
        self.env |= {MARK: folder.name, "TERM": "xterm"}
        self.write("tiny.json", TINY)
        self.addCleanup(self.expect_no_orphans)

    def write(self, name, content):
        """Writes CONTENT: text, bytes, or a value to write as JSON."""
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def start(self, *arguments, session=None, **popen):
        env = dict(self.env)
        if session is not None:
            env["MPSBENCH_FAKE_SESSION"] = json.dumps(session)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        command = [str(MPSBENCH), *map(str, arguments)]
        return subprocess.Popen(command, cwd=self.work, env=env, text=True, **(pipes | popen))

    def finish(self, process):
        try:
            return Done(process, *process.communicate(timeout=self.patience))
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail(f"hangs: {process.args}\n{Done(process, *process.communicate())}")

    def call(self, *arguments, session=None, **popen):
        return self.finish(self.start(*arguments, session=session, **popen))

    def expect(self, code, *arguments, session=None, **popen):
        """Runs mpsbench, checks its exit code, and returns what it printed."""
        done = self.call(*arguments, session=session, **popen)
        self.assertEqual(done.code, code, f"{arguments}\n{done}")
        return done

    def expect_refused(self, *arguments, says=(), code=2, session=None):
        """Expects one line on stderr, nothing on stdout, and no new files."""
        before = self.files()
        done = self.expect(code, *arguments, session=session)
        self.assertEqual(done.out, "", done)
        self.assertEqual(done.err.count("\n"), 1, done)
        self.assertTrue(done.err.startswith("mpsbench: "), done)
        for text in says:
            self.assertIn(text, done.err, f"{arguments}")
        self.assertEqual(self.files(), before, arguments)
        return done

    def files(self):
        return {path.relative_to(self.work) for path in self.work.rglob("*")}

    def run_tiny(self, *arguments, code=0, session=None, model="tiny.json", report="out.json"):
        """Measures the model and returns the report."""
        options = ("run", "--model", model, "--export-json", report)
        self.said = self.expect(code, *options, *arguments, session=session)
        return self.report(report)

    def report(self, name="out.json"):
        return json.loads(self.text(name))

    def journal(self, name="out.jsonl"):
        """The complete lines of the journal: the first one, and the launches."""
        text = self.text(name)
        lines = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
        return lines[0], [line for line in lines[1:] if "launch" in line]

    def text(self, name):
        return (self.work / name).read_bytes().decode()

    def counted(self, *rules):
        """A script of the fake worker that notes each launch in the file `starts`."""
        return {"counter": str(self.folder / "starts"), "rules": list(rules)}

    def here(self):
        """The action by which the fake worker says that it has come so far."""
        return {"write_file": {"path": str(self.folder / "pid"), "text": "$pid"}}

    def start_until_here(self, *arguments, session=None, **popen):
        """Starts mpsbench, and returns it when its worker is `here`. By default, the worker then hangs."""
        (self.folder / "pid").unlink(missing_ok=True)
        front = self.start(*arguments, session=session or ["hello", self.here(), "hang"], **popen)
        self.await_file(self.folder / "pid")
        return front

    def interrupt(self, front, number=signal.SIGINT):
        """Expects FRONT to end by the signal. Returns what it said."""
        front.send_signal(number)
        done = self.finish(front)
        self.assertEqual(done.code, 130, done)
        return done

    def kill(self, front):
        front.kill()
        self.finish(front)
        self.expect_no_orphans()

    def await_file(self, path):
        deadline = time.monotonic() + PATIENCE
        while not path.exists():
            self.assertLess(time.monotonic(), deadline, f"nobody wrote {path}")
            time.sleep(0.005)
        return path.read_text(encoding="utf-8")

    def started_processes(self):
        """The ids of live processes that this test started, directly or indirectly. Linux only."""
        mark = f"{MARK}={self.env[MARK]}".encode()
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:
                pass  # the process has ended, or belongs to another user
        return found

    def expect_no_orphans(self):
        deadline = time.monotonic() + 5
        while self.started_processes():
            if time.monotonic() > deadline:
                left = self.started_processes()
                for number in left:
                    os.kill(number, signal.SIGKILL)
                self.fail(f"processes are still running: {left}")
            time.sleep(0.02)

    def validate(self, *names):
        """Checks reports with the program's own reader and, if jsonschema is installed, with the JSON Schema."""
        self.expect(0, "validate", *names)
        try:
            from jsonschema import Draft202012Validator
        except ImportError:
            return
        schema = json.loads((SOURCE / "configs/schema/report.schema.json").read_text(encoding="utf-8"))
        for name in names:
            if str(name).endswith(".json"):
                errors = [
                    e.json_path + ": " + e.message for e in Draft202012Validator(schema).iter_errors(self.report(name))
                ]
                self.assertEqual(errors, [])

    def statuses(self, report):
        """Case id -> the statuses of its launches, in the order of their indices."""
        return {
            case["id"]: [one["status"] for one in sorted(case["launches"], key=lambda launch: launch["index"])]
            for case in report["cases"]
        }
