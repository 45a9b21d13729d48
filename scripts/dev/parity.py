#!/usr/bin/env python3
"""Checks that mpsbench's networks compute the same as those of torchvision and transformers.

For each model, mpsbench gets the weights of the Python network and writes the input, target, logits, loss and gradients
of its first step. Python then repeats that step from the same input and target, on the same device, in the same
precision and without dropout; in training, batch norm is in training mode. Exits with 1 if a difference exceeds its
limit.
"""

import argparse
import gc
import math
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for mpsbench_py

from mpsbench_py import environment, runner

environment.require("torch", "safetensors", "transformers", cure="scripts/test sets it up")
import torch  # noqa: E402
from mpsbench_py import references, transformers_models  # noqa: E402
from mpsbench_py.torch_side import AUTOCAST, set_precision  # noqa: E402
from safetensors import safe_open  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

# The largest allowed differences, relative to the largest magnitude among the logits, or among the step's gradients.
LIMITS = {
    ("cpu", "fp32"): {"logits": 1e-5, "loss": 1e-5, "gradients": 1e-4},
    ("cuda", "fp32"): {"logits": 1e-4, "loss": 1e-4, "gradients": 1e-3},
    ("cuda", "bf16"): {"logits": 2e-2, "loss": 2e-2, "gradients": 2e-2},
}

COLUMNS = "{:<12} {:<5} {:>12} {:>9} {:>9} {:>9}  {}"


class MismatchError(Exception):
    """mpsbench's step cannot be compared with Python's. The message says what differs."""


@dataclass
class Differences:
    parameters: int
    logits: float
    loss: float | None = None
    gradients: float | None = None
    worst_gradient: str = ""

    def problems(self, limits: dict[str, float]) -> list[str]:
        found = []
        if not self.logits <= limits["logits"]:  # `not <=`, because NaN must count as a difference
            found.append("logits differ")
        if self.loss is not None and not self.loss <= limits["loss"]:
            found.append("loss differs")
        if self.gradients is not None and not self.gradients <= limits["gradients"]:
            found.append(f"gradients differ, most in {self.worst_gradient}")
        return found


def difference(ours: torch.Tensor, reference: torch.Tensor, name: str, largest: float | None = None) -> float:
    """The largest difference, relative to LARGEST or, without it, to the largest magnitude in REFERENCE."""
    if ours.shape != reference.shape:
        raise MismatchError(f"{name}: shape {list(ours.shape)} instead of {list(reference.shape)}")
    scale = reference.abs().max().item() if largest is None else largest
    return (ours.float() - reference.float()).abs().max().item() / (scale or 1.0)


def compare_gradients(dump, names: set[str], model: torch.nn.Module, found: Differences) -> None:
    trained = {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}
    reference = {name: parameter.grad.cpu() for name, parameter in trained.items()}
    if names != set(reference):
        missing, extra = sorted(set(reference) - names)[:3], sorted(names - set(reference))[:3]
        raise MismatchError(f"parameter names: missing {missing or 'none'}, extra {extra or 'none'}")
    largest = max(gradient.abs().max().item() for gradient in reference.values())
    found.gradients = 0.0
    for name, gradient in reference.items():
        one = difference(dump.get_tensor(f"grad.{name}"), gradient, f"grad.{name}", largest)
        if not (one <= found.gradients or math.isnan(found.gradients)):
            found.gradients, found.worst_gradient = one, name


def compare_step(case: dict, dump_path: Path, model: torch.nn.Module) -> Differences:
    """Repeats the step in DUMP_PATH with MODEL, which has the weights that mpsbench got."""
    training = case["spec"]["mode"] == "train"
    device, precision = case["spec"]["device"], case["spec"]["precision"]
    autocast = torch.autocast(device, dtype=AUTOCAST.get(precision), enabled=precision in AUTOCAST)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    if case["metrics"]["parameters"] != parameters:
        raise MismatchError(f"{case['metrics']['parameters']} parameters instead of {parameters}")
    model.to(device).train(training)
    with safe_open(dump_path, framework="pt") as dump:
        keys = set(dump.keys())
        gradients = {key.removeprefix("grad.") for key in keys if key.startswith("grad.")}
        inputs = {key: dump.get_tensor(key).to(device) for key in keys if references.is_input(key)}
        with torch.set_grad_enabled(training), autocast:
            output = references.run(model, inputs)
        logits = references.logits(output).detach().cpu()
        found = Differences(parameters, difference(dump.get_tensor("logits"), logits, "logits"))
        if training:
            with autocast:
                loss = references.loss(case["spec"]["loss"], output, dump.get_tensor("target").to(device))
            loss.backward()
            found.loss = difference(dump.get_tensor("loss").reshape(()), loss.detach().cpu(), "loss")
            compare_gradients(dump, gradients, model, found)
    return found


