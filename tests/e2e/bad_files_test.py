"""Hostile files cause one line that names the file and the place, and exit code 2, quickly and with little memory.
They never cause an abort or a hang.
"""

import hashlib
import json
import os
import resource
import signal
import stat
import struct
import subprocess
import tempfile
import threading
import unittest

from hostile_files import HEADERS, MODELS, SUITES, SWOLLEN, TEXTS, changed
from support import MPSBENCH, PATIENCE, TINY, FrontTest, is_root_on_linux, safetensors

SECONDS = 5  # of the CPU; we promise 1 s, but some builds are slower
MEBIBYTES = 200
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
SANITIZED = b"__asan_init" in MPSBENCH.read_bytes()  # sanitizers need several times the memory and time


READERS = [("run", "--model"), ("run",), ("validate",), ("run", "--resume"), ("run", "-m", "tiny.json", "--weights")]


def with_definition(report, definition):
    """REPORT with the model DEFINITION in its only case, and the fingerprint that goes with it."""
    (before,) = report["run"]["definitions"]
    text = json.dumps(definition, sort_keys=True, separators=(",", ":"))
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return changed(json.loads(json.dumps(report).replace(before, sha256)), "run.definitions", {sha256: definition})


class BadFiles(FrontTest):
    def measured(self, *arguments, says=()):
        """Does the same as expect_refused, and checks time and memory, too."""
        before = self.files()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            front = self.start(*arguments, stdout=out, stderr=err)
            hangs = threading.Timer(PATIENCE, os.kill, (front.pid, signal.SIGKILL))
            hangs.start()
            _, status, usage = os.wait4(front.pid, 0)
            hangs.cancel()
            front.returncode = os.waitstatus_to_exitcode(status)
            said = []
            for stream in (out, err):
                stream.seek(0)
                said.append(stream.read().decode())
        words = f"{arguments}: exit {front.returncode}\n{said[0][:500]}\n{said[1][:2000]}"
        self.assertEqual(front.returncode, 2, words)
        self.assertEqual(said[0], "", words)
        self.assertEqual(said[1].count("\n"), 1, words)
        self.assertLess(len(said[1]), 1000, words)
        self.assertTrue(said[1].startswith("mpsbench: "), words)
        self.assertFalse([c for c in said[1][:-1] if not c.isprintable()], words)
        for text in says:
            self.assertIn(text, said[1], words)
        if not SANITIZED:
            self.assertLess(usage.ru_utime + usage.ru_stime, SECONDS, words)
            self.assertLess(usage.ru_maxrss / 1024, MEBIBYTES, words)
        self.assertEqual(self.files(), before, words)

    def each(self, contents, *commands, says=("bad.json",)):
        for name, content in contents.items():
            self.write("bad.json", content() if callable(content) else content)
            for command in commands:
                with self.subTest(name, command=command):
                    self.measured(*command, "bad.json", says=says)

    def test_models(self):
        models = {name: model for name, model in MODELS.items() if not isinstance(model, (list, int))}
        self.each(models, ("run", "--model"), says=("bad.json", "$"))

    def test_models_validated(self):
        roomy = ("a batch larger than memory",)  # some machines have enough memory for it
        self.each({name: model for name, model in MODELS.items() if name not in roomy}, ("validate",))

    def test_suites(self):
        self.each(SUITES, ("run",), says=())
        self.each({name: suite for name, suite in SUITES.items() if "memory" not in name}, ("validate",), says=())

    def test_texts(self):
        self.each(TEXTS, *READERS)

    def test_small_files_that_become_large(self):
        self.each(SWOLLEN, *[("validate",)] if SANITIZED else [("run",), ("run", "--model"), ("validate",)])

    def test_reports(self):
        report = self.run_tiny("--mode", "infer", "-r", "1")
        ((key, definition),) = report["run"]["definitions"].items()
        changes = {
            "version": changed(report, "schema_version", 2),
            "cases": changed(report, "cases", {}),
            "status": changed(report, "cases.0.status", "fine"),
            "unknown key": {**report, "surprise": 1},
            "samples": changed(report, "cases.0.launches.0.samples_seconds", "many"),
            "a negative time": changed(report, "cases.0.launches.0.samples_seconds.0", -1.0),
            "no definition": changed(report, "run.definitions", {}),
            "a hostile definition": with_definition(report, MODELS["repeats of repeats"]),
            "a changed definition": changed(report, "run.definitions", {key: {**definition, "rows": 7}}),
            "no cases": changed(report, "cases", []),
            "a case twice": changed(report, "cases", report["cases"] * 2),
            "a foreign case": changed(report, "cases.0.id", "mlp/infer/cpu/b4/fp32/eager/synthetic"),
            "repeats": changed(report, "run.planned.0.repeats", 10**15),
            "a hostile batch": changed(report, "run.planned.0.spec.batch_size", 2**62),
            "an unknown loss": changed(report, "run.planned.0.spec.loss", "hinge"),
        }
        self.each(changes, ("run", "--resume"))
        del changes["a hostile definition"], changes["a hostile batch"], changes["unknown key"]
        del changes["repeats"], changes["an unknown loss"]
        self.each(changes, ("validate",))

    def test_not_files(self):
        (self.work / "folder.json").mkdir()
        os.mkfifo(self.work / "pipe.json")
        (self.work / "loop.json").symlink_to("loop.json")
        (self.work / "dangling.json").symlink_to("nowhere")
        made = ("folder.json", "pipe.json", "loop.json", "dangling.json")
        for place in (*made, "/dev/zero", "/dev/null", "./no/such.json"):
            for command in READERS:
                with self.subTest(place, command=command):
                    self.measured(*command, place, says=[place])

    @unittest.skipUnless(is_root_on_linux() or os.geteuid() != 0, "root on another system than Linux")
    def test_unreadable(self):
        self.work.parent.chmod(0o755)
        for path in (self.work, *self.work.iterdir()):
            path.chmod(0o777 if path.is_dir() else 0o644)
        secret = self.write("secret.json", TINY)
        secret.chmod(0)
        who = {}
        if os.geteuid() == 0:
            who = {"user": 65534}
            self.env["HOME"] = "/nonexistent"
            if subprocess.run(["test", "-x", str(MPSBENCH)], capture_output=True, **who).returncode != 0:
                self.skipTest("nobody but root may run the program from here")
        for command in READERS[:4]:
            said = self.expect(2, *command, "secret.json", **who)
            self.assertIn("secret.json", said.err)
            self.assertEqual(said.err.count("\n"), 1)

    def test_weights(self):
        good = safetensors({"fc.weight": [3, 4], "fc.bias": [3]})
        header = json.loads(good[8 : 8 + struct.unpack("<Q", good[:8])[0]])

        def with_header(entries):
            text = json.dumps(entries).encode()
            return struct.pack("<Q", len(text)) + text + bytes(60)

        def with_bias(**changes):
            return with_header({"fc.bias": {"dtype": "F32", "shape": [3], "data_offsets": [0, 12]} | changes})

        files = {
            "truncated data": good[:-1],
            "truncated header": good[:40],
            "a header of 2^63 bytes": struct.pack("<Q", 2**63) + good[8:],
            "a header of 99 MB": struct.pack("<Q", 99_000_000) + good[8:],
            "a missing tensor": safetensors({"fc.weight": [3, 4]}),
            "one too many": safetensors({"fc.weight": [3, 4], "fc.bias": [3], "fc.extra": [1]}),
            "another shape": safetensors({"fc.weight": [4, 3], "fc.bias": [3]}),
            "a tensor of 2^60 elements": with_header({**header, "fc.bias": {**header["fc.bias"], "shape": [2**60]}}),
            "sizes that overflow": with_header({**header, "fc.bias": {**header["fc.bias"], "shape": [2**32, 2**32]}}),
            "offsets the wrong way round": with_bias(data_offsets=[12, 0]),
            "offsets behind the end": with_bias(data_offsets=[900, 912]),
            "a negative offset": with_bias(data_offsets=[-12, 0]),
            "an unknown type": with_bias(dtype="F33"),
            "a list as header": with_header([]),
            "no header": with_header({}),
        }
        for name, header in HEADERS.items():
            files[f"a header of {name}"] = lambda text=header: struct.pack("<Q", len(text())) + text() + bytes(4)
        self.each(files, ("run", "-m", "tiny.json", "--weights"))
        sparse = self.write("sparse.safetensors", struct.pack("<Q", 99_999_999))
        with sparse.open("r+b") as file:
            file.truncate(100_000_007)
        self.measured("run", "-m", "tiny.json", "--weights", "sparse.safetensors", says=["sparse.safetensors"])

    def test_large_files(self):
        for name in ("model.json", "journal.jsonl"):
            with self.write(name, b'{"journal_version":' if name.endswith("l") else b"{").open("r+b") as file:
                file.truncate(100 << 30)
            self.assertEqual(stat.S_IFMT((self.work / name).stat().st_mode), stat.S_IFREG)
        self.measured("run", "--model", "model.json", says=["model.json"])
        self.measured("run", "./model.json", says=["model.json"])
        self.measured("run", "--resume", "journal.jsonl", says=["journal.jsonl"])
        self.measured("validate", "journal.jsonl", says=["journal.jsonl"])
