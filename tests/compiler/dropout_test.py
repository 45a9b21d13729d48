"""A package with dropout: what the forward pass drops gets no gradient, and each step drops other values."""

import tempfile
import unittest
from pathlib import Path

import support
import wanted

wanted.packages("torch")

import torch  # noqa: E402
from compile_package import make_package  # noqa: E402
from packaging_files import load  # noqa: E402

ROWS, VALUES = 64, 256
REQUEST = support.request(
    [ROWS, VALUES],
    [support.node("scaled", "linear", 0, {"weight": [VALUES, VALUES]}), support.node("dropped", "dropout", 1, p=0.25)],
    [ROWS, VALUES],
    mode="train",
    drops_out=True,
    loss="mean",
)


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
