"""The PyTorch side of a comparison, in a separate process. The peak memory that it reports is that of all its jobs.

Reads JSON objects from stdin, one per line, and prints one for each. Jobs: "weights" saves a network's weights;
"batch" saves the input and target of a first step that mpsbench wrote, and prints how far Python's result differs from
mpsbench's; "time" measures steps. The same "time" request again measures the same prepared network again, and compiles
nothing. The answer to a job that failed has only the key "error".
"""

import gc
import json
import math
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from mpsbench_py import references, transformers_models
from mpsbench_py.devices import DEVICES

# As in mpsbench, a window of steps is so long that reading the clock takes at most this share of it.
CLOCK_SHARE = 1e-3
# On a GPU, a window has at least this many queued steps, and takes at least this long.
LEAST_QUEUED = 10
QUEUE_SECONDS = 0.02
AUTOCAST = {"bf16": torch.bfloat16, "fp16": torch.float16}


def peak_resident_bytes() -> int:
    """The peak memory of this process. On Linux not from getrusage, whose value starts at the parent's peak."""
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def split_batch(batch: dict[str, torch.Tensor]) -> tuple[dict[str, torch.Tensor], torch.Tensor | None]:
    return {name: tensor for name, tensor in batch.items() if name != "target"}, batch.get("target")


