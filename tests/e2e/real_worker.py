"""The front with the real worker, on networks so small that a launch takes a second."""

import json
import struct
import time
from pathlib import Path

from support import MPSBENCH, FrontTest

WORKER = MPSBENCH.with_name("mpsbench-worker")
SHORT = ("--min-time", "50ms", "--max-time", "400ms", "--repeats", "1")
BATCH = ("--max-batches", "3", "--warmup", "1", "--repeats", "1")


class RealWorker(FrontTest):
    def setUp(self):
        super().setUp()
        del self.env["MPSBENCH_WORKER"]
        self.env["OMP_NUM_THREADS"] = "1"  # on a busy machine, threads that wait for each other would take minutes

    def launches(self, report):
        return [launch for case in report["cases"] for launch in case["launches"]]

    def workers(self):
        """The workers in the order of their starts and ranks."""
        found = []
        for number in self.started_processes():
            try:
                fields = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                if Path(f"/proc/{number}/exe").resolve() == WORKER.resolve():
                    found.append((int(fields[19]), number))
            except OSError:
                pass  # it has ended
        return [number for _, number in sorted(found)]

    def await_measuring(self, *fronts, count=1):
        """Returns the last COUNT workers of FRONTS after their first step, of which the journal has a part then."""
        journal = self.work / "out.jsonl"
        while all(front.poll() is None for front in fronts):
            if journal.exists() and '"part"' in journal.read_text(encoding="utf-8"):
                return self.workers()[-count:]
            time.sleep(0.02)
        return self.fail("\n".join(str(self.finish(front)) for front in fronts))

    def expect_failure(self, model, *says, options=(), kind=None):
        """Expects a launch of MODEL to fail with a message of one line that has the words SAYS."""
        report = self.run_tiny(*options, model=model, report=f"{model}.json", code=5)
        failure = report["cases"][0]["failure"]
        for words in says:
            self.assertIn(words, failure["message"])
        self.assertNotIn("\n", failure["message"])
        self.assertEqual(failure["kind"], kind or failure["kind"], failure["message"])

    def tensors(self, name):
        """Reads a safetensors file: name -> (shape, flat values)."""
        data = (self.work / name).read_bytes()
        length = struct.unpack("<Q", data[:8])[0]
        found = {}
        for key, entry in json.loads(data[8 : 8 + length]).items():
            begin, end = (8 + length + offset for offset in entry.get("data_offsets", (0, 0)))
            code = {"F32": "f", "I64": "q"}.get(entry.get("dtype"))
            if code:
                values = struct.unpack(f"<{(end - begin) // struct.calcsize(code)}{code}", data[begin:end])
                found[key] = (entry["shape"], values)
        return found
