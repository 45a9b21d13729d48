"""The two sides that check_packages.py compares: a network in eager PyTorch, and its package."""

import copy
import sys
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

COMPILER = Path(__file__).resolve().parents[2] / "compiler"
sys.path.insert(0, str(COMPILER))

from network import Network, loss  # noqa: E402
from packaging_files import load  # noqa: E402

AUTOCAST = {"bf16": torch.bfloat16, "fp16": torch.float16}
RATE = 1e-3


class Eager:
    """The network in eager PyTorch, with its own parameters and buffers."""

    def __init__(self, request: dict[str, Any]):
        torch.manual_seed(0)
        plan, device, self.trains = request["network_plan"], request["device"], request["mode"] == "train"
        self.network, self.loss_name, self.device = Network(plan, self.trains, False), request["loss"], device
        self.dtype = AUTOCAST.get(request["precision"])
        planned = self.network.planned()
        self.names = [one["name"] for one in planned]
        self.tensors = self.network.tensors(device, request["channels_last"])
        for tensor, one in zip(self.tensors, planned, strict=True):
            if tensor.dim() > 1:
                tensor.normal_(std=0.02 if one["init"] == "normal" else (2 / tensor[0].numel()) ** 0.5)
            elif tensor.is_floating_point():
                tensor.uniform_(0.5, 1.5) if one["role"] in ("weight", "running_var") else tensor.normal_(std=0.1)
            tensor.requires_grad_(self.trains and one["trainable"])
        self.inputs = self.network.inputs(device, request["channels_last"])
        for tensor, one in zip(self.inputs, plan["inputs"], strict=True):
            tensor.fill_(1) if one["fill"] == "ones" else _fill(tensor, one["high"])
        self.target = self.network.target(device)
        _fill(self.target, plan["target_high"])

    def in_double(self) -> "Eager":
        other = copy.deepcopy(self)
        other.dtype = None
        for name in ("tensors", "inputs"):
            values = [one.double() if one.is_floating_point() else one for one in getattr(other, name)]
            setattr(other, name, [one.detach().requires_grad_(one.requires_grad) for one in values])
        other.target = other.target.double() if other.target.is_floating_point() else other.target
        return other

    def with_other_last_bits(self) -> "Eager":
        """A copy with other last bits in its weights. What this changes in the results, rounding may change, too."""
        other = copy.deepcopy(self)
        with torch.no_grad():
            for one in other.tensors:
                if one.is_floating_point():
                    one.mul_(1 + torch.randint_like(one, -1, 2) * torch.finfo(one.dtype).eps)
        return other

    def logits(self) -> Tensor:
        with torch.autocast(self.device, self.dtype, enabled=self.dtype is not None):
            return self.network(self.tensors, self.inputs)

    def step(self) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Returns the loss, the logits and the gradients that exist."""
        parameters = self.parameters()
        with torch.autocast(self.device, self.dtype, enabled=self.dtype is not None):
            logits = self.network(self.tensors, self.inputs)
            value = loss(self.loss_name, logits, self.target)
        gradients = torch.autograd.grad(value, parameters, allow_unused=True)
        return value.detach(), logits.detach(), [one for one in gradients if one is not None]

    def parameters(self) -> list[Tensor]:
        return [one for one in self.tensors if one.requires_grad]

    def first_step(self) -> dict[str, Tensor]:
        value, logits, gradients = self.step()
        learnt = [name for name, one in zip(self.names, self.tensors, strict=True) if one.requires_grad]
        found = {"loss": value, "logits": logits}
        found |= {f"gradient of {name}": one for name, one in zip(learnt, gradients, strict=True)}
        found |= {f"statistic {n}": t.clone() for n, t in zip(self.names, self.tensors, strict=True) if n not in learnt}
        return {name: one.double() for name, one in found.items()}

    def losses(self, steps: int) -> list[float]:
        values = []
        for _ in range(steps):
            value, _, gradients = self.step()
            values.append(float(value))
            with torch.no_grad():
                torch._foreach_add_(self.parameters(), gradients, alpha=-RATE)
        return values


class Packaged(Eager):
    def __init__(self, request: dict[str, Any], start: Eager):
        self.__dict__ = copy.deepcopy(start.__dict__)
        self.complaints: list[str] = []
        self.loaders = {name: load(request["package"], name) for name in ("forward", "backward")[: 1 + self.trains]}

    def plain(self) -> list[Tensor]:
        return [one.detach() for one in self.tensors]

    def logits(self) -> Tensor:
        return self.loaders["forward"].run([*self.plain(), *self.inputs])[0]

    def step(self) -> tuple[Tensor, Tensor, list[Tensor]]:
        value, logits, *saved = self.loaders["forward"].run([*self.plain(), *self.inputs, self.target])
        gradients = self.loaders["backward"].run([*saved, torch.ones_like(value)])
        for parameter, gradient in zip(self.parameters(), gradients, strict=True):
            if parameter.stride() != gradient.stride() and not self.complaints:
                self.complaints.append(f"a gradient has strides {gradient.stride()}, not {parameter.stride()}")
        return value, logits, gradients


def _fill(tensor: Tensor, high: int) -> None:
    tensor.normal_() if tensor.is_floating_point() else tensor.random_(0, max(1, high))
