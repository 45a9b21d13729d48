"""A network plan as a Python function of its tensors and inputs."""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from errors import CannotCompileError
from layers import Cache, Layer
from quantization import add_scales, example_scales, example_weight
from torch import Tensor


class Network:
    def __init__(self, plan: dict[str, Any], training: bool, drops_out: bool, dtype: torch.dtype = torch.float32):
        """DTYPE is the type in which tensors and inputs with fractions are stored."""
        add_scales(plan)
        self.plan = plan
        self.dtype = dtype
        self.layers = [Layer(node, training, drops_out) for node in plan["nodes"]]

    def __call__(self, tensors: list[Tensor], inputs: list[Tensor]) -> Tensor:
        """Returns the logits."""
        return self.outputs(tensors, inputs)[0]

    def outputs(self, tensors: list[Tensor], inputs: list[Tensor]) -> list[Tensor]:
        """Returns the logits and the auxiliary outputs. TENSORS are all parameters and buffers, in the plan's order."""
        slots: dict[int, Tensor | None] = dict(enumerate(inputs))
        by_name = {one["name"]: tensor for one, tensor in zip(self.planned(), tensors, strict=True)}
        for layer, node in zip(self.layers, self.plan["nodes"], strict=True):
            own = {tensor["role"]: by_name[tensor["name"]] for tensor in node["tensors"]}
            slots[node["output"]] = layer([slots[one] for one in node["inputs"]], own)
        return [slots[self.plan["output"]], *(slots[one["slot"]] for one in self.plan["auxiliary"])]

    def generate(self, tensors: list[Tensor], cached: list[Tensor], position: int | Tensor, ids: Tensor) -> Tensor:
        """Returns the logits of the last of IDS. CACHED is what cache() returns."""
        cache = Cache(dict(zip(self._attention(), zip(cached[::2], cached[1::2], strict=True), strict=True)), position)
        for layer in self.layers:
            layer.cache = cache
        return self(tensors, [ids])

    def cache(self, device: str, dtype: torch.dtype) -> list[Tensor]:
        """Returns keys and values of each layer of attention in turn."""
        shapes = {node["output"]: node["shape"] for node in self.plan["nodes"]}
        kept = [shapes[slot] for node in self._attention().values() for slot in node["inputs"][1:3]]
        positions = self.plan["cache"]["allocated"]
        return [torch.zeros([*shape[:2], positions, shape[3]], dtype=dtype, device=device) for shape in kept]

    def _attention(self) -> dict[str, dict[str, Any]]:
        return {node["name"]: node for node in self.plan["nodes"] if node["type"] == "scaled_dot_product_attention"}

    def loss(self, name: str, outputs: list[Tensor], target: Tensor) -> Tensor:
        total = loss(name, outputs[0], target)
        for output, one in zip(outputs[1:], self.plan["auxiliary"], strict=True):
            total = total + one["factor"] * loss(name, output, target)
        return total

    def planned(self) -> list[dict[str, Any]]:
        """Returns the plan of each parameter and buffer. A shared one is the first layer's."""
        return [one for node in self.plan["nodes"] for one in node["tensors"] if not one["is_shared"]]

    def tensors(self, device: str, channels_last: bool) -> list[Tensor]:
        """Returns example parameters and buffers. A quantized weight has its scales behind it."""
        tensors = []
        for one in self.planned():
            if "quantized" in one:
                tensors.append(example_weight(one, device))
            elif "scales_of" in one:
                tensors.append(example_scales(one["scales_of"], self.dtype, device))
            else:
                tensors.append(self._example(one["shape"], one["dtype"], device, channels_last))
        return tensors

    def inputs(self, device: str, channels_last: bool) -> list[Tensor]:
        return [self._example(one["shape"], one["dtype"], device, channels_last) for one in self.plan["inputs"]]

    def target(self, device: str) -> Tensor:
        return self._example(self.plan["target_shape"], self.plan["target_dtype"], device, channels_last=False)

    def trainable(self) -> list[bool]:
        return [one["trainable"] for one in self.planned()]

    def _example(self, shape: list[int], dtype: str, device: str, channels_last: bool) -> Tensor:
        """Numbers that every layer can take: class and token numbers are 0, and variances are positive."""
        has_fractions = dtype == "float32"
        own = self.dtype if has_fractions else getattr(torch, dtype)
        tensor = torch.full(shape, 0.5 if has_fractions else 0, dtype=own, device=device)
        return tensor.contiguous(memory_format=torch.channels_last) if channels_last and tensor.dim() == 4 else tensor


def _next_token_cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    following = F.pad(target[:, 1:], (0, 1), value=-100)
    return F.cross_entropy(logits.flatten(0, 1), following.flatten())


LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "cross_entropy": F.cross_entropy,
    "token_cross_entropy": lambda logits, target: F.cross_entropy(logits.flatten(0, 1), target.flatten()),
    "next_token_cross_entropy": _next_token_cross_entropy,
    "bce_with_logits": F.binary_cross_entropy_with_logits,
    "mse": F.mse_loss,
    "mean": lambda logits, target: logits.mean(),
}


def loss(name: str, logits: Tensor, target: Tensor) -> Tensor:
    if name not in LOSSES:
        raise CannotCompileError(f"the compiler does not know the loss '{name}'")
    return LOSSES[name](logits, target)
