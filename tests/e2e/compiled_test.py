"""Compiled engines from end to end: PyTorch compiles small networks, and the real worker runs their packages.

Compiling takes about half a minute a package, so all tests share one cache. MPSBENCH_TEST_CACHE names a folder
that keeps it for the next time.
"""

import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
import unittest
from pathlib import Path

import wanted
from real_worker import BATCH, WORKER, RealWorker
from support import SOURCE

wanted.packages("torch")

# Convolution, batch norm and dropout : a training step draws random numbers and changes buffers.
SMALL = {
    "name": "small",
    "parameters": {"classes": 5, "dropout": 0.25},
    "inputs": [{"name": "input", "dtype": "float32", "shape": [3, 8, 8]}],
    "layers": [
        {"type": "conv2d", "name": "conv", "out_channels": 4, "kernel_size": 3, "bias": False},
        {"type": "batch_norm2d", "name": "norm"},
        {"type": "relu"},
        {"type": "dropout", "p": "$dropout"},
        {"type": "flatten"},
        {"type": "linear", "name": "fc", "out_features": "$classes"},
    ],
    "loss": "cross_entropy",
    "optimizer": {"name": "sgd", "lr": 0.05, "momentum": 0.9},
    "batch_size": 8,
    "rows": 1000,
}
EVERY_LAYER = SOURCE / "tests/model/files/every_layer.json"
STEPS = ("--max-batches", "20", "--warmup", "1", "--repeats", "1")
WITHOUT = ("--mode", "train", "-b", "8", "--dropout", "0")
TRAIN = {"output", "loss", "gradients"}
FOLDER = tempfile.TemporaryDirectory()
unittest.addModuleCleanup(FOLDER.cleanup)
CACHE = os.environ.get("MPSBENCH_TEST_CACHE", FOLDER.name)
(Path(CACHE) / "mpsbench/packages").mkdir(mode=0o700, parents=True, exist_ok=True)


class Compiled(RealWorker):
    patience = 300

    def setUp(self):
        super().setUp()
        self.env["XDG_CACHE_HOME"] = CACHE
        self.packages = Path(CACHE) / "mpsbench/packages"
        self.write("small.json", SMALL)

    def run_both(self, model, *options, report="out.json"):
        """Returns the cases by engine, and checks what holds for all."""
        document = self.run_tiny("-d", "cpu", "--engine", "eager,compiled", *options, model=model, report=report)
        self.assertEqual({case["status"] for case in document["cases"]}, {"ok"}, self.said)
        self.validate(report)
        self.assertEqual(list((self.packages / "scratch").iterdir()), [])
        cases = {case["spec"]["engine"]: case for case in document["cases"]}
        self.assertEqual(cases["compiled"]["spec"]["compile_mode"], "default")
        self.assertGreater(cases["compiled"]["launches"][0]["compile_seconds"], 0)
        self.assertIsNone(cases["eager"]["spec"].get("compile_mode"))
        self.assertIsNone(cases["eager"]["launches"][0].get("compile_seconds"))
        return cases

    def expect_agreement(self, case, quantities):
        """Expects that the first launch was compared with eager."""
        (launch,) = case["launches"]
        checks = [check for check in launch["agreement"] if check["reference"] == "eager"]
        self.assertEqual({check["quantity"] for check in checks}, quantities)
        for check in checks:
            self.assertLess(check["difference"], check["limit"])

    def expect_equal_losses(self, cases):
        eager, compiled = (cases[engine]["launches"][0]["losses"] for engine in ("eager", "compiled"))
        self.assertGreaterEqual(len(eager), 20)
        self.assertNotEqual(eager[0], eager[-1])
        for a, b in zip(compiled, eager, strict=True):
            self.assertAlmostEqual(a, b, delta=1e-4 * max(abs(b), 0.1))

    def expect_equal_first_steps(self, model, *options):
        for engine in ("eager", "compiled"):
            dump = ("--engine", engine, "--dump-first-step", f"{engine}.safetensors", "-d", "cpu")
            self.run_tiny(*options, *dump, *BATCH, model=model, report=f"{engine}.json")
        eager, compiled = (self.tensors(f"{engine}.safetensors") for engine in ("eager", "compiled"))
        self.assertEqual(set(compiled), set(eager))
        self.assertTrue(any(name.startswith("grad.") for name in eager))
        for name, (shape, values) in eager.items():
            self.assertEqual(compiled[name][0], shape, name)
            norm = sum(value**2 for value in values) ** 0.5
            pairs = zip(values, compiled[name][1], strict=True)
            self.assertLess(sum((a - b) ** 2 for a, b in pairs) ** 0.5, 1e-4 * max(norm, 1e-3), name)


