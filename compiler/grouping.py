"""Lets one kernel do what many small ones would do on a GPU: cast the weights, cast the gradients, and count batches.

In 16 bits, each weight is cast in each step, and each gradient is cast back. Inductor writes a kernel for each of them,
and on a small batch these kernels take longer to start than to run.
"""

import operator
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor
from torch._inductor import lowering
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch.fx import Graph, Node

_aten = torch.ops.aten
_CAST = torch.ops.prims.convert_element_type.default
_PRODUCTS = {one.default for one in (_aten.mm, _aten.addmm, _aten.bmm, _aten.baddbmm)}
_CONVOLUTION, _BACKWARD = _aten.convolution.default, _aten.convolution_backward.default
_VIEWS = {_aten.permute.default, _aten.view.default, _aten.reshape.default, _aten.t.default, _aten.expand.default}
_MOST_TENSORS = 32  # of a group
_MOST_ELEMENTS = 1 << 23  # of a group, so that the second-level cache still has it when it is read
_LARGE = 1 << 22  # a tensor of so many elements keeps its own kernel

_library = torch.library.Library("mpsbench_compiler", "DEF")
_library.define("cast(Tensor[] tensors, ScalarType dtype) -> Tensor[]")


@torch.library.impl(_library, "cast", "CompositeExplicitAutograd")
def _cast(tensors: list[Tensor], dtype: torch.dtype) -> list[Tensor]:
    return [one.to(dtype) for one in tensors]


_CAST_ALL = torch.ops.mpsbench_compiler.cast.default
lowering.register_foreach_pointwise(_CAST_ALL, lambda x, dtype: lowering.to_dtype(x, dtype, copy=True))


class GroupedKernels(CustomGraphPass):
    """Changes a graph after Inductor's own passes.

    If Inductor writes the products of matrices itself (WRITES_PRODUCTS), it fuses the casts of their results with them,
    and fails to do so with a group.
    """

    def __init__(self, writes_products: bool) -> None:
        self._ungroupable = _PRODUCTS if writes_products else set()

    def __call__(self, graph: Graph) -> None:
        nodes = [one for one in graph.nodes if one.op == "call_function" and _is_on_gpu(one)]
        casts = [one for one in nodes if _is_cast(one)]
        weights = [one for one in casts if _casts_weight(one)]
        gradients = [one for one in casts if _source_of_gradient(one) not in (None, *self._ungroupable)]
        self._group_casts(weights, lambda cast: cast)
        self._group_casts(gradients, _result_of)
        counts = [one for one in nodes if _counts(one)]
        if len(counts) > 1:
            _replace(counts, counts, _aten._foreach_add.Scalar, 1)

    def uuid(self) -> Any:
        return None  # Inductor must not cache graphs with it: packages have a cache of their own

    def _group_casts(self, casts: list[Node], result_of: Callable[[Node], Node]) -> None:
        by_dtype: dict[torch.dtype, list[Node]] = {}
        for one in casts:
            by_dtype.setdefault(one.args[1], []).append(one)
        for dtype, alike in by_dtype.items():
            for group in _groups(alike):
                _replace(group, [result_of(one) for one in group], _CAST_ALL, dtype)


def _value(node: Any) -> Any:
    return node.meta.get("val") if isinstance(node, Node) else None


def _is_on_gpu(node: Node) -> bool:
    value = _value(node)
    return isinstance(value, Tensor) and value.device.type == "cuda"


def _is_cast(node: Node) -> bool:
    return node.target is _CAST and _value(node).numel() < _LARGE


def _casts_weight(cast: Node) -> bool:
    """Whether CAST rounds an input for a kernel that Inductor does not write, so that they cannot be fused."""
    source = cast.args[0]
    return source.op == "placeholder" and cast.args[1].itemsize < _value(source).dtype.itemsize and _feeds_kernel(cast)


def _feeds_kernel(node: Node) -> bool:
    for user in node.users:
        if user.target in _VIEWS:
            if _feeds_kernel(user):
                return True
        elif user.target is _CONVOLUTION:
            if node in user.args[:2]:  # Inductor adds the bias itself
                return True
        elif user.target is _BACKWARD or user.target in _PRODUCTS:
            return True
    return False


def _source_of_gradient(cast: Node) -> Any:
    """The operation whose result CAST makes an output of, if it is one that Inductor need not write."""
    source = cast.args[0]
    while source.target in _VIEWS or source.target is operator.getitem:
        source = source.args[0]
    is_result = [one.op for one in _result_of(cast).users] == ["output"]
    return source.target if is_result and source.target in {*_PRODUCTS, _CONVOLUTION, _BACKWARD} else None


def _result_of(cast: Node) -> Node:
    """CAST itself, or the copy of it in other strides if nothing else needs it."""
    users = list(cast.users)
    return users[0] if len(users) == 1 and users[0].target is _aten.clone.default else cast


def _counts(node: Node) -> bool:
    """Whether NODE adds 1 to an input that is one integer."""
    if node.target is not _aten.add.Tensor or node.kwargs or node.args[1] != 1:
        return False
    value = _value(node.args[0])
    return node.args[0].op == "placeholder" and value.dtype == torch.int64 and value.dim() == 0


def _groups(nodes: Iterable[Node]) -> list[list[Node]]:
    """NODES in groups of neighbours. Groups of one are left out."""
    groups: list[list[Node]] = [[]]
    elements = 0
    for one in nodes:
        elements += _value(one).numel()
        if len(groups[-1]) == _MOST_TENSORS or elements > _MOST_ELEMENTS:
            groups.append([])
            elements = _value(one).numel()
        groups[-1].append(one)
    return [one for one in groups if len(one) > 1]


def _replace(nodes: list[Node], results: list[Node], target: Any, argument: Any) -> None:
    """Replaces NODES by one call of TARGET, and RESULTS, which need nothing but them, by what it returns."""
    graph = nodes[0].graph
    sources = [one.args[0] for one in nodes]
    last = max((one for one in sources if one.op != "placeholder"), key=list(graph.nodes).index, default=None)
    place = graph.inserting_before(nodes[0]) if last is None else graph.inserting_after(last)
    with place:
        call = graph.call_function(target, (sources, argument))
    call.meta["val"] = [_value(one) for one in results]
    for number, (node, result) in reversed(list(enumerate(zip(nodes, results, strict=True)))):
        with graph.inserting_after(call):
            one = graph.call_function(operator.getitem, (call, number))
        one.meta = dict(result.meta)
        result.replace_all_uses_with(one)
        graph.erase_node(result)
        if node is not result:
            graph.erase_node(node)
