"""oneDNN takes the place of the BLAS only where that is quicker, and multiplies the same matrices."""

import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import support
import wanted

wanted.packages("torch")

import torch  # noqa: E402

if not torch.backends.mkldnn.is_available():
    wanted.end("no oneDNN in this LibTorch")

import compile_package  # noqa: E402
import onednn  # noqa: E402
from network import Network  # noqa: E402
from packaging_files import load  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402

SHIM = b"aoti_torch_cpu__linear_pointwise"
X, W, B = torch.randn(8, 12), torch.randn(5, 12), torch.randn(5)
MM, ADDMM = torch.ops.aten.mm.default, torch.ops.aten.addmm.default


def products(function: Callable, *arguments: torch.Tensor, is_quicker: bool = True) -> list:
    """The products in FUNCTION's graph after the pass."""
    graph = make_fx(function, tracing_mode="fake")(*arguments)
    with mock.patch.object(onednn, "_measure", return_value=is_quicker):
        onednn.FasterProducts()(graph.graph)
    graph.recompile()
    torch.testing.assert_close(graph(*arguments), function(*arguments))
    kinds = (MM, ADDMM, onednn._LINEAR)
    return [node.target for node in graph.graph.nodes if node.target in kinds]


class Chooses(unittest.TestCase):
    def test_the_quicker_one(self) -> None:
        self.assertEqual(products(lambda x, w: x @ w.t(), X, W), [onednn._LINEAR])
        self.assertEqual(products(lambda x, w: x @ w.t(), X, W, is_quicker=False), [MM])

    def test_with_a_bias(self) -> None:
        self.assertEqual(products(torch.nn.functional.linear, X, W, B), [onednn._LINEAR])
        self.assertEqual(products(torch.nn.functional.linear, X, W, B, is_quicker=False), [ADDMM])

    def test_the_blas_for_what_onednn_is_not_asked_to_do(self) -> None:
        self.assertEqual(products(torch.addmm, torch.randn(8, 5), X, W.t()), [ADDMM])
        self.assertEqual(products(lambda b, x, w: torch.addmm(b, x, w, beta=2), B, X, W.t()), [ADDMM])
        double = (one.double() for one in (X, W.t()))
        self.assertEqual(products(torch.mm, *double), [MM])
        self.assertEqual(products(lambda x, w: x @ w.expand(12, 5), X, torch.randn(12, 1)), [MM])

    def test_each_shape_is_measured_once(self) -> None:
        graph = make_fx(lambda x, w: x @ w.t() + (2 * x) @ w.t(), tracing_mode="fake")(X, W)
        with mock.patch.object(onednn, "_measure", return_value=True) as measure:
            onednn.FasterProducts()(graph.graph)
        measure.assert_called_once()

    def test_measuring(self) -> None:
        self.assertIsInstance(onednn._measure(ADDMM, (((5,), (1,)), ((8, 12), (12, 1)), ((12, 5), (1, 12)))), bool)


LAYERS = [
    support.node("first", "linear", 0, {"weight": [16, 12], "bias": [16]}),
    support.node("relu", "relu", 1),
    support.node("last", "linear", 2, {"weight": [5, 16], "bias": [5]}),
]
REQUEST = support.request([8, 12], LAYERS, [8, 5], compile_mode="max-autotune")
PLAN = REQUEST["network_plan"]


class Packages(unittest.TestCase):
    def package(self, **changes: Any) -> str:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = str(Path(folder.name) / "package.pt2")
        with mock.patch.object(onednn, "_measure", return_value=True):
            compile_package.make_package(REQUEST | {"package": path} | changes)
        return path

    def test_train_as_eager_does(self) -> None:
        path = self.package(mode="train")
        self.assertIn(SHIM, Path(path).read_bytes())
        network = Network(PLAN, True, False)
        tensors = [torch.randn(one.shape, requires_grad=True) for one in network.tensors("cpu", False)]
        target = torch.randn(8, 5)
        logits = network(tensors, [X])
        wanted_loss = torch.nn.functional.mse_loss(logits, target)
        plain = [one.detach() for one in tensors]
        loss, found, *saved = load(path, "forward").run([*plain, X, target])
        torch.testing.assert_close((loss, found), (wanted_loss.detach(), logits.detach()))
        gradients = load(path, "backward").run([*saved, torch.ones_like(loss)])
        wanted_gradients = torch.autograd.grad(wanted_loss, tensors)
        torch.testing.assert_close(gradients, list(wanted_gradients), rtol=1e-4, atol=1e-5)

    def test_infer_as_eager_does(self) -> None:
        path = self.package(mode="infer")
        self.assertIn(SHIM, Path(path).read_bytes())
        network = Network(PLAN, False, False)
        tensors = [torch.randn(one.shape) for one in network.tensors("cpu", False)]
        torch.testing.assert_close(load(path, "forward").run([*tensors, X]), [network(tensors, [X])])

    def test_have_no_onednn_in_other_modes_and_precisions(self) -> None:
        for changes in ({"compile_mode": "default"}, {"precision": "bf16"}):
            with self.subTest(changes):
                path = self.package(mode="infer", **changes)
                self.assertNotIn(SHIM, Path(path).read_bytes())
