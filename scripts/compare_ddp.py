#!/usr/bin/env python3
"""Compares how training scales in mpsbench and in PyTorch's DistributedDataParallel (DDP), at the same work.

Each round runs four sides in turns: mpsbench and Python, each with one process and with N (--processes), and the same
batch for each process. Python has its fused optimizer. It keeps its processes, so it prepares a case only once. All
sides get the same weights, warm-up and measuring time; mpsbench's batches are parts of one larger batch, and Python's
processes all have the first of them.

Prints one JSON line per case, and at the end a table to stderr. The efficiency of a side is its rows per second with N
processes, divided by N times those with one process in the same round. "faster" is mpsbench's rows per second with N
processes divided by DDP's.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from mpsbench_py import environment, runner

environment.require("torch", "safetensors", "scipy", "transformers", cure="scripts/test installs what it needs")

from mpsbench_py import comparison_results  # noqa: E402
from mpsbench_py.comparison import Case, Comparison, Side, parse_case  # noqa: E402
from mpsbench_py.devices import DEVICES  # noqa: E402
from mpsbench_py.sizes import byte_size  # noqa: E402
from mpsbench_py.torch_process import ComparisonError, TorchProcess, TorchProcesses  # noqa: E402

SIDES = ("mpsbench_1", "mpsbench_n", "python_1", "ddp_n")
PYTHON = Side("python_fused", fused=True)


class Scaling(Comparison):
    """One case with one process and with several."""

    def __init__(self, case: Case, arguments: argparse.Namespace, folder: Path, processes: TorchProcesses, ddp: object):
        super().__init__(case, arguments, folder, processes)
        self.ddp = ddp

    def rows(self, side: str) -> float:
        """Rows per second of all processes."""
        count = self.arguments.processes if side.endswith("_n") else 1
        if side.startswith("mpsbench"):
            options = ["--gpus" if self.arguments.device == "cuda" else "--ranks", str(count)]
            if self.arguments.bucket_bytes and count > 1:
                options += ["--bucket-size", str(self.arguments.bucket_bytes)]
            seconds = self.time_mpsbench(self.arguments.engine, tuple(options))["step_seconds"]
        elif side == "python_1":
            seconds = self.time_torch(PYTHON)["step_seconds"]
        else:
            job = self.torch_job(PYTHON) | {"bucket_bytes": self.arguments.bucket_bytes}
            seconds = self.ddp.ask(job)["step_seconds"]
        return count * self.case.batch / seconds

    def run(self) -> dict:
        prepared = self.prepare()
        rounds: dict[str, list[float]] = {side: [] for side in SIDES}
        for number in range(self.arguments.rounds):
            shift = number % len(SIDES)
            for side in SIDES[shift:] + SIDES[:shift]:
                rounds[side].append(self.rows(side))
            self.say(f"round {number + 1}: " + ", ".join(f"{side} {rounds[side][-1]:,.0f} rows/s" for side in SIDES))
        count = self.arguments.processes
        ratios = {
            "efficiency": quotient(rounds["mpsbench_n"], rounds["mpsbench_1"], count),
            "ddp_efficiency": quotient(rounds["ddp_n"], rounds["python_1"], count),
            "faster": quotient(rounds["mpsbench_n"], rounds["ddp_n"], 1),
        }
        asked = {"case": str(self.case), "processes": count, "engine": self.arguments.engine}
        asked["bucket_bytes"] = self.arguments.bucket_bytes
        return {**asked, "seconds": self.arguments.seconds, **prepared, "rows_per_second": rounds, **ratios}


def quotient(over: list[float], under: list[float], times: int) -> dict:
    ratios = [a / b / times for a, b in zip(over, under, strict=True)]
    return {"median": statistics.median(ratios), "ci95": comparison_results.interval(ratios)}


def text_of(ratio: dict) -> str:
    interval = ratio["ci95"]
    return f"{ratio['median']:.3f}" + (f" ({interval[0]:.3f}–{interval[1]:.3f})" if interval else "")


def table(results: list[dict]) -> str:
    lines = ["| case | processes | engine | efficiency | DDP's efficiency | rows/s, to DDP's |", "| --- " * 6 + "|"]
    for one in results:
        cells = [one["case"], str(one["processes"]), one["engine"]]
        cells += [text_of(one[key]) for key in ("efficiency", "ddp_efficiency", "faster")]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", nargs="+", type=parse_case, required=True, metavar="MODEL/train/bN[/PRECISION][/...]")
    parser.add_argument("--processes", type=int, default=2, help="one per GPU (default: 2)")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--engine", default="eager", help="mpsbench's (default: eager)")
    parser.add_argument("--bucket-size", type=byte_size, dest="bucket_bytes", metavar="SIZE", help="default: their own")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4, help="per side and round, with warm-up (default: 4)")
    parser.add_argument("--threads", type=int, default=1, help="of each process (default: 1)")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one job of a side (default: 600)")
    parser.add_argument("--mpsbench", default=runner.default_program(), metavar="PATH")
    arguments = parser.parse_args(argv)
    if min(arguments.processes - 1, arguments.rounds, arguments.threads) < 1 or arguments.seconds <= 0:
        parser.error("--processes must be at least 2; --rounds, --threads and --seconds must be positive")
    if other := next((case for case in arguments.case if case.mode != "train"), None):
        parser.error(f"{other.work()}: only training scales with DDP")
    defaults = {"engines": (), "compile": (), "compile_mode": None, "dropout": None, "optimizer": None, "seed": 1}
    vars(arguments).update(defaults, precision="fp32", channels_last=False)
    return arguments


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    if missing := DEVICES[arguments.device].missing():
        sys.stderr.write(f"compare_ddp.py: --device {arguments.device}: {missing}\n")
        return 3  # the exit code that mpsbench uses for this, too
    torchrun = ("-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={arguments.processes}")
    results, failed = [], False
    with (
        tempfile.TemporaryDirectory(prefix="mpsbench-compare-") as folder,
        TorchProcesses(["python_default", "python_fused"], True, arguments.timeout) as processes,
    ):
        words = (*torchrun, "-m", "mpsbench_py.ddp_side", arguments.device)
        for case in arguments.case:
            ddp = TorchProcess(arguments.timeout, Path(folder) / "cache", words)
            try:
                results.append(Scaling(case.completed(arguments), arguments, Path(folder), processes, ddp).run())
                print(json.dumps(results[-1]), flush=True)
            except (ComparisonError, runner.RunError) as error:
                failed = True
                sys.stderr.write(f"{case.work()}: {error}\n")
            finally:
                ddp.close()
    sys.stderr.write("\n" + table(results))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
