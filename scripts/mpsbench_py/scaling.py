"""A model of one step of data-parallel training, from measurements of one GPU and of all-reduce alone."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

BUCKET_BYTES = 25 << 20  # mpsbench's own


@dataclass(frozen=True)
class Link:
    """All-reduce over RANKS connected devices: the measured seconds by bytes."""

    ranks: int
    seconds: dict[int, float]

    def latency(self) -> float:
        return min(self.seconds.values())

    def measured(self, size: float) -> float:
        """Between two measured sizes a power law, below the smallest its time, and above the largest its rate."""
        sizes = sorted(self.seconds)
        if size <= sizes[0]:
            return self.seconds[sizes[0]]
        if size >= sizes[-1]:
            return self.seconds[sizes[-1]] * size / sizes[-1]
        above = next(one for one in sizes if one >= size)
        below = max(one for one in sizes if one < size)
        share = math.log(size / below) / math.log(above / below)
        return self.seconds[below] * (self.seconds[above] / self.seconds[below]) ** share

    def all_reduce(self, size: float, ranks: int) -> float:
        """Scaled as a ring: each of its 2 (N - 1) hops has the latency, and carries 1/N of the bytes."""
        hops = (ranks - 1) / (self.ranks - 1)
        carried = ((ranks - 1) / ranks) / ((self.ranks - 1) / self.ranks)
        sending = self.measured(size) - self.latency()
        return self.latency() * hops + sending * carried


def read_link(ops: dict) -> Link:
    """From the JSON of `mpsbench ops`: all_reduce/cuda/x2/25MiB/manual_time, times in its time unit."""
    units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    factors = {"KiB": 1 << 10, "MiB": 1 << 20, "MB": 1_000_000}
    seconds, ranks = {}, 0
    for one in ops["benchmarks"]:
        match = re.match(r"all_reduce/\w+/x(\d+)/(\d+)([KM]i?B)", one["name"])
        if match and one.get("run_type", "iteration") == "iteration":
            ranks = int(match[1])
            seconds[int(match[2]) * factors[match[3]]] = one["real_time"] * units[one["time_unit"]]
    if not seconds:
        raise ValueError("no all_reduce: measure them with mpsbench ops on a machine with several GPUs")
    return Link(ranks, seconds)


@dataclass(frozen=True)
class Bucket:
    size: int  # bytes of gradients
    ready: float  # the share of the backward pass after which all of them are there


def buckets_of(plan: dict, bucket_bytes: int) -> list[Bucket]:
    """Fills buckets from the last layer on, as the worker does. The backward pass takes time in each layer by its
    multiply-accumulates.
    """
    buckets: list[Bucket] = []
    total = sum(node["backward_macs"] for node in plan["nodes"]) or 1
    size, done = 0, 0
    for node in reversed(plan["nodes"]):
        before = done
        done += node["backward_macs"]
        for tensor in reversed([one for one in node["tensors"] if one["trainable"]]):
            bytes_ = 4 * math.prod(tensor["shape"])
            if size and size + bytes_ > bucket_bytes:
                buckets.append(Bucket(size, before / total))
                size = 0
            size += bytes_
    return [*buckets, Bucket(size, 1.0)] if size else buckets


def step_seconds(step: float, backward: float, update: float, buckets: list[Bucket], average: Callable) -> float:
    """The step of each of several ranks. STEP, BACKWARD and UPDATE are those of one alone, and AVERAGE(bytes) is the
    time of one all-reduce. Buckets are averaged one after another, while the backward pass goes on.
    """
    start = step - backward - update
    free = start
    for bucket in buckets:
        free = max(free, start + bucket.ready * backward) + average(bucket.size)
    return max(start + backward, free) + update
