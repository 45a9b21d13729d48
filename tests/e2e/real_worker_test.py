"""The front with the real worker, on networks so small that a launch takes a second."""

import json
import math
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import time
import unittest

from real_worker import BATCH, RealWorker
from support import MPSBENCH, SOURCE, TINY


class Measures(RealWorker):
    @unittest.skipUnless(sys.platform == "linux", "other systems do not say on which CPUs threads work")
    def test_threads_that_do_not_work_are_counted(self):
        all_cpus = sorted(os.sched_getaffinity(0))
        options = ("--threads", "2", "--mode", "infer", "-d", "cpu", *BATCH)
        for name, value, count, cpus in (
            ("OMP_THREAD_LIMIT", "1", 1, len(all_cpus)),
            ("OMP_PROC_BIND", "master", 2, 1),
            ("OMP_PLACES", f"{{{all_cpus[-1]}}}", 2, 1),
        ):
            self.env[name] = value
            (launch,) = self.launches(self.run_tiny(*options, model="mlp"))
            del self.env[name]
            working = launch["working_threads"]
            self.assertEqual(working["count"], count, name)
            self.assertEqual("," in working["cpus"] or "-" in working["cpus"], cpus > 1, working)
            if len(all_cpus) > 1:
                self.assertIn(f"({name}={value}); unset {name}", self.said.err)

    def test_a_window_with_a_stop_is_run_again(self):
        options = ("--mode", "infer", "-b", "64", "-d", "cpu", "-r", "1", "--min-time", "2s", "--max-noise", "1e-9")
        front = self.start("run", "-m", "mlp", *options, "--export-json", "out.json")
        (worker,) = self.await_measuring(front)
        os.kill(worker, signal.SIGSTOP)
        time.sleep(1.5)
        os.kill(worker, signal.SIGCONT)
        self.assertEqual(self.finish(front).code, 0)
        (launch,) = self.launches(self.report())
        self.assertEqual(launch["disturbed"], "stopped")
        self.assertLess(max(launch["samples_seconds"]) * launch["steps_per_sample"], 1.4)

    def test_the_parts_of_a_step(self):
        options = (*BATCH, "-d", "cpu", "-b", "512")
        cases = {case["spec"]["mode"]: case for case in self.run_tiny(*options, model="mlp")["cases"]}
        parts = ("forward_seconds", "backward_seconds", "update_seconds")
        (launch,) = cases["train"]["launches"]
        kept = launch["step_parts"]  # null if the machine was too busy for them to agree
        for part in parts:
            if kept:
                self.assertGreater(kept[part], 0)
                self.assertEqual(cases["train"]["metrics"][part], kept[part])
            else:
                self.assertIn("no launch kept them", cases["train"]["notes"][f"metrics.{part}"])
            self.assertIsNone(cases["infer"]["metrics"][part])
            self.assertIn("only training", cases["infer"]["notes"][f"metrics.{part}"])
        self.assertIsNone(cases["infer"]["launches"][0]["step_parts"])
        self.validate("out.json")

    def test_input_of_the_cpu_is_in_host_memory(self):
        report = self.run_tiny(*BATCH, "-d", "cpu", "--input", "host", model="mlp", code=3)
        self.assertIn("+input=host", report["cases"][0]["id"])
        self.assertEqual(report["cases"][0]["status"], "unsupported")
        self.assertIn("leave --input out", report["cases"][0]["failure"]["message"])
        self.validate("out.json")

    def test_precision_order_and_threads(self):
        options = ("--precision", "fp32,bf16", "--channels-last", "--threads", "2", "-b", "4,8")
        report = self.run_tiny(*BATCH, *options, model="lenet5")
        self.assertEqual(set(map(tuple, self.statuses(report).values())), {("ok",)})
        self.assertEqual(report["host"]["libtorch"]["intra_op_threads"], 2)
        losses = {
            case["spec"]["precision"]: case["launches"][0]["losses"][0]
            for case in report["cases"]
            if (case["spec"]["mode"], case["spec"]["batch_size"]) == ("train", 8)
        }
        self.assertNotEqual(losses["fp32"], losses["bf16"])
        self.assertAlmostEqual(losses["fp32"], losses["bf16"], delta=0.1)
        kinds = []  # each kind of step is compared once
        for case in report["cases"]:
            (launch,) = case["launches"]
            self.assertEqual(launch["stopped_by"], "max-batches")
            self.assertEqual(len(launch["samples_seconds"]) * launch["steps_per_sample"], 3)
            if checks := launch.get("agreement"):
                spec = case["spec"]
                kinds.append((spec["mode"], spec["precision"], *(check["quantity"] for check in checks)))
                self.assertEqual({check["reference"] for check in checks}, {"cpu"})
                self.assertTrue(all(check["difference"] < check["limit"] for check in checks), checks)
        expected = [("train", "bf16", "output", "loss", "gradients", "weights"), ("infer", "bf16", "output")]
        self.assertCountEqual(kinds, expected)
        self.validate("out.json")

    def test_interop_threads_and_affinity(self):
        options = ["--mode", "infer", "--interop-threads", "3"]
        if sys.platform == "linux":
            options += ["--affinity", str(min(os.sched_getaffinity(0)))]
        report = self.run_tiny(*BATCH, *options, model="mlp")
        self.assertEqual([case["status"] for case in report["cases"]], ["ok"])
        self.assertEqual(report["host"]["libtorch"]["inter_op_threads"], 3)

    def test_equal_seeds_give_equal_losses(self):
        options = ("--mode", "train", *BATCH[:-1], "2", "--dropout", "0.5")
        first = self.launches(self.run_tiny(*options, "--seed", "7"))
        other = self.launches(self.run_tiny(*options, "--seed", "8", report="other.json"))
        self.assertGreater(len(first[0]["losses"]), 2)
        self.assertEqual(first[0]["losses"], first[1]["losses"])
        self.assertNotEqual(first[0]["losses"], other[0]["losses"])

    def test_the_networks_of_the_documentation(self):
        for path in sorted((SOURCE / "tests/model/files").glob("*.json")):
            report = self.run_tiny(*BATCH, "-b", "2", model=path)
            self.assertEqual(set(map(tuple, self.statuses(report).values())), {("ok",)}, path.name)

    def test_devices(self):
        (cpu,) = [
            one for one in json.loads(self.expect(0, "list", "devices", "-f", "json").out) if one["device"] == "cpu"
        ]
        self.assertTrue(cpu["usable"])
        self.assertTrue(json.loads(self.expect(0, "doctor", "-f", "json").out))

    @unittest.skipUnless(sys.platform == "linux", "ldd is Linux's")
    def test_the_front_is_free_of_libtorch(self):
        linked = subprocess.run(["ldd", MPSBENCH], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("torch", linked)
        self.assertNotIn("libc10", linked)


class Numerics(RealWorker):
    """The result of a linear layer can be computed here."""

    WEIGHT = [[0.5, -1.0, 0.25, 2.0], [1.5, 0.0, -0.5, -1.0], [-2.0, 0.75, 1.0, 0.125]]
    BIAS = [0.1, -0.2, 0.3]

    def setUp(self):
        super().setUp()
        header = {
            "fc.weight": {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]},
            "fc.bias": {"dtype": "F32", "shape": [3], "data_offsets": [48, 60]},
        }
        text = json.dumps(header).encode()
        values = [*self.WEIGHT[0], *self.WEIGHT[1], *self.WEIGHT[2], *self.BIAS]
        self.write("w.safetensors", struct.pack("<Q", len(text)) + text + struct.pack("<15f", *values))

    def dump(self, mode, name):
        options = ("--dropout", "0", "-b", "5", "--weights", "w.safetensors", "--dump-first-step", name)
        report = self.run_tiny(*BATCH[:-2], "--mode", mode, *options)
        self.assertEqual(len(self.launches(report)), 1)
        return report, self.tensors(name)

    def expect_close(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected, strict=True):
            self.assertAlmostEqual(a, b, delta=1e-5)

    def test_first_steps(self):
        report, dumped = self.dump("train", "train.safetensors")
        self.assertEqual(set(dumped), {"input", "target", "logits", "loss", "grad.fc.weight", "grad.fc.bias"})
        rows = [dumped["input"][1][i : i + 4] for i in range(0, 20, 4)]
        logits = [
            [sum(map(lambda w, x: w * x, line, row)) + bias for line, bias in zip(self.WEIGHT, self.BIAS, strict=True)]
            for row in rows
        ]
        self.expect_close(dumped["logits"][1], [value for row in logits for value in row])
        targets = dumped["target"][1]
        shares = [[math.exp(v) / sum(map(math.exp, row)) for v in row] for row in logits]
        loss = -sum(math.log(row[t]) for row, t in zip(shares, targets, strict=True)) / 5
        self.expect_close(dumped["loss"][1], [loss])
        errors = [[s - (k == t) for k, s in enumerate(row)] for row, t in zip(shares, targets, strict=True)]
        self.expect_close(dumped["grad.fc.bias"][1], [sum(row[k] for row in errors) / 5 for k in range(3)])
        gradient = [sum(e[k] * x[j] for e, x in zip(errors, rows, strict=True)) / 5 for k in range(3) for j in range(4)]
        self.expect_close(dumped["grad.fc.weight"][1], gradient)
        self.assertAlmostEqual(self.launches(report)[0]["losses"][0], loss, delta=1e-5)
        _, infer = self.dump("infer", "infer.safetensors")
        self.assertEqual(infer["input"], dumped["input"])
        self.expect_close(infer["logits"][1], dumped["logits"][1])


