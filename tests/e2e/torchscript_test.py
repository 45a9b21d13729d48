"""Tests `--model FILE.pt`, which loads a user's own TorchScript module."""

import importlib.util
import zipfile

import wanted
from real_worker import BATCH, RealWorker

wanted.packages("torch")

import torch  # noqa: E402

KEPT = []  # operators: torch.jit knows them by their addresses, which other objects could get


class TorchScript(RealWorker):
    def setUp(self):
        super().setUp()
        nn = torch.nn
        module = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 5))
        torch.jit.script(module).save(self.work / "net.pt")

    def test_trains_and_infers(self):
        options = ("--input-shape", "3x8x8", "--classes", "5", "-b", "4", "--channels-last", "--precision", "fp32,bf16")
        report = self.run_tiny(*options, *BATCH, model="net.pt")
        self.assertEqual({one["status"] for one in report["cases"]}, {"ok"})
        metrics = report["cases"][0]["metrics"]
        self.assertGreater(metrics["rows_per_second"]["value"], 0)
        self.assertIsNone(metrics["flops_per_step"])
        losses = report["cases"][0]["launches"][0]["losses"]
        self.assertLess(losses[-1], losses[0])
        self.validate("out.json")

    def test_gradients_are_those_of_the_module(self):
        options = ("--input-shape", "3x8x8", "--classes", "5", "-b", "4", "--mode", "train", "-d", "cpu")
        self.run_tiny(*options, "--dump-first-step", "step.safetensors", *BATCH, model="net.pt")
        found = self.tensors("step.safetensors")
        tensor = {name: torch.tensor(values).reshape(shape) for name, (shape, values) in found.items()}
        module = torch.jit.load(self.work / "net.pt")
        loss = torch.nn.functional.cross_entropy(module(tensor["input0"]), tensor["target"])
        loss.backward()
        self.assertAlmostEqual(loss.item(), tensor["loss"].item(), places=6)
        for name, parameter in module.named_parameters():
            self.assertTrue(torch.allclose(parameter.grad, tensor["grad." + name], atol=1e-6), name)

    def test_refusals(self):
        self.expect_refused("run", "-m", "net.pt", says=["net.pt", "--input-shape 3x224x224"])
        self.expect_refused("run", "-m", "mlp", "--input-shape", "4", says=["--input-shape", "FILE.pt"])
        self.write("w.safetensors", "")
        self.expect_refused("run", "-m", "w.safetensors", "--input-shape", "4", says=["w.safetensors", "--weights"])
        self.write("text.pt", "no module")
        report = self.run_tiny("--input-shape", "4", "--mode", "infer", *BATCH, model="text.pt", code=5)
        message = report["cases"][0]["failure"]["message"]
        self.assertIn("not a TorchScript module", message)
        self.assertTrue(message.endswith("; save it with torch.jit.script or torch.jit.trace"), message)
        self.assertNotIn("miniz", message)
        report = self.run_tiny("--input-shape", "7", "--mode", "infer", *BATCH, model="net.pt", report="b.json", code=5)
        self.assertEqual(report["cases"][0]["status"], "failed")

    def test_a_changed_file_cannot_be_resumed(self):
        options = ("--input-shape", "7", "--mode", "infer", *BATCH)
        report = self.run_tiny(*options, model="net.pt", code=5)
        report["cases"][0]["launches"] = []
        self.write("out.json", report)
        self.write("net.pt", "changed")
        self.expect_refused("run", "--resume", "out.json", says=["net.pt has changed"])

    def script(self, name, forward, prepare=lambda script: script):
        """Saves a module whose forward is the code FORWARD, with a linear layer fc of 4 inputs and 3 outputs."""
        # TorchScript reads the code from a file.
        (self.work / f"{name}_code.py").write_text(
            "import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            f"        self.fc = torch.nn.Linear(4, 3)\n\n    def forward(self, x):\n        {forward}\n",
            encoding="utf-8",
        )
        spec = importlib.util.spec_from_file_location(f"{name}_code", self.work / f"{name}_code.py")
        code = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(code)
        prepare(torch.jit.script(code.Net())).save(self.work / f"{name}.pt")

    def expect_failure(self, name, *says, mode="train", kind="input", options=("--classes", "3")):
        options = ("--input-shape", "4", "-b", "4", "-d", "cpu", "--mode", mode, *options, *BATCH)
        super().expect_failure(f"{name}.pt", *says, options=options, kind=kind)

    def test_shows_the_text_of_an_exception(self):
        self.script("boom", "raise ValueError('rows must be sorted')\n        return self.fc(x)")
        self.expect_failure("boom", "ValueError: rows must be sorted", mode="infer", kind="exception")
        self.script("firm", "assert x.size(1) == 5, 'five numbers, please'\n        return self.fc(x)")
        self.expect_failure("firm", "AssertionError: five numbers, please", mode="infer", kind="exception")

    def test_names_what_a_file_lacks(self):
        library = torch.library.Library("mpsbench_test", "DEF")
        self.addCleanup(library._destroy)
        library.define("twist(Tensor x) -> Tensor")
        KEPT.append(torch.ops.mpsbench_test.twist)
        self.script("operator", "return self.fc(torch.ops.mpsbench_test.twist(x))")
        self.expect_failure("operator", "mpsbench_test::twist", "operators of other libraries", mode="infer")
        self.script("plain", "return self.fc(x)")
        with zipfile.ZipFile(self.work / "plain.pt") as source, zipfile.ZipFile(self.work / "odd.pt", "w") as odd:
            for entry in source.namelist():
                odd.writestr(entry, source.read(entry).replace(b".fc\n", b".gone\n"))
        self.expect_failure("odd", "no attribute or method 'gone'", mode="infer")

    def test_says_why_nothing_trains(self):
        jit = torch.jit
        self.script("frozen", "return self.fc(x)", lambda script: jit.freeze(script.eval()))
        self.expect_failure("frozen", "no parameters that train", "torch.jit.freeze", "--mode infer")
        self.script("fixed", "return self.fc(x)", self.without_gradients)
        self.expect_failure("fixed", "no parameters that train")
        self.script("detached", "return self.fc(x).detach()")
        self.expect_failure("detached", "has no gradient", "--mode infer")
        self.script("unrecorded", "with torch.no_grad():\n            return self.fc(x)")
        self.expect_failure("unrecorded", "has no gradient")
        self.expect_failure("unrecorded", "has no gradient", options=("--classes", "7"))
        options = ("--input-shape", "4", "--classes", "3", "-b", "4", "-d", "cpu", "--mode", "infer")
        self.run_tiny(*options, *BATCH, model="frozen.pt,fixed.pt,detached.pt,unrecorded.pt")

    def test_advice_on_outputs_works(self):
        self.script("maps", "return self.fc(x).unsqueeze(2).unsqueeze(3)")
        self.expect_failure("maps", "returns [1, 3, 1, 1]", "[1, outputs]")
        self.script("one", "return self.fc(x).sum(1)")
        self.expect_failure("one", "returns [1]", "[1, outputs]")
        self.script("few", "return self.fc(x)")
        self.expect_failure("few", "3 outputs per row, not 7; use --classes 3", options=("--classes", "7"))
        self.expect_failure("few", "use --classes 3", options=("--classes", "7", "--loss", "mse"))

    def test_names_of_any_script_stay_apart(self):
        self.script("net", "return self.fc(x)")
        content = (self.work / "net.pt").read_bytes()
        names = ["\u6a21\u578b\u7532.pt", "\u6a21\u578b\u4e59.pt", "a,b.pt", "left/net.pt", "right/net.pt"]
        for name in names:
            (self.work / name).parent.mkdir(exist_ok=True)
            (self.work / name).write_bytes(content)
        options = {"input-shape": "4", "classes": 3, "batch-size": 4, "device": "cpu", "mode": "infer", "repeats": 1}
        self.write("suite.json", {"name": "scripts", "matrices": [{"model": names, **options}]})
        self.expect(0, "run", "suite.json", *BATCH, "--export-json", "out.json")
        wanted_names = ["\u6a21\u578b\u7532-4", "\u6a21\u578b\u4e59-4", "a_b-4", "left.net-4", "right.net-4"]
        self.assertEqual([case["spec"]["model"] for case in self.report()["cases"]], wanted_names)
        for form in ("csv", "md", "table", "junit", "json"):
            shown = self.expect(0, "export", "out.json", "-f", form).out
            for name in wanted_names:
                self.assertIn(name, shown.replace("\\_", "_"))
        options = ("--input-shape", "4", "-b", "2", "--mode", "infer", "-d", "cpu", "--dry-run")
        planned = self.expect(0, "run", "-m", "a\\,b.pt", *options)
        self.assertIn("a_b-4/infer/cpu/b2", planned.out)

    def test_an_output_that_is_not_finite_is_no_result(self):
        options = ("--classes", "3", "--precision", "fp32,bf16")
        self.script("nothing", "return self.fc(x) / 0.0")
        self.expect_failure("nothing", "not finite", mode="infer", kind="wrong_output", options=options)
        self.script("hole", "return self.fc(x)", lambda script: self.spoil(script, float("nan")))
        self.expect_failure("hole", "the weights 'fc.weight'", mode="infer", kind="wrong_output", options=options)
        self.script("unused", "return x[:, :3]", lambda script: self.spoil(script, float("inf")))
        self.expect_failure("unused", "the weights 'fc.weight'", mode="infer", kind="wrong_output")

    def without_gradients(self, script):
        for parameter in script.parameters():
            parameter.requires_grad_(False)
        return script

    def spoil(self, script, value):
        with torch.no_grad():
            script.fc.weight[1, 2] = value
        return script
