"""Tests `run --ceilings` with a fake mpsbench-ops: how it is called, what is kept and shown, and what its failures do.
Also tests `mpsbench ops`.
"""

import json
import re
import sys
from pathlib import Path

from support import FrontTest

# Records its arguments and writes Google Benchmark's JSON for the operations that the filter names.
FAKE_OPS = f"""#!{sys.executable}
import json, os, re, sys, time
with open("ops-calls", "a") as calls:
    print(json.dumps(sys.argv[1:]), file=calls)
how = os.environ.get("FAKE_OPS", "")
if how == "fails":
    sys.exit("mpsbench-ops: planted")
if how == "hangs":
    time.sleep(60)
options = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
rates = {{"matmul/cpu/fp32/256": 1e9, "matmul/cpu/fp32/1024": 4e9, "matmul/cpu/bf16/1024": 8e9,
         "matmul_backward/cpu/fp32/1024": 9e99, "add/cpu/fp32/64MiB": 2e9, "matmul/cuda/fp32/1024": 5e13,
         "all_reduce/cuda/x2/4KiB": 1e5, "all_reduce/cuda/x2/100MB": 4e6}}
counters = {{"add": "bytes_per_second", "all_reduce": "bus_bytes_per_second"}}
benchmarks = [
    {{"name": name + "/manual_time", "run_type": "iteration",
      counters.get(name.split("/")[0], "flops_per_second"): rate}}
    for name, rate in rates.items() if re.search(options["--benchmark_filter"], name)
]
with open(options["--benchmark_out"], "w") as out:
    out.write("nonsense" if how == "talks" else json.dumps({{"benchmarks": benchmarks}}, indent=1) + "\\n")
"""


class CeilingsTest(FrontTest):
    def setUp(self):
        super().setUp()
        ops = self.folder / "fake-ops"
        ops.write_text(FAKE_OPS)
        ops.chmod(0o755)
        self.env["MPSBENCH_OPS"] = str(ops)
        self.cache = self.folder / "cache" / "mpsbench"
        self.env["XDG_CACHE_HOME"] = str(self.cache.parent)

    def calls(self):
        file = self.work / "ops-calls"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def shares(self, report):
        return {case["spec"]["precision"]: case["metrics"]["ceiling_share"] for case in report["cases"]}

    def measure(self, *arguments, **how):
        return self.run_tiny("--mode", "infer", "-r", "1", "--device", "cpu", *arguments, **how)


class Ceilings(CeilingsTest):
    def test_measured_shown_and_kept(self):
        report = self.measure("--ceilings", "--precision", "fp32,bf16", "--threads", "3")
        (ceiling,) = report["host"]["ceilings"]
        self.assertEqual(ceiling["matmul_flops_per_second"], {"bf16": 8e9, "fp32": 4e9})
        self.assertEqual((ceiling["device"], ceiling["threads"], ceiling["bytes_per_second"]), ("cpu", 3, 2e9))
        for case in report["cases"]:
            rate = ceiling["matmul_flops_per_second"][case["spec"]["precision"]]
            metrics = case["metrics"]
            self.assertAlmostEqual(metrics["ceiling_share"], metrics["flops_per_second"] / rate)
            self.assertNotIn("metrics.ceiling_share", case["notes"])
        self.assertIn("ceiling", self.said.out)
        self.assertIn("measuring the ceilings of cpu", self.said.err)
        self.validate("out.json")
        (words,) = self.calls()
        self.assertEqual(words[words.index("--threads") + 1], "3")
        self.assertEqual(words[words.index("--device") + 1], "cpu")

    def test_averages_between_gpus(self):
        session = {"rules": [{"case": "probe", "actions": [{"probe": {"gpus": 2}}]}]}
        words = ("-r", "1", "-d", "cuda", "--mode", "train", "--gpus", "1,2", "--ceilings")
        one, two = self.run_tiny(*words, session=session)["cases"]
        self.validate("out.json")
        (communication,) = [launch["communication"] for launch in two["launches"]]
        share = communication["bytes"] / communication["average_seconds"] / 4e6
        self.assertAlmostEqual(two["metrics"]["communication_ceiling_share"], share)
        self.assertIsNone(one["metrics"]["communication_ceiling_share"])
        self.assertIn("all-reduce between 2 devices", self.said.err)
        alone, together = self.calls()
        self.assertEqual(alone[alone.index("--device") + 1], "cuda")
        self.assertEqual(together[together.index("--device") + 1], "cuda:0,cuda:1")
        self.run_tiny(*words, session=session, report="again.json")
        self.assertEqual(len(self.calls()), 2)

    def test_a_second_run_takes_what_was_kept(self):
        first = self.shares(self.measure("--ceilings"))
        again = self.measure("--ceilings", report="again.json")
        without = self.measure(report="without.json")
        self.assertEqual(len(self.calls()), 1)
        self.assertEqual(self.shares(again), first)
        self.assertEqual(self.shares(without), first)
        self.assertEqual(without["host"]["ceilings"], again["host"]["ceilings"])

    def test_only_what_is_not_known_is_measured(self):
        self.measure("--ceilings")
        report = self.measure("--ceilings", "--precision", "fp32,bf16", report="both.json")
        filters = [next(word for word in words if "filter" in word) for words in self.calls()]
        self.assertEqual([re.findall("fp32|bf16", text) for text in filters], [["fp32"], ["bf16"]])
        self.assertEqual(report["host"]["ceilings"][0]["matmul_flops_per_second"], {"bf16": 8e9, "fp32": 4e9})
        self.assertNotIn(None, self.shares(report).values())
        self.measure("--ceilings", "--threads", "7", report="threads.json")
        self.assertEqual(len(self.calls()), 3)

    def test_a_failing_program_costs_the_share_only(self):
        for how, words in (("fails", "mpsbench-ops: planted"), ("talks", "JSON")):
            self.env["FAKE_OPS"] = how
            report = self.measure("--ceilings", report=f"{how}.json")
            self.assertIn(words, self.said.err)
            self.assertEqual((report["run"]["status"], self.shares(report)), ("complete", {"fp32": None}))
            self.assertFalse(self.cache.exists())

    def test_interrupted_before_anything_is_written(self):
        self.env["FAKE_OPS"] = "hangs"
        front = self.start("run", "-m", "tiny.json", "-d", "cpu", "--ceilings", "--export-json", "out.json")
        self.await_file(self.work / "ops-calls")
        self.interrupt(front)
        self.assertEqual(self.files(), {Path("tiny.json"), Path("ops-calls")})
