"""A package with dropout: what the forward pass drops gets no gradient, and each step drops other values."""

import tempfile
import unittest
from pathlib import Path

import support  # noqa: F401
import wanted

wanted.packages("torch")

import torch  # noqa: E402
from compile_package import make_package  # noqa: E402
from packaging_files import load  # noqa: E402

ROWS, VALUES = 64, 256
PLAN = {
    "inputs": [{"dtype": "float32", "shape": [ROWS, VALUES]}],
    "nodes": [
        {
            "name": "scaled",
            "type": "linear",
            "options": {},
            "tensors": [{"role": "weight", "shape": [VALUES, VALUES], "dtype": "float32", "trainable": True}],
            "inputs": [0],
            "output": 1,
        },
        {"name": "dropped", "type": "dropout", "options": {"p": 0.25}, "tensors": [], "inputs": [1], "output": 2},
    ],
    "output": 2,
    "target_dtype": "float32",
    "target_shape": [ROWS, VALUES],
}
REQUEST = {
    "network_plan": PLAN,
    "mode": "train",
    "device": "cpu",
    "precision": "fp32",
    "channels_last": False,
    "drops_out": True,
    "loss": "mean",
    "compile_mode": "default",
    "threads": 1,
}


class Dropout(unittest.TestCase):
    def test_both_passes_drop_the_same_values(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            package = str(Path(folder) / "package.pt2")
            make_package(REQUEST | {"package": package})
            forward, backward = load(package, "forward"), load(package, "backward")
        weight, inputs = torch.eye(VALUES), torch.rand(ROWS, VALUES) + 0.5
        steps = []
        for _ in range(2):
            loss, logits, *saved = forward.run([weight, inputs, torch.zeros(ROWS, VALUES)])
            (gradient,) = backward.run([*saved, torch.ones_like(loss)])
            kept = logits != 0
            self.assertAlmostEqual(float(kept.float().mean()), 0.75, delta=0.02)  # 5.9 standard deviations
            torch.testing.assert_close(logits[kept], inputs[kept] / 0.75)
            wanted_gradient = (kept / 0.75 / logits.numel()).t() @ inputs
            torch.testing.assert_close(gradient, wanted_gradient)
            steps.append(kept)
        self.assertFalse(torch.equal(*steps))


if __name__ == "__main__":
    unittest.main()
