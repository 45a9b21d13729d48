"""The side of PyTorch's DistributedDataParallel in compare_ddp.py: one of several processes that torchrun starts.

Rank 0 reads requests for times from stdin, one JSON object per line, as mpsbench_py.torch_side does, and prints one
answer for each. All ranks measure the same number of steps. If a job fails on any rank, all ranks end, because the
others may wait for its gradients. Between jobs the processes wait on the CPU, so that they leave the GPUs to others.
"""

import json
import math
import os
import statistics
import sys
import time
from datetime import timedelta

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from mpsbench_py import torch_side
from mpsbench_py.devices import DEVICES

FIRST_STEPS = 10
LEAST_WINDOWS = 3
MIB = 1 << 20
LONGEST_PAUSE = timedelta(days=1)  # between two jobs


def of_rank_0(value: object, host: object) -> object:
    """The value that rank 0 passed, over the group HOST."""
    values = [value]
    dist.broadcast_object_list(values, src=0, group=host)
    return values[0]


def measure(request: dict, host: object) -> dict:
    device = request["device"]
    bucket = {"bucket_cap_mb": request["bucket_bytes"] / MIB} if request["bucket_bytes"] else {}
    step, _ = torch_side.prepared(request, lambda model: DistributedDataParallel(model, **bucket))
    first = timed(step, FIRST_STEPS, device)
    warmup = of_rank_0(math.ceil(request["warmup_seconds"] / first), host)
    timed(step, warmup, device)
    seconds = timed(step, FIRST_STEPS, device)
    queued = max(torch_side.LEAST_QUEUED, math.ceil(torch_side.QUEUE_SECONDS / seconds))
    steps = of_rank_0(queued if DEVICES[device].queues else 1, host)
    windows = of_rank_0(max(LEAST_WINDOWS, math.ceil(request["measure_seconds"] / seconds / steps)), host)
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
    host = dist.new_group(backend="gloo", timeout=LONGEST_PAUSE)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    while line := of_rank_0(sys.stdin.readline() if dist.get_rank() == 0 else None, host):
        request = json.loads(line)
        torch.set_num_threads(request["threads"])
        try:
            answer = measure(request, host)
        except Exception as error:
            sys.stderr.write(f"rank {dist.get_rank()}: {torch_side.one_line(error)}\n")
            os._exit(1)
        if dist.get_rank() == 0:
            print(json.dumps(answer), file=answers, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
