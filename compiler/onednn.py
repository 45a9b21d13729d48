"""Lets oneDNN multiply matrices in fp32 on the CPU where that is quicker than LibTorch's BLAS.

LibTorch always asks the BLAS (MKL in its own builds, which is slow on processors of other makers). So does Inductor,
unless the weights never change. Mode max-autotune measures both for each product of a graph.
"""

import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.ir import FixedLayout, TensorBox
from torch._inductor.lowering import register_lowering
from torch._inductor.mkldnn_ir import LinearUnary, _create_output_node
from torch.fx import Graph, Node
from torch.utils._python_dispatch import _disable_current_modes

_aten = torch.ops.aten
_LINEAR = torch.ops.mkldnn._linear_pointwise.default  # (x, weight, bias): x @ weight.T + bias
_ROUNDS = 20
_WORTH_IT = 0.95  # of the BLAS's time; less gain than this may be noise


class FasterProducts(CustomGraphPass):
    """Replaces aten.mm and aten.addmm by oneDNN where that is quicker. It measures each shape once."""

    def __init__(self) -> None:
        self._is_quicker: dict[Any, bool] = {}

    def __call__(self, graph: Graph) -> None:
        for node in list(graph.nodes):
            if _is_product(node) and self._prefers_onednn(node):
                _replace(node)

    def uuid(self) -> None:  # no key, so Inductor does not cache graphs: what it measures is not part of them
        return None

    def _prefers_onednn(self, node: Node) -> bool:
        operands = [one.meta["val"] for one in node.args]
        key = tuple((tuple(one.shape), one.stride()) for one in operands)
        if key not in self._is_quicker:
            with _disable_current_modes():
                self._is_quicker[key] = _measure(node.target, key)
        return self._is_quicker[key]


def _is_product(node: Node) -> bool:
    if node.target not in (_aten.mm.default, _aten.addmm.default) or node.kwargs:
        return False
    *bias, a, b = [one.meta["val"] for one in node.args]
    is_fp32 = all(one.device.type == "cpu" and one.dtype == torch.float32 for one in (*bias, a, b))
    return is_fp32 and all(one.dim() == 1 for one in bias) and min(b.stride()) == 1


def _measure(product: Callable[..., Tensor], operands: Any) -> bool:
    """Says whether oneDNN takes less time for PRODUCT of tensors with the shapes and strides in OPERANDS."""
    *bias, a, b = [torch.empty_strided(shape, strides).normal_() for shape, strides in operands]
    sides = (lambda: product(*bias, a, b)), (lambda: _LINEAR(a, b.t(), *(bias or [None]), "none", [], ""))
    seconds: list[list[float]] = [[], []]
    for _ in range(_ROUNDS):
        for side, found in zip(sides, seconds, strict=True):
            start = time.perf_counter()
            side()
            found.append(time.perf_counter() - start)
    blas, onednn = map(min, seconds)
    return onednn < _WORTH_IT * blas


def _replace(node: Node) -> None:
    *bias, a, b = node.args
    with node.graph.inserting_before(node):
        weight = node.graph.call_function(_aten.permute.default, (b, [1, 0]))
        weight.meta["val"] = b.meta["val"].t()
        product = node.graph.call_function(_LINEAR, (a, weight, *(bias or [None]), "none", [], ""))
        product.meta = dict(node.meta)
    node.replace_all_uses_with(product)
    node.graph.erase_node(node)


class _Linear(LinearUnary):
    """Takes a weight that changes, in any strides. Inductor's own lowering takes constants only."""

    @classmethod
    def of(cls, x: Any, weight: Any, bias: Any, attribute: str) -> Any:
        inputs = [cls.realize_input(one) for one in (x, weight)]
        constants: list[Any] = [attribute, [-1], ""]
        if bias is None:
            constants.insert(0, None)
        else:
            inputs.append(cls.require_contiguous(cls.realize_input(bias)))
        size = [x.get_size()[0], weight.get_size()[0]]
        return _create_output_node(cls(FixedLayout(x.get_device(), x.get_dtype(), size), inputs, constants))


@register_lowering(_LINEAR, type_promotion_kind=None)  # of the overload: naming the operator changes nothing
def _lower(x: Any, weight: Any, bias: Any, attribute: str, _scalars: Any, _algorithm: Any) -> Any:
    return TensorBox.create(_Linear.of(x, weight, bias, attribute))
