"""PyTorch's side of a comparison, in a process of its own; its peak memory is that of all jobs that it was given.

Reads JSON objects from stdin, one a line, and prints one for each. Jobs: "weights" saves a network's weights;
"batch" takes input and target out of a first step written by mpsbench and tells how far Python's result is from
it; "time" measures steps, and asked once more the same steps again.
"""

import functools
import json
import math
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from mpsbench_py import references
from mpsbench_py.devices import DEVICES

# A window of steps is long enough for reading the clock to cost at most this share of it, as in mpsbench.
CLOCK_SHARE = 1e-3
# On a GPU: at least so many steps are queued a window, which lasts at least so long.
LEAST_QUEUED = 10
QUEUE_SECONDS = 0.02
AUTOCAST = {"bf16": torch.bfloat16, "fp16": torch.float16}


def peak_resident_bytes() -> int:
    """Of this process; on Linux not by getrusage, which starts from the parent's peak."""
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def split_batch(batch: dict[str, torch.Tensor]) -> tuple[dict[str, torch.Tensor], torch.Tensor | None]:
    return {name: tensor for name, tensor in batch.items() if name != "target"}, batch.get("target")


def set_precision(precision: str, search_convolutions: bool = True) -> None:
    """As mpsbench: fp32 is IEEE, also in convolutions; the fastest convolution is searched for when steps are timed."""
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
    """The usual Python loop's body; nothing is copied to the host, so that no step waits for a number."""
    inputs, target = split_batch(placed(load_file(request["batch"]), request))
    forward = references.logits
    if request["compile"]:
        torch.compiler.reset()  # what it compiled for another network counts against this one
        forward = torch.compile(forward, mode="reduce-overhead")
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
    """Cost of taking one sample: a reading of the clock, shared with the next one, and an entry in a list."""
    readings = []
    start = time.perf_counter()
    for _ in range(10000):
        readings.append(time.perf_counter())
    return (time.perf_counter() - start) / len(readings)


def run_for(step: Callable[[], None], seconds: float, steps_per_sample: int, device: str) -> list[float]:
    """Seconds a step, window by window, until SECONDS are over; one window at least."""
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


@functools.lru_cache(maxsize=3)  # a case asks for so many
def prepare(request_text: str) -> Callable[[], None]:
    """The step of a request, after its first run."""
    request = json.loads(request_text)
    set_precision(request["precision"])
    model = references.build(request["model"], request["seed"], request["dropout"]).to(request["device"])
    if request["channels_last"]:
        model = model.to(memory_format=torch.channels_last)
    model.train(request["mode"] == "train")
    step = make_step(request, model)
    step()
    return step


def measure(request: dict) -> dict:
    device = request["device"]
    step = prepare(json.dumps(request))
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
        "torch": torch.__version__,
    }


def save_weights(request: dict) -> dict:
    model = references.build(request["model"], request["seed"])
    save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items()}, request["weights"])
    return {}


def take_batch(request: dict) -> dict:
    """Difference of the first step's logits and loss from mpsbench's, relative to the largest value."""
    with safe_open(request["dump"], framework="pt") as dump:
        step = {name: dump.get_tensor(name) for name in set(dump.keys()) if not name.startswith("grad.")}
    batch = {name: tensor for name, tensor in step.items() if name not in ("logits", "loss")}
    save_file(batch, request["batch"])
    set_precision(request["precision"])
    inputs, target = split_batch(placed(batch, request))
    model = references.build(request["model"], request["seed"], dropout=0.0).to(request["device"])
    if request["channels_last"]:
        model = model.to(memory_format=torch.channels_last)
    model.train(request["mode"] == "train")
    with torch.no_grad(), autocast_of(request):
        output = references.logits(model, inputs)
        loss = references.loss(request["loss"], output, target).cpu() if target is not None else None
    output = output.float().cpu()
    differences = [((step["logits"].float() - output).abs().max() / output.abs().max()).item()]
    if loss is not None:
        differences.append(((step["loss"].reshape(()) - loss).abs() / loss.abs()).item())
    return {"difference": max(differences)}


def main() -> None:
    jobs = {"weights": save_weights, "batch": take_batch, "time": measure}
    for line in sys.stdin:
        request = json.loads(line)
        torch.set_num_threads(request["threads"])
        print(json.dumps(jobs[request["job"]](request)), flush=True)


if __name__ == "__main__":
    main()