class Agrees(Compiled):
    def test_batch_norm_and_dropout(self):
        cases = self.run_both("small.json", *WITHOUT[:-2], *STEPS)
        self.expect_agreement(cases["compiled"], TRAIN)
        eager, compiled = (cases[engine]["launches"][0]["losses"] for engine in ("eager", "compiled"))
        self.assertNotEqual(eager, compiled)  # dropout is on, and draws other numbers
        self.assertLess(compiled[-1], compiled[0])
        cases = self.run_both("small.json", *WITHOUT, *STEPS, report="without.json")
        self.expect_agreement(cases["compiled"], TRAIN)
        self.expect_equal_losses(cases)
        again = self.run_both("small.json", *WITHOUT, *STEPS, report="again.json")
        self.assertNotIn("compiled small", self.said.err)
        seconds = [found["compiled"]["launches"][0]["compile_seconds"] for found in (cases, again)]
        self.assertEqual(seconds[0], seconds[1])
        self.expect_equal_first_steps("small.json", *WITHOUT)

    def test_every_layer_type_and_a_mask_with_padding(self):
        text = EVERY_LAYER.read_text(encoding="utf-8").replace('"dropout_p": 0.1', '"dropout_p": 0')
        definition = json.loads(text)
        definition["parameters"]["activation_p"] = 0
        (mask,) = (one for one in definition["inputs"] if one["name"] == "present")
        mask |= {"fill": "integers", "high": 2}
        self.write("every.json", definition)
        cases = self.run_both("every.json", "--mode", "train", "-b", "4", *STEPS)
        self.expect_agreement(cases["compiled"], TRAIN)
        self.expect_equal_losses(cases)
        self.expect_equal_first_steps("every.json", "--mode", "train", "-b", "4")

    def test_generation_with_weights_in_8_bits(self):
        sizes = "layers=2,hidden=32,heads=4,kv_heads=2,head_dim=8,intermediate=48,vocabulary=61"
        options = ("--mode", "generate", "--set", sizes, "--precision", "int8", "--depth", "3", "-b", "2")
        steps = ("--prompt", "8", "--generate", "6", "--repeats", "1", "--max-time", "300ms")
        cases = self.run_both("smollm2-135m", *options, *steps)
        self.expect_agreement(cases["compiled"], {"output"})

    def test_inference(self):
        cases = self.run_both("small.json", "--mode", "infer", "-b", "8", *BATCH)
        self.expect_agreement(cases["compiled"], {"output"})
        self.assertEqual(cases["compiled"]["launches"][0].get("losses", []), [])

    def test_bf16_in_channels_last_order(self):
        options = ("--mode", "infer", "-b", "8", "--precision", "bf16", "--channels-last")
        cases = self.run_both("small.json", *options, *BATCH)
        self.expect_agreement(cases["compiled"], {"output"})


