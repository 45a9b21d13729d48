"""What MPS lacks is reported as unsupported, with the reason and what to do. It never causes a crash."""

import wanted
from standin import StandinTest


class Refusals(StandinTest):
    def test_graphs_and_tf32(self):
        """Such a case is refused if it is the only one. Beside other cases, it is reported as unsupported."""
        graph = "--engine graph replays CUDA graphs, which mps does not have; use --engine eager"
        tf32 = "only NVIDIA's GPUs compute in tf32; use --precision fp32 on mps"
        run = ("run", "-m", "tiny.json", "--mode", "infer", "-d", "mps")
        self.expect_refused(*run, "--engine", "graph", code=3, says=[graph])
        self.expect_refused(*run, "--precision", "tf32", code=3, says=[tf32])
        options = ("--mode", "infer", "--engine", "eager,graph", "--precision", "fp32,tf32")
        report = self.run_mps(*options, steps=("--max-batches", "3", "--repeats", "1"))
        found = {
            (case["spec"]["engine"], case["spec"]["precision"]): (case["status"], case["failure"])
            for case in report["cases"]
        }
        self.assertEqual(found.pop(("eager", "fp32")), ("ok", None))
        self.assertEqual(len(found), 3)
        for (_, precision), (status, failure) in found.items():
            self.assertEqual(status, "unsupported")
            self.assertIn(tf32 if precision == "tf32" else graph, failure["message"])


class TorchScript(StandinTest):
    @classmethod
    def setUpClass(cls):
        try:
            import torch
        except ImportError as missing:
            wanted.skip(missing)
        cls.torch = torch

    def save(self, module, name="net.pt"):
        self.torch.jit.script(module).save(self.work / name)

    OPTIONS = ("--input-shape", "3x8x8", "--classes", "5", "-b", "4")

    def test_trains_and_infers_as_on_the_cpu(self):
        nn = self.torch.nn
        self.save(nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 5)))
        self.expect_same_step("net.pt", "train", *self.OPTIONS)
        self.expect_same_step("net.pt", "infer", *self.OPTIONS)

    def expect_unsupported(self, *words):
        report = self.run_mps("--mode", "infer", *self.OPTIONS, model="net.pt", code=3)
        status, failure = self.failure(report)
        self.assertEqual((status, failure["kind"]), ("unsupported", "device"))
        for part in words:
            self.assertIn(part, failure["message"])

    def test_float64_weights(self):
        nn = self.torch.nn
        self.save(nn.Sequential(nn.Flatten(), nn.Linear(192, 5)).double())
        self.expect_unsupported("MPS has no float64")

    def save_with_a_missing_operator(self):
        torch = self.torch

        class Missing(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(192, 5)

            def forward(self, rows: torch.Tensor) -> torch.Tensor:
                return torch.special.airy_ai(self.fc(rows.flatten(1)))

        self.save(Missing())

    def test_a_missing_operator(self):
        self.save_with_a_missing_operator()
        self.expect_unsupported("aten::special_airy_ai", "PYTORCH_ENABLE_MPS_FALLBACK=1")

    def test_what_falls_back_to_the_cpu_is_counted(self):
        self.save_with_a_missing_operator()
        self.env["PYTORCH_ENABLE_MPS_FALLBACK"] = "1"
        report = self.expect_ok(self.run_mps("--mode", "infer", *self.OPTIONS, model="net.pt"))
        (case,) = report["cases"]
        (sensor,) = [one for one in case["launches"][0]["sensors"] if one["name"] == "mps_cpu_fallback_operators"]
        self.assertEqual(sensor["value"], 1)
        self.assertIn("cpu-fallback", case["flags"])
        self.assertIn("cpu-fallback-on", case["flags"])
