"""Tests `--model FILE.pt`, which loads a user's own TorchScript module."""

from real_worker import BATCH, RealWorker
from support import main

import wanted  # isort: skip


class TorchScript(RealWorker):
    @classmethod
    def setUpClass(cls):
        try:
            import torch
        except ImportError as missing:
            wanted.skip(missing)
        cls.torch = torch

    def setUp(self):
        super().setUp()
        nn = self.torch.nn
        module = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 5))
        self.torch.jit.script(module).save(self.work / "net.pt")

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
        torch = self.torch
        tensor = {name: torch.tensor(values).reshape(shape) for name, (shape, values) in found.items()}
        module = torch.jit.load(self.work / "net.pt")
        loss = torch.nn.functional.cross_entropy(module(tensor["input0"]), tensor["target"])
        loss.backward()
        self.assertAlmostEqual(loss.item(), tensor["loss"].item(), places=6)
        for name, parameter in module.named_parameters():
            self.assertTrue(torch.allclose(parameter.grad, tensor["grad." + name], atol=1e-6), name)

    def test_says_how_many_outputs_there_are(self):
        report = self.run_tiny("--input-shape", "3x8x8", "--mode", "train", *BATCH, model="net.pt", code=5)
        self.assertIn("5 outputs per row, not 1000; use --classes 5", report["cases"][0]["failure"]["message"])

    def test_refusals(self):
        self.expect_refused("run", "-m", "net.pt", says=["net.pt", "--input-shape 3x224x224"])
        self.expect_refused("run", "-m", "mlp", "--input-shape", "4", says=["--input-shape", "FILE.pt"])
        self.write("text.pt", "no module")
        report = self.run_tiny("--input-shape", "4", "--mode", "infer", *BATCH, model="text.pt", code=5)
        self.assertIn("not a TorchScript module", report["cases"][0]["failure"]["message"])
        report = self.run_tiny("--input-shape", "7", "--mode", "infer", *BATCH, model="net.pt", report="b.json", code=5)
        self.assertEqual(report["cases"][0]["status"], "failed")

    def test_a_changed_file_cannot_be_resumed(self):
        options = ("--input-shape", "7", "--mode", "infer", *BATCH)
        report = self.run_tiny(*options, model="net.pt", code=5)
        report["cases"][0]["launches"] = []
        self.write("out.json", report)
        self.write("net.pt", "changed")
        self.expect_refused("run", "--resume", "out.json", says=["net.pt has changed"])


if __name__ == "__main__":
    main()
