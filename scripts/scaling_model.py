#!/usr/bin/env python3
"""Predicts how data-parallel training scales, from measurements of one GPU and of all-reduce alone.

ONE is a report of `mpsbench run --mode train` with one GPU, and OPS the output of `mpsbench ops -f json` on a machine
with several. The model is that of docs/scale.md: buckets of gradients are averaged one after another while the backward
pass goes on. --against REPORT compares the prediction with cases of a report that have several GPUs.

Prints a table: milliseconds of a step, and the efficiency, for each number of GPUs.
"""

import argparse
import json
import math
import statistics
import sys
import tempfile
from pathlib import Path

from mpsbench_py import plans, runner, scaling
from mpsbench_py.sizes import byte_size

DEFAULT_GPUS = [2, 8, 64, 512]


def positive_count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return number


def counts(text: str) -> list[int]:
    return [positive_count(one) for one in text.split(",")]


def positive(text: str) -> float:
    number = float(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not above 0")
    return number


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("one", type=Path, metavar="ONE.json")
    parser.add_argument("--ops", type=Path, required=True, metavar="OPS.json")
    parser.add_argument("--gpus", type=counts, help="numbers of GPUs (default: 2,8,64,512)")
    parser.add_argument("--bucket-size", type=byte_size, metavar="SIZE", help="(default: what mpsbench chooses)")
    parser.add_argument("--gpus-per-host", type=positive_count, default=8, help="connected as in OPS (default: 8)")
    parser.add_argument("--network-rate", type=positive, default=5e10, help="bytes/s of each GPU between hosts (5e10)")
    parser.add_argument("--network-latency", type=positive, default=5e-6, help="seconds (default: 5e-6)")
    parser.add_argument("--against", type=Path, metavar="REPORT", help="measured cases with several GPUs")
    parser.add_argument("--mpsbench", default=runner.default_program(), metavar="PATH")
    arguments = parser.parse_args(argv)
    if arguments.against and (arguments.bucket_size or arguments.gpus):
        parser.error("--against takes the GPUs and buckets of its cases; leave out --gpus and --bucket-size")
    arguments.gpus = arguments.gpus or DEFAULT_GPUS
    return arguments


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


class Case:
    """A training case with one GPU, and what the model needs of it."""

    def __init__(self, case: dict, ops: dict, program: str, folder: Path):
        spec = case["spec"]
        self.id = case["id"]
        self.work = work_of(spec)
        self.is_captured = spec["engine"].endswith("graph")
        self.is_compiled = spec["engine"].startswith("compiled")
        self.link = scaling.read_link(ops, self.is_captured, spec["device"].split(":")[0])
        self.step = case["metrics"]["step_seconds"]["median"]
        parts = [one["step_parts"] for one in case["launches"] if one.get("step_parts")]
        # Without measured parts (graphs have none): a third is forward, as of the multiply-accumulates.
        shares = [(one["backward_seconds"], one["update_seconds"], sum(one.values())) for one in parts]
        self.backward = statistics.median(b / whole for b, _, whole in shares) if parts else 2 / 3
        self.update = statistics.median(u / whole for _, u, whole in shares) if parts else 0.0
        self.plan = plans.planned(program, spec["model"], "train", spec["batch_size"], folder)["plan"]

    def predicted(self, bucket_bytes: int | None, ranks: int, arguments: argparse.Namespace) -> float:
        buckets = scaling.buckets_of(self.plan, bucket_bytes, self.is_compiled)
        parts = [share * self.step for share in (1, self.backward, self.update)]
        average = average_over(self.link, ranks, arguments)
        return scaling.step_seconds(*parts, buckets, average, self.link.contention)


def work_of(spec: dict) -> tuple:
    """What decides how long a step of one process takes. Cases of several with the same are predicted from it."""
    keys = ("model", "batch_size", "precision", "engine", "compile_mode", "channels_last", "classes", "dropout")
    return tuple(spec[key] for key in (*keys, "freeze_backbone", "loss", "optimizer"))


def average_over(link: scaling.Link, ranks: int, arguments: argparse.Namespace) -> object:
    """The time of one all-reduce over RANKS GPUs. Each GPU of a host averages its part with the other hosts, along a
    tree.
    """
    inside = min(ranks, arguments.gpus_per_host)
    hosts = math.ceil(ranks / inside)

    def seconds(size: float) -> float:
        between = 2 * (hosts - 1) / hosts * size / inside / arguments.network_rate
        return link.all_reduce(size, inside) + between + 2 * math.log2(hosts) * arguments.network_latency

    return seconds


def pairs_of(cases: list[Case], measured_cases: list[dict]) -> list[tuple[Case, dict]]:
    """The good cases of several GPUs, each with that of one GPU which does the same work."""
    good = [one for one in measured_cases if one["status"] == "ok" and one["spec"].get("ranks", 1) > 1]
    return [(one, other) for other in good for one in cases if one.work == work_of(other["spec"])]


def compare(pairs: list[tuple[Case, dict]], arguments: argparse.Namespace) -> None:
    """Averaging adds the time by which a step is longer than that of one GPU."""
    titles = ("case", "GPUs", "buckets", "measured", "predicted", "difference", "added, measured", "added, predicted")
    print("| " + " | ".join(titles) + " |\n" + "| --- " * len(titles) + "|")
    for match, measured in pairs:
        spec = measured["spec"]
        bucket_bytes = spec.get("bucket_bytes")
        predicted = match.predicted(bucket_bytes, spec["ranks"], arguments)
        count = len(scaling.buckets_of(match.plan, bucket_bytes))
        found = [one["communication"]["buckets"] for one in measured["launches"] if one.get("communication")]
        if any(one != count for one in found):
            words = f"{measured['id']} had {found[0]} buckets, but {count} are predicted: another mpsbench made it"
            sys.stderr.write(f"scaling_model.py: {words}\n")
        seconds = measured["metrics"]["step_seconds"]["median"]
        buckets = f"{bucket_bytes / (1 << 20):g} MiB" if bucket_bytes else "usual"
        cells = [match.id, spec["ranks"], buckets, f"{seconds * 1e3:.4g} ms"]
        cells += [f"{predicted * 1e3:.4g} ms", f"{100 * (predicted / seconds - 1):+.1f} %"]
        cells += [f"{(one - match.step) * 1e3:.3g} ms" for one in (seconds, predicted)]
        print("| " + " | ".join(map(str, cells)) + " |")


def predict(cases: list[Case], arguments: argparse.Namespace) -> None:
    print("| case | GPUs | step | efficiency |\n" + "| --- " * 4 + "|")
    for case in cases:
        for ranks in arguments.gpus:
            step = case.predicted(arguments.bucket_size, ranks, arguments)
            print(f"| {case.id} | {ranks} | {step * 1e3:.4g} ms | {100 * case.step / step:.1f} % |")


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    try:
        ops = read(arguments.ops)
        measured = read(arguments.against)["cases"] if arguments.against else None
        chosen = [one for one in read(arguments.one)["cases"] if one["spec"]["mode"] == "train"]
        chosen = [one for one in chosen if one["status"] == "ok" and one["spec"].get("ranks", 1) == 1]
        with tempfile.TemporaryDirectory() as folder:
            cases = [Case(one, ops, arguments.mpsbench, Path(folder)) for one in chosen]
        pairs = pairs_of(cases, measured or [])
    except KeyError as error:
        reports = " or ".join(str(one) for one in (arguments.one, arguments.against) if one)
        files = f"{reports} is not a report, or {arguments.ops} not the output of mpsbench ops -f json"
        sys.stderr.write(f"scaling_model.py: {files}: the key {error} is missing\n")
        return 2
    except (OSError, ValueError, runner.RunError) as error:
        sys.stderr.write(f"scaling_model.py: {error}\n")
        return 2
    if not cases:
        sys.stderr.write(f"scaling_model.py: {arguments.one} has no good training case with one process\n")
        return 2
    if any(case.is_captured for case in cases) and not scaling.has_graphs(ops):
        missing = f"{arguments.ops} has no all-reduce in a graph, so those that the host starts stand for them"
        sys.stderr.write(f"scaling_model.py: {missing}\n")
    if measured is None:
        predict(cases, arguments)
    elif pairs:
        compare(pairs, arguments)
    else:
        none = f"no good case of several GPUs in {arguments.against} does the same work as one in {arguments.one}"
        sys.stderr.write(f"scaling_model.py: {none}: batch per GPU, precision, engine, optimizer and so on\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
