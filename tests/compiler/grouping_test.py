"""On a GPU, one kernel casts many weights or gradients, or counts many batches, and the results stay the same."""

import unittest
from collections.abc import Callable
from typing import Any
from unittest import mock

import support  # noqa: F401
import wanted

wanted.packages("torch")

import grouping  # noqa: E402
import torch  # noqa: E402
from torch._inductor.decomposition import select_decomp_table  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402

X, V, W = torch.randn(8, 12).bfloat16(), torch.randn(5, 12), torch.randn(7, 12)
COUNT, CAST = torch.ops.aten._foreach_add.Scalar, grouping._CAST_ALL
SINGLE = torch.ops.prims.convert_element_type.default
DECOMPOSED = {one: select_decomp_table()[one] for one in (torch.ops.aten._to_copy.default,)}


def groups(function: Callable, *arguments: torch.Tensor, writes_products: bool = False) -> list[Any]:
    """The grouped and the single casts and counts in FUNCTION's graph after the pass, as if it were for a GPU."""
    graph = make_fx(function, DECOMPOSED, tracing_mode="fake")(*arguments)
    with mock.patch.object(grouping, "_is_on_gpu", return_value=True):
        grouping.GroupedKernels(writes_products)(graph.graph)
    graph.graph.lint()
    graph.recompile()
    torch.testing.assert_close(graph(*arguments), function(*arguments))
    return [(one.target, len(one.args[0])) for one in graph.graph.nodes if one.target in (COUNT, CAST)] + [
        one.target for one in graph.graph.nodes if one.target is SINGLE
    ]


def layers(x: torch.Tensor, v: torch.Tensor, w: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return x @ v.bfloat16().t(), x @ w.bfloat16().t()


def gradients(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return (x.t() @ x).float(), (x @ x.t()).t().float().clone(memory_format=torch.contiguous_format)


class Groups(unittest.TestCase):
    def test_weights_of_products(self) -> None:
        self.assertEqual(groups(layers, X, V, W), [(CAST, 2)])
        self.assertEqual(groups(layers, X, V, W, writes_products=True), [(CAST, 2)])

    def test_weights_of_convolutions_but_not_their_biases(self) -> None:
        x, w = torch.randn(2, 3, 6, 6).bfloat16(), torch.randn(3, 3, 3, 3)
        one = groups(lambda x, w, b: torch.conv2d(x, w.bfloat16(), b.bfloat16()), x, w, torch.randn(3))
        self.assertEqual(one, [SINGLE] * 2)
        two = groups(lambda x, v, w: torch.conv2d(torch.conv2d(x, v.bfloat16()), w.bfloat16()), x, w, w + 1)
        self.assertEqual(two, [(CAST, 2)])

    def test_gradients(self) -> None:
        self.assertEqual(groups(gradients, X), [(CAST, 2)])

    def test_no_gradients_of_products_that_inductor_writes(self) -> None:
        self.assertEqual(groups(gradients, X, writes_products=True), [SINGLE] * 2)

    def test_no_large_tensors(self) -> None:
        with mock.patch.object(grouping, "_LARGE", V.numel()):
            self.assertEqual(groups(layers, X, V, W), [SINGLE] * 2)

    def test_no_more_than_the_cache_holds(self) -> None:
        with mock.patch.object(grouping, "_MOST_ELEMENTS", V.numel() + W.numel()):
            four = groups(lambda x, v, w, t, u: layers(x, v, w) + layers(x, t, u), X, V, W, V, W)
        self.assertEqual(four, [(CAST, 2), (CAST, 2)])

    def test_counts_of_batches(self) -> None:
        count = torch.tensor(3)
        self.assertEqual(groups(lambda a, b: (a + 1, b + 1), count, count), [(COUNT, 2)])
        self.assertEqual(groups(lambda a, b: (a + 1, b + 2), count, count), [])