def without_idle_mask(inputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """INPUTS without an attention mask of ones, which mpsbench leaves out, too. With it, transformers waits for the
    device in each step to look at it, and torch.compile, which cannot look, computes with it.
    """
    return {name: one for name, one in inputs.items() if name != "attention_mask" or not bool(one.all())}


def set_precision(precision: str, search_convolutions: bool = True) -> None:
    """The same settings as mpsbench: fp32 is IEEE fp32, also in convolutions. When timing steps, search for the fastest
    convolution.
    """
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.benchmark = search_convolutions


def autocast_of(request: dict) -> torch.autocast:
    dtype = AUTOCAST.get(request["precision"])
    return torch.autocast(request["device"], dtype=dtype, enabled=dtype is not None)


def placed(batch: dict[str, torch.Tensor], request: dict) -> dict[str, torch.Tensor]:
    moved = {name: tensor.to(request["device"]) for name, tensor in batch.items()}
    if request["channels_last"]:
        for name, tensor in moved.items():
            if tensor.dim() == 4:
                moved[name] = tensor.contiguous(memory_format=torch.channels_last)
    return moved


def make_step(request: dict, model: torch.nn.Module) -> Callable[[], None]:
    """The body of the usual Python loop. It copies nothing to the host, so that no step waits for a result."""
    inputs, target = split_batch(placed(load_file(request["batch"]), request))
    inputs = without_idle_mask(inputs)
    forward = references.run
    if request["compile"]:
        torch.compiler.reset()  # code compiled for other networks counts towards the limit of recompilations
        forward = torch.compile(forward, mode=request["compile"])
    autocast = autocast_of(request)
    if request["mode"] == "infer":

        def infer() -> None:
            with torch.inference_mode(), autocast:
                forward(model, inputs)

        return infer
    settings = dict(request["optimizer"])
    optimizer = references.optimizer(settings.pop("name"), settings, model, request["fused"])
    scaler = torch.amp.GradScaler(request["device"], enabled=request["precision"] == "fp16")

    def train() -> None:
        optimizer.zero_grad(set_to_none=True)
        with autocast:
            loss = references.loss(request["loss"], forward(model, inputs), target)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()

    return train


def clock_seconds() -> float:
    """The time that one sample costs: one reading of the clock (the next sample uses it, too) and one list entry."""
    readings = []
    start = time.perf_counter()
    for _ in range(10000):
        readings.append(time.perf_counter())
    return (time.perf_counter() - start) / len(readings)


def run_for(step: Callable[[], None], seconds: float, steps_per_sample: int, device: str) -> list[float]:
    """Runs windows of steps until SECONDS have passed, at least one. Returns the seconds per step of each window."""
    synchronize = DEVICES[device].synchronize
    samples = []
    synchronize()
    begin = start = time.perf_counter()
    while start - begin < seconds or not samples:
        for _ in range(steps_per_sample):
            step()
        synchronize()
        end = time.perf_counter()
        samples.append((end - start) / steps_per_sample)
        start = end
    return samples


def model_of(request: dict, dropout: float | None) -> torch.nn.Module:
    """The network in its precision, on its device, in its mode."""
    set_precision(request["precision"])
    is_training = request["mode"] == "train"
    model = references.build(request["model"], request["seed"], dropout, training=is_training).to(request["device"])
    if request["channels_last"]:
        model = model.to(memory_format=torch.channels_last)
    return model.train(is_training)


def prepare(request: dict, wrap: Callable = lambda model: model) -> tuple[Callable[[], None], float | None]:
    """The step of a request, which has run once already, and, if that compiled the network, the seconds it took. The
    network that runs is what WRAP makes of it.
    """
    step = make_step(request, wrap(model_of(request, request["dropout"])))
    if not request["compile"]:
        step()
        return step, None
    begin = time.perf_counter()
    step()
    DEVICES[request["device"]].synchronize()
    return step, time.perf_counter() - begin


PREPARED: dict[str, tuple[Callable[[], None], float | None]] = {}  # of the last request for times


def prepared(request: dict, *wrap: Callable) -> tuple[Callable[[], None], float | None]:
    text = json.dumps(request)
    if text not in PREPARED:
        PREPARED.clear()  # before there is another network in memory
        gc.collect()
        torch.cuda.empty_cache()
        PREPARED[text] = prepare(request, *wrap)
    return PREPARED[text]


def measure(request: dict) -> dict:
    device = request["device"]
    step, compile_seconds = prepared(request)
    warmup = run_for(step, request["warmup_seconds"], 1, device)
    if DEVICES[device].queues:
        steps_per_sample = max(LEAST_QUEUED, math.ceil(QUEUE_SECONDS / statistics.median(warmup)))
    else:
        steps_per_sample = max(1, math.ceil(clock_seconds() / CLOCK_SHARE / statistics.median(warmup)))
    samples = run_for(step, request["measure_seconds"], steps_per_sample, device)
    return {
        "step_seconds": statistics.median(samples),
        "samples": len(samples),
        "steps_per_sample": steps_per_sample,
        "peak_resident_bytes": peak_resident_bytes(),
        "compile_seconds": compile_seconds,
        "torch": torch.__version__,
    }


def save_weights(request: dict) -> dict:
    model = references.build(request["model"], request["seed"], training=request["mode"] == "train")
    save_file(transformers_models.unshared(model.state_dict()), request["weights"])
    return {}


def largest_difference(step: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> float:
    """How far OTHER's logits are from STEP's, relative to the largest one, or its loss, whichever is further."""
    largest = step["logits"].abs().max().item() or 1.0  # a new head may have zeros
    logits = (other["logits"] - step["logits"]).abs().max().item() / largest
    if "loss" not in step:
        return logits
    return max(logits, ((other["loss"] - step["loss"]).abs() / step["loss"].abs()).item())


def first_step(request: dict, batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The logits and, if there is a target, the loss of Python's first step without dropout."""
    inputs, target = split_batch(placed(batch, request))
    model = model_of(request, dropout=0.0)
    with torch.no_grad(), autocast_of(request):
        output = references.run(model, inputs)
        step = {"logits": references.logits(output)}
        if target is not None:
            step["loss"] = references.loss(request["loss"], output, target)
    return {name: tensor.float().cpu() for name, tensor in step.items()}


def take_batch(request: dict) -> dict:
    """Saves the batch of mpsbench's first step. Returns how far mpsbench's logits and loss differ from Python's, and
    how far Python's differ from its own in fp32.
    """
    with safe_open(request["dump"], framework="pt") as dump:
        dumped = {name: dump.get_tensor(name) for name in set(dump.keys()) if not name.startswith("grad.")}
    results = {name: dumped.pop(name).float() for name in ("logits", "loss") if name in dumped}
    if "loss" in results:
        results["loss"] = results["loss"].reshape(())
    save_file(dumped, request["batch"])
    exact = first_step({**request, "precision": "fp32"}, dumped)
    step = first_step(request, dumped)
    return {"difference": largest_difference(step, results), "rounding": largest_difference(exact, step)}


def one_line(error: Exception) -> str:
    """The error's name and first line; if that only announces the next one, as the compiler's do, that one, too."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    count = next((number for number, line in enumerate(lines, 1) if not line.endswith(":")), len(lines))
    return f"{type(error).__name__}: {' '.join(lines[:count]) or 'no message'}"


def main() -> None:
    jobs = {"weights": save_weights, "batch": take_batch, "time": measure}
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what compilers print, and their own processes, cannot reach the answers
    for line in sys.stdin:
        request = json.loads(line)
        torch.set_num_threads(request["threads"])
        try:
            answer = jobs[request["job"]](request)
        except Exception as error:
            answer = {"error": one_line(error)}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
