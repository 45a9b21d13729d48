"""The side of PyTorch's DistributedDataParallel in compare_ddp.py: one of several processes that torchrun starts.

Rank 0 reads requests for times from stdin, one JSON object per line, as mpsbench_py.torch_side does, and prints one
answer for each. All ranks measure the same number of steps. The answer to a job that failed has only the key "error".
"""

import json
import math
import os
import statistics
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from mpsbench_py import torch_side
from mpsbench_py.devices import DEVICES

FIRST_STEPS = 10
LEAST_WINDOWS = 3


def of_rank_0(value: object) -> object:
    """The value that rank 0 passed."""
    values = [value]
    dist.broadcast_object_list(values, src=0)
    return values[0]


def measure(request: dict) -> dict:
    device = request["device"]
    step, _ = torch_side.prepared(request, lambda model: DistributedDataParallel(model))
    first = timed(step, FIRST_STEPS, device)
    warmup = of_rank_0(math.ceil(request["warmup_seconds"] / first))
    timed(step, warmup, device)
    seconds = timed(step, FIRST_STEPS, device)
    queued = max(torch_side.LEAST_QUEUED, math.ceil(torch_side.QUEUE_SECONDS / seconds))
    steps = of_rank_0(queued if DEVICES[device].queues else 1)
    windows = of_rank_0(max(LEAST_WINDOWS, math.ceil(request["measure_seconds"] / seconds / steps)))
    samples = [timed(step, steps, device) for _ in range(windows)]
    return {"step_seconds": statistics.median(samples), "samples": windows, "steps_per_sample": steps}


def timed(step: object, count: int, device: str) -> float:
    """Seconds per step of COUNT steps that all ranks begin together."""
    dist.barrier()
    DEVICES[device].synchronize()
    begin = time.perf_counter()
    for _ in range(count):
        step()
    DEVICES[device].synchronize()
    return (time.perf_counter() - begin) / count


def main() -> None:
    device = sys.argv[1]
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl" if device == "cuda" else "gloo")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    while line := of_rank_0(sys.stdin.readline() if dist.get_rank() == 0 else None):
        request = json.loads(line)
        torch.set_num_threads(request["threads"])
        try:
            answer = measure(request)
        except Exception as error:
            answer = {"error": torch_side.one_line(error)}
        if dist.get_rank() == 0:
            print(json.dumps(answer), file=answers, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
