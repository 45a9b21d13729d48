"""Runs the shipped front with the worker that has a stand-in for MPS.

Every test file gets the arguments MPSBENCH FAKE_WORKER STANDIN_WORKER STANDIN_OPS, of which tests/e2e/support.py takes
the first two, then those of unittest.
"""

import json
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "e2e"))

from real_worker import BATCH, RealWorker
from support import SOURCE, TINY, take_program

WORKER, OPS = take_program(), take_program()

ONE_STEP = ("--max-batches", "1", "--warmup", "1", "--repeats", "1")  # one step besides the first one

__all__ = ["BATCH", "SOURCE", "TINY", "StandinTest"]


class StandinTest(RealWorker):
    patience = 240

    def setUp(self):
        super().setUp()
        self.env |= {"MPSBENCH_WORKER": str(WORKER), "MPSBENCH_OPS": str(OPS)}

    def run_mps(self, *arguments, model="tiny.json", code=0, device="mps", report="out.json", steps=BATCH):
        """Measures some steps of MODEL, checks that the report is valid, and returns it."""
        found = self.run_tiny(*steps, "-d", device, *arguments, model=model, code=code, report=report)
        self.validate(report)
        return found

    def expect_ok(self, report):
        """Expects that all launches succeeded on MPS, with a verified synchronise and a checked output."""
        for case in report["cases"]:
            self.assertEqual(case["status"], "ok", case["id"])
            for launch in case["launches"]:
                self.assertEqual(launch["status"], "ok", case["id"])
                if case["spec"]["device"] == "mps":
                    self.assertTrue(launch["self_test"]["passed"], case["id"])
        return report

    def failure(self, report):
        """The status and the failure of the only launch of the only case."""
        (launch,) = self.launches(report)
        return launch["status"], launch["failure"]

    def expect_same_losses(self, report, relative):
        """Expects that MPS and the CPU learned the same: equal losses in the first two steps and in the last one."""
        losses = {case["spec"]["device"]: case["launches"][0]["losses"] for case in report["cases"]}
        self.assertEqual(set(losses), {"cpu", "mps"})
        for index in (0, 1, -1):
            expected = losses["cpu"][index]
            self.assertAlmostEqual(losses["mps"][index], expected, delta=relative * abs(expected))

    def first_step(self, model, mode, device, *arguments):
        """Name -> tensor of the first step, as numpy arrays."""
        import numpy

        name = f"{device}.safetensors"
        options = ("--mode", mode, "--dump-first-step", name, *arguments)
        report = f"{mode}-{device}.json"
        self.expect_ok(self.run_mps(*options, model=model, device=device, report=report, steps=ONE_STEP))
        data = (self.work / name).read_bytes()
        length = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8 : 8 + length])
        types = {"F32": numpy.float32, "I64": numpy.int64}
        return {
            key: numpy.frombuffer(data[8 + length :][slice(*entry["data_offsets"])], types[entry["dtype"]])
            for key, entry in header.items()
            if key != "__metadata__"
        }

    def expect_same_step(self, model, mode, *arguments):
        """Expects that the first steps of MPS and the CPU agree, relative to the largest value of each tensor."""
        cpu, mps = (self.first_step(model, mode, device, *arguments) for device in ("cpu", "mps"))
        self.assertEqual(set(cpu), set(mps))
        self.assertIn("logits", cpu)
        for name, expected in cpu.items():
            largest = abs(expected).max()
            difference = abs(mps[name].astype("float64") - expected).max() / (largest or 1)
            self.assertLessEqual(difference, 1e-5, f"{model}/{mode}: {name}")