class Ends(RealWorker):
    def start_long(self, *more):
        """Starts a launch of two seconds. Returns it with the process id of its worker, as soon as that measures."""
        options = ("--mode", "train", "--min-time", "2s", "--max-time", "2s", "-r", "1", "--max-noise", "1e-9")
        front = self.start("run", "-m", "mlp", "-d", "cpu", *options, "--export-json", "out.json", *more)
        return front, *self.await_measuring(front)

    @unittest.skipUnless(sys.platform == "linux", "looks at /proc")
    def test_worker_killed(self):
        front, worker = self.start_long()
        os.kill(worker, signal.SIGKILL)
        self.assertEqual(self.finish(front).code, 5)
        self.assertEqual(list(self.statuses(self.report()).values()), [["crashed"]])
        self.expect(0, "run", "--resume", "out.json")
        self.assertEqual(list(self.statuses(self.report()).values()), [["ok"]])
        self.validate("out.json")

    @unittest.skipUnless(sys.platform == "linux", "looks at /proc")
    def test_front_killed(self):
        front, _ = self.start_long()
        self.kill(front)
        self.assertEqual(self.journal()[1], [])
        self.validate("out.jsonl")

    @unittest.skipUnless(sys.platform == "linux", "RLIMIT_DATA works on Linux")
    def test_a_batch_that_runs_out_of_memory(self):
        limit = 700 << 20
        options = ("--mode", "infer", "-b", "64,250000,300000", *BATCH, "--export-json", "out.json", "-d", "cpu")
        front = self.start(
            *("run", "-m", "mlp", *options), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        )
        said = self.finish(front)
        self.assertEqual(said.code, 5, said)
        self.assertEqual(list(self.statuses(self.report()).values()), [["ok"], ["oom"], ["skipped"]])
        self.assertIn("out of memory", said.out)
        self.validate("out.json")

    @unittest.skipUnless(sys.platform == "linux", "RLIMIT_DATA works on Linux")
    def test_the_largest_batch_under_a_memory_limit(self):
        devices = json.loads(self.expect(0, "list", "devices", "-f", "json").out)
        if any(one["device"] == "cuda" and one["built_in"] for one in devices):
            self.skipTest("LibTorch for CUDA takes more than the limit for itself")
        limit = 400 << 20
        row = 16 << 20  # bytes: so large that a process's other allocations hardly ever matter
        wide = TINY | {
            "name": "wide",
            "parameters": {"classes": 3},
            "inputs": [{"name": "input", "dtype": "float32", "shape": [row // 4]}],
            "layers": TINY["layers"][1:],
        }
        self.write("wide.json", wide)
        options = ("-m", "wide.json", "--mode", "train", "-b", "max", *BATCH, "-d", "cpu")
        front = self.start(
            *("run", *options, "--export-json", "out.json"),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
        )
        said = self.finish(front)
        fits, too_large = self.report()["cases"]
        self.assertIn(too_large["status"], ("oom", "ok"), said)  # the limit is not exact
        self.assertEqual(fits["spec"]["batch_size"] + 1, too_large["spec"]["batch_size"])
        self.assertGreater(fits["spec"]["batch_size"] * row, limit // 20)
        self.assertLess(fits["spec"]["batch_size"] * row, limit)

    def test_the_best_batch(self):
        options = ("--mode", "train", "-b", "best", "--rows", "64", "--max-time", "0.3s", "-r", "1")
        (case,) = self.run_tiny(*options)["cases"]
        self.assertEqual(case["status"], "ok")
        batch = case["spec"]["batch_size"]
        self.assertIn(batch, [1, 2, 4, 8, 16, 32, 64])
        self.assertIn(f"the smallest power of two within 2 % of the fastest is {batch} (", self.said.err)
        tried = [int(size) for size in re.findall(r"batch (\d+): [\d.,]+ rows/s", self.said.err)]
        self.assertEqual(tried[:3], [1, 2, 4])

    def test_timeout(self):
        report = self.run_tiny("--mode", "infer", "--timeout", "20ms", "-r", "1", code=5)
        self.assertEqual(list(self.statuses(report).values()), [["timeout"]])