@unittest.skipUnless(sys.platform == "linux", "looks at /proc")
class Processes(Compiled):
    def start_run(self, *options):
        run = ("run", "-m", "small.json", "-d", "cpu", "--engine", "compiled", *WITHOUT, "-r", "1")
        return self.start(*run, *options, "--export-json", "out.json")

    def await_maps(self, front, wanted_text, program=None):
        """Returns what a process of FRONT (if given, of PROGRAM) has mapped, as soon as WANTED_TEXT is part of it."""
        while front.poll() is None:
            for number in self.started_processes():
                try:
                    maps = Path(f"/proc/{number}/maps").read_text(encoding="utf-8")
                    is_wanted = program in (None, Path(f"/proc/{number}/exe").resolve())
                    if is_wanted and wanted_text in maps:
                        return maps
                except OSError:
                    pass
            time.sleep(0.02)
        return self.fail(f"no process has mapped {wanted_text}\n{self.finish(front)}")

    def test_the_worker_holds_no_python(self):
        front = self.start_run("--min-time", "2s", "--max-time", "2s", "--max-noise", "1e-9")
        maps = self.await_maps(front, str(self.packages / "scratch"), WORKER.resolve())
        self.assertIn("libtorch", maps)
        self.assertNotIn("libpython", maps)
        self.assertNotIn("libtorch_python", maps)
        self.assertEqual(self.finish(front).code, 0)

    def start_compiling(self):
        """Starts a run of a network that no other test compiles, and returns it when Python has imported PyTorch."""
        front = self.start_run("--classes", "3")
        self.await_maps(front, "libtorch_python")
        return front

    def test_ctrl_c_while_compiling(self):
        self.interrupt(self.start_compiling())
        self.assertEqual(self.report()["run"]["status"], "interrupted")
        self.expect_no_orphans()
        self.assertEqual(list((self.packages / "scratch").iterdir()), [])

    def test_killed_while_compiling(self):
        self.kill(self.start_compiling())


class Refuses(Compiled):
    def package_of(self, case):
        """The package that was used last of those for a case whose id begins so, and its facts."""
        for facts in sorted(self.packages.glob("*.json"), key=lambda file: -file.stat().st_mtime):
            if json.loads(facts.read_text(encoding="utf-8"))["case"].startswith(case):
                return facts.with_suffix(".pt2"), facts
        return self.fail(f"no package of {case}")

    def test_the_package_of_another_network(self):
        """Its facts are changed, too, so that only running it can show that it is the wrong one."""
        layers = [layer | {"type": "gelu"} if layer["type"] == "relu" else layer for layer in SMALL["layers"]]
        self.write("other.json", SMALL | {"name": "other", "layers": layers})
        infer = ("--mode", "infer", "-b", "8", *BATCH)
        for model, options in (("small", (*WITHOUT, *BATCH)), ("small", infer), ("other", infer)):
            self.run_both(f"{model}.json", *options, report="made.json")
        self.env["XDG_CACHE_HOME"] = str(self.folder / "cache")
        self.packages = Path(shutil.copytree(self.packages, self.folder / "cache/mpsbench/packages"))
        package, facts = self.package_of("small/infer/cpu/b8/fp32")
        for other in ("small/train", "other/infer"):  # of other inputs, and of the same ones
            content = self.package_of(f"{other}/cpu/b8/fp32")[0].read_bytes()
            changed = json.loads(facts.read_text(encoding="utf-8")) | {"sha256": hashlib.sha256(content).hexdigest()}
            package.write_bytes(content)
            facts.write_text(json.dumps(changed), encoding="utf-8")
            options = ("--engine", "eager,compiled", "-d", "cpu", *infer)
            eager, compiled = self.run_tiny(*options, model="small.json", code=5)["cases"]
            self.assertEqual((eager["status"], compiled["status"]), ("ok", "failed"))  # not crashed
            (launch,) = compiled["launches"]
            if other == "small/train":
                self.assertIn("inputs", launch["failure"]["message"])
            else:
                self.assertEqual(launch["failure"]["kind"], "wrong_output")
                self.assertTrue(any(one["difference"] > one["limit"] for one in launch["agreement"]), launch)
