"""Compiles the forward and the backward pass of a network, split as torch.compile does it.

Both are functions of flat lists:
forward:  [*tensors, *inputs, target] -> [loss, logits, *saved]; it writes batch norm's new statistics into TENSORS.
backward: [*saved, gradient of the loss] -> [gradient of each trainable tensor that has one, in TENSORS' order]
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from network import Network
from packaging_files import compile_part, load
from progress import stage
from torch import Tensor
from torch._functorch.aot_autograd import aot_function
from torch._inductor.compile_fx import partition_fn
from torch._inductor.decomposition import select_decomp_table
from torch._inductor.package.package import package_aoti
from torch._inductor.virtualized import V
from torch._subclasses import FakeTensorMode
from torch.fx import GraphModule


class _Split:
    """The two graphs into which AOTAutograd splits a step. It only traces STEP: nothing is computed."""

    def __init__(self, step: Callable[..., Any], arguments: list[Tensor]):
        traced = aot_function(
            step,
            fw_compiler=self._keep_forward,
            bw_compiler=self._keep_backward,
            partition_fn=partition_fn,
            decompositions=select_decomp_table(),
            keep_inference_input_mutations=True,
        )
        with FakeTensorMode() as mode, V.set_fake_mode(mode):
            traced(*[mode.from_tensor(one, static_shapes=True) for one in arguments])[0].backward()

    def _keep_forward(self, graph: GraphModule, _: Any) -> GraphModule:
        self.forward = graph
        return graph

    def _keep_backward(self, graph: GraphModule, _: Any) -> GraphModule:
        self.backward = graph
        return graph


def _return_in_layouts_of(tensors: list[Tensor], graph: GraphModule) -> int:
    """Lets a backward graph return only the gradients that exist, in the strides of TENSORS. Returns their number."""
    output = graph.graph.output_node()
    kept = []
    for gradient, tensor in zip(output.args[0], tensors, strict=False):
        if gradient is None:
            continue
        with graph.graph.inserting_before(output):
            clone = graph.graph.call_function(
                torch.ops.aten.clone.default, (gradient,), {"memory_format": _memory_format(tensor)}
            )
        kept.append(clone)
    output.args = (tuple(kept),)
    graph.recompile()
    return len(kept)


def _memory_format(tensor: Tensor) -> torch.memory_format:
    return torch.contiguous_format if tensor.is_contiguous() else torch.channels_last


def compile_training(
    network: Network,
    loss_name: str,
    tensors: list[Tensor],
    inputs: list[Tensor],
    target: Tensor,
    autocast: torch.autocast,
    options: dict[str, Any],
) -> dict[str, list[Any]]:
    """Returns the files of the functions "forward" and "backward"."""
    stage("tracing")
    count = len(tensors)
    tensors = [one.requires_grad_(wanted) for one, wanted in zip(tensors, network.trainable(), strict=True)]

    def step(*arguments: Tensor) -> tuple[Tensor, Tensor]:
        with autocast:
            outputs = network.outputs(list(arguments[:count]), list(arguments[count:-1]))
            return network.loss(loss_name, outputs, arguments[-1]).float(), outputs[0].detach()

    arguments = [*tensors, *inputs, target]
    split = _Split(step, arguments)
    plain = [one.detach() for one in arguments]
    with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
        stage("compiling forward")
        forward = compile_part(split.forward, plain, range(2), False, options)
        # The backward pass takes what the forward pass saves, in the strides that Inductor gave it.
        package = str(Path(folder) / "forward.pt2")
        package_aoti(package, {"forward": forward})
        stage("running forward")
        first, _, *saved = load(package, "forward").run(plain)
        stage("compiling backward")
        gradients = _return_in_layouts_of(plain, split.backward)
        backward = compile_part(split.backward, [*saved, torch.ones_like(first)], range(gradients), True, options)
    return {"forward": forward, "backward": backward}
