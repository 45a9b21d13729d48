"""Replaces mpsbench in the tests of parity.py and compare_pytorch.py: computes lenet5's first step with torch.

The variable FAKE_FAULT adds one fault: logits, loss, gradient, nan, gradient-name, parameters, exit, status, compiled.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import support  # noqa: F401
import torch
from mpsbench_py import references
from safetensors.torch import load_file, save_file

OPTIMIZER = {"name": "sgd", "lr": 1e-3, "momentum": 0.9, "weight_decay": 0.0, "nesterov": 0.0}


def first_step(arguments: argparse.Namespace, fault: str) -> int:
    """Writes the dumped first step. Returns the number of parameters."""
    model = references.build(arguments.model, seed=99)
    model.load_state_dict(load_file(arguments.weights))
    model.train(arguments.mode == "train")
    generator = torch.Generator().manual_seed(arguments.seed)
    step = {"input": torch.randn(arguments.batch_size, 1, 32, 32, generator=generator)}
    output = references.run(model, step)
    step["logits"] = output.detach() * (1.001 if fault == "logits" else 1)
    if arguments.mode == "train":
        step["target"] = torch.randint(10, (arguments.batch_size,), generator=generator)
        loss = references.loss("cross_entropy", output, step["target"])
        loss.backward()
        step["loss"] = loss.detach() * (1.001 if fault == "loss" else 1)
        for name, parameter in model.named_parameters():
            step[f"grad.{name}"] = parameter.grad
        bias = step.pop("grad.classifier.0.bias")
        bias = bias * {"gradient": 1.5, "nan": float("nan")}.get(fault, 1.0)
        step["grad.other" if fault == "gradient-name" else "grad.classifier.0.bias"] = bias
    if arguments.dump_first_step:
        save_file(step, arguments.dump_first_step)
    return sum(parameter.numel() for parameter in model.parameters())


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("model", "mode", "weights", "dump-first-step", "export-json", "engine"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--batch-size", type=int)
    arguments, _ = parser.parse_known_args(sys.argv[2:])
    fault = os.environ.get("FAKE_FAULT", "")
    if fault == "exit":
        sys.stderr.write("mpsbench: --weights: no such file\n")
        return 2
    is_compiled = arguments.engine == "compiled"
    if is_compiled and fault == "compiled":
        sys.stderr.write("mpsbench: no compiler here\n")
        return 3
    parameters = first_step(arguments, fault) + (fault == "parameters")
    spec = {"mode": arguments.mode, "device": "cpu", "precision": "fp32"}
    spec |= {"loss": "cross_entropy", "optimizer": OPTIMIZER}
    launch = {"samples_seconds": [0.01, 0.01], "steps_per_sample": 4, "peak_resident_bytes": 10_000_000}
    host = {"cpu": {"model": "a CPU"}, "accelerators": [], "libtorch": {"version": "2.13.0"}}
    if is_compiled:
        launch["compile_seconds"] = 20.0
    case = {
        "id": "lenet5",
        "spec": spec,
        "status": "crashed" if fault == "status" else "ok",
        "failure": {"message": "ended by signal 11"} if fault == "status" else None,
        "launches": [launch],
        "metrics": {"parameters": parameters, "step_seconds": {"median": 0.01}},
    }
    Path(arguments.export_json).write_text(json.dumps({"host": host, "cases": [case]}), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
