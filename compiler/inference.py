"""Compiles the forward pass of a network."""

from typing import Any

import torch
from network import Network
from packaging_files import compile_exported
from progress import stage
from torch import Tensor


class _Forward(torch.nn.Module):
    def __init__(self, network: Network, autocast: torch.autocast):
        super().__init__()
        self.network = network
        self.autocast = autocast

    def forward(self, tensors: list[Tensor], inputs: list[Tensor]) -> Tensor:
        with self.autocast:
            return self.network(tensors, inputs)


def compile_inference(
    network: Network, tensors: list[Tensor], inputs: list[Tensor], autocast: torch.autocast, options: dict[str, Any]
) -> dict[str, list[Any]]:
    """Returns the files of one function: [*tensors, *inputs] -> [logits]."""
    with torch.no_grad():
        stage("tracing")
        program = torch.export.export(_Forward(network, autocast), (tensors, inputs))
        stage("compiling forward")
        return {"forward": compile_exported(program.module(), (tensors, inputs), options)}