def check(name: str, mode: str, arguments: argparse.Namespace, folder: Path) -> Differences:
    model = references.build(name, arguments.seed, dropout=0.0, changes=arguments.set, training=mode == "train")
    references.spread_constants(model, arguments.seed)
    weights, dump = folder / "weights.safetensors", folder / "first-step.safetensors"
    save_file(transformers_models.unshared(model.state_dict()), weights)
    options = ["--model", name, "--mode", mode, "--device", arguments.device, "--precision", arguments.precision]
    options += ["--batch-size", str(arguments.batch), "--seed", str(arguments.seed)]
    options += ["--threads", str(torch.get_num_threads()), "--warmup", "0", "--max-time", "1s"]
    options += ["--weights", str(weights), "--dump-first-step", str(dump)]
    options += runner.dropout_options(name, 0.0)
    if arguments.max_length:
        options += ["--max-length", str(arguments.max_length)]
    if arguments.set:
        options += ["--set", ",".join(f"{key}={value}" for key, value in arguments.set.items())]
    case = runner.run_case(arguments.mpsbench, options, folder / "report.json")
    return compare_step(case, dump, model)


def show(value: float | None) -> str:
    return "-" if value is None else f"{value:.1e}"


def run(arguments: argparse.Namespace) -> int:
    """Prints a line for each model and mode. Returns how many exceed a limit or cannot be compared."""
    all_models = [name for name in runner.bundled_models() if name not in transformers_models.LARGE]
    models = all_models if "all" in arguments.models else arguments.models
    print(COLUMNS.format("model", "mode", "parameters", "logits", "loss", "gradients", ""))
    misses = 0
    limits = LIMITS[arguments.device, arguments.precision]
    for name in models:
        for mode in arguments.mode.split(","):
            try:
                with tempfile.TemporaryDirectory(prefix="mpsbench-parity-") as folder:
                    found = check(name, mode, arguments, Path(folder))
            except (MismatchError, runner.RunError, references.UnknownError, ImportError) as error:
                misses += 1
                print(COLUMNS.format(name, mode, "-", "-", "-", "-", f"MISS: {error}"), flush=True)
                continue
            problems = found.problems(limits)
            misses += bool(problems)
            numbers = [show(found.logits), show(found.loss), show(found.gradients)]
            verdict = "MISS: " + ", ".join(problems) if problems else "ok"
            print(COLUMNS.format(name, mode, found.parameters, *numbers, verdict), flush=True)
            gc.collect()  # the next network may need the memory of this one
    words = ", ".join(f"{name} {limit:g}" for name, limit in limits.items())
    print(f"{misses or 'no'} miss{'' if misses == 1 else 'es'} (limits, relative to the largest value: {words})")
    return misses


def changes(text: str) -> dict[str, float]:
    pairs = [item.split("=") for item in text.split(",")]
    return {name: float(value) if "." in value else int(value) for name, value in pairs}


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=["all"], metavar="MODEL", help="default: all bundled models")
    parser.add_argument("--mode", default="train,infer", help="default: train,infer")
    parser.add_argument("--batch", type=int, default=2, help="rows per step (default: 2)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--precision", choices=["fp32", "bf16"], default="fp32", help="bf16 is for --device cuda only")
    parser.add_argument("--threads", type=int, help="threads of mpsbench and of Python (default: torch's own default)")
    parser.add_argument("--max-length", type=int, help="tokens (default: the model's)")
    parser.add_argument("--set", type=changes, default={}, metavar="NAME=NUMBER,...", help="as mpsbench's own")
    parser.add_argument("--mpsbench", default=runner.default_program(), metavar="PATH")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    if (arguments.device, arguments.precision) not in LIMITS:
        sys.stderr.write("parity.py: --precision bf16 needs --device cuda\n")
        return 2
    set_precision(arguments.precision, search_convolutions=False)  # as mpsbench does for such a step
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    return 1 if run(arguments) else 0


if __name__ == "__main__":
    sys.exit(main())
