"""The front with the real worker, on networks so small that a launch takes a second."""

import json
import os
import struct
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

    def has_computed(self, number, seconds):
        """Whether the process is a worker that has used so much time of the CPU. Then it has met the other ranks."""
        try:
            is_worker = Path(f"/proc/{number}/exe").resolve() == WORKER.resolve()
            ticks = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").split()[13]
        except OSError:
            return False
        return is_worker and int(ticks) > seconds * os.sysconf("SC_CLK_TCK")

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
