"""A model of one step of data-parallel training, from measurements of one GPU and of all-reduce alone."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from mpsbench_py.sizes import BYTES

LEAST_BUCKET_BYTES = 25 << 20  # mpsbench's own
USUAL_SHARE = 3 / 8  # of all gradients, in a bucket
# All-reduces that the host starts one by one, and those in a captured graph.
ALL_REDUCE, IN_GRAPH = "all_reduce", "all_reduce_in_graph"
# Matrix products alone, and beside an all-reduce of the size in the name.
MATMULS, BESIDE = "matmuls", "matmuls_beside_all_reduce"


@dataclass(frozen=True)
class Link:
    """All-reduce over RANKS connected devices: the measured seconds by bytes. While one runs, everything else on the
    device loses the share CONTENTION of its speed.
    """

    ranks: int
    seconds: dict[int, float]
    contention: float = 0.0

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


def read_link(ops: dict, in_graph: bool = False, device: str = "cuda") -> Link:
    """From the JSON of `mpsbench ops`: all_reduce/cuda/x2/25MiB/manual_time, times in its time unit. IN_GRAPH chooses
    the all-reduces in a graph, if they were measured. DEVICE is the kind of device.
    """
    units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    factors = BYTES | {"MB": 1_000_000}
    measured: dict[str, dict[int, float]] = {name: {} for name in (ALL_REDUCE, IN_GRAPH, MATMULS, BESIDE)}
    ranks = 0
    for one in ops["benchmarks"]:
        match = re.match(rf"(\w+)/{device}/x(\d+)/(\d+)([KM]i?B)", one["name"])
        if match and match[1] in measured and one.get("run_type", "iteration") == "iteration":
            ranks = int(match[2])
            measured[match[1]][int(match[3]) * factors[match[4]]] = one["real_time"] * units[one["time_unit"]]
    if not measured[ALL_REDUCE]:
        raise ValueError(f"no all_reduce/{device}: measure it with mpsbench ops where ranks connect as in the report")
    seconds = (in_graph and measured[IN_GRAPH]) or measured[ALL_REDUCE]
    return Link(ranks, seconds, contention_of(measured))


def has_graphs(ops: dict) -> bool:
    return any(one["name"].startswith(IN_GRAPH + "/") for one in ops["benchmarks"])


def contention_of(measured: dict[str, dict[int, float]]) -> float:
    """How much longer the matrix products take beside an average, per second of it. 0 if that was not measured."""
    for size, beside in measured[BESIDE].items():
        average, alone = measured[ALL_REDUCE].get(size), measured[MATMULS].get(size)
        if average and alone:
            return min(1.0, max(0.0, (beside - alone) / average))
    return 0.0


@dataclass(frozen=True)
class Bucket:
    size: int  # bytes of gradients
    ready: float  # the share of the backward pass after which all of them are there


def trained(node: dict) -> list[dict]:
    """The tensors of NODE that it trains, without those of an earlier node."""
    return [one for one in node["tensors"] if one["trainable"] and not one["is_shared"]]


def usual_bucket_bytes(plan: dict) -> int:
    """As in usual_bucket_bytes of src/collective/gradient_buckets.cpp."""
    sizes = [4 * math.prod(one["shape"]) for node in plan["nodes"] for one in trained(node)]
    return max(LEAST_BUCKET_BYTES, math.ceil(sum(sizes) * USUAL_SHARE))


def buckets_of(plan: dict, bucket_bytes: int | None, at_once: bool = False) -> list[Bucket]:
    """Fills buckets from the last layer on, as the worker does. The backward pass takes time in each layer by its
    multiply-accumulates. A compiled one has all gradients AT_ONCE, when it ends.
    """
    bucket_bytes = bucket_bytes or usual_bucket_bytes(plan)
    buckets: list[Bucket] = []
    total = sum(node["backward_macs"] for node in plan["nodes"]) or 1
    size, done = 0, 0
    for node in reversed(plan["nodes"]):
        before = done
        done += node["backward_macs"]
        for tensor in reversed(trained(node)):
            bytes_ = 4 * math.prod(tensor["shape"])
            if size and size + bytes_ > bucket_bytes:
                buckets.append(Bucket(size, 1.0 if at_once else before / total))
                size = 0
            size += bytes_
    return [*buckets, Bucket(size, 1.0)] if size else buckets


def step_seconds(
    step: float, backward: float, update: float, buckets: list[Bucket], average: Callable, contention: float = 0
) -> float:
    """The step of each of several ranks. STEP, BACKWARD and UPDATE are those of one alone, and AVERAGE(bytes) is the
    time of one all-reduce. Buckets are averaged one after another, while the backward pass goes on. When a bucket is
    averaged, its parameters are updated.
    """
    now = free = step - backward - update  # free: when the last average that has begun ends

    def work(seconds: float) -> float:
        """When work that takes so long alone is done, if it begins now."""
        speed = 1 - contention  # while an average runs
        meanwhile = max(0.0, free - now) * speed  # the work that is done until it ends
        if seconds == 0:
            return now
        return now + seconds / speed if meanwhile >= seconds else max(now, free) + seconds - meanwhile

    done, ends = 0.0, []
    for bucket in buckets:
        now = work((bucket.ready - done) * backward)
        done = bucket.ready
        free = max(free, now) + average(bucket.size)
        ends.append(free)
    now = work((1 - done) * backward)
    total = sum(bucket.size for bucket in buckets) or 1
    for bucket, end in zip(buckets, ends, strict=True):
        now = max(now, end)
        now = work(update * bucket.size / total)
    return now
