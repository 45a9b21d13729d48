#!/usr/bin/env python3
"""Compares the speed of mpsbench with that of PyTorch in Python at the same work.

Each round runs all sides in turns: mpsbench, PyTorch with its default optimizer and, in training, with its fused one;
on CUDA also mpsbench's graph engine; with --compile also torch.compile in mode reduce-overhead (fused optimizer). Each
side runs in a new process (with --keep-python, only mpsbench does). All get the same weights, batch, threads, heap
settings, warm-up and measuring time. Python runs under inference_mode, sets gradients to none and copies nothing to the
host. Prints one JSON line per case. A ratio is Python's median step time divided by mpsbench's in the same round: above
1, mpsbench is faster.
"""

import argparse
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mpsbench_py import environment, heap, runner

environment.require("torch", "safetensors", "transformers", cure="scripts/test sets it up")

from mpsbench_py.devices import DEVICES  # noqa: E402

DEFAULT_CASES = (
    "mlp/infer/b1",
    "mlp/train/b64",
    "bert-base/train/b4",
    "resnet50/train/b4",
    "resnet50/infer/b4",
    "vgg16/train/b2",
    "lenet5/train/b128",
)
WARMUP_SHARE = 0.25  # of --seconds
# If the logits or the loss of the first step differ by more than this (relative), the sides do not do the same work.
AGREEMENT_LIMITS = {"fp32": 1e-4, "tf32": 1e-2, "bf16": 1e-1, "fp16": 1e-1}


class ComparisonError(Exception):
    """One side did not run, or the sides disagree. The message is one line for the user."""


@dataclass
class Case:
    model: str
    mode: str
    batch: int

    def __str__(self) -> str:
        return f"{self.model}/{self.mode}/b{self.batch}"


def parse_case(text: str) -> Case:
    match = re.fullmatch(r"([^/]+)/(train|infer)/b([1-9][0-9]*)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not MODEL/train|infer/bN")
    return Case(match[1], match[2], int(match[3]))


class TorchProcess:
    """A process of mpsbench_py.torch_side, which does one job after another."""

    def __init__(self) -> None:
        self.words = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed in __exit__)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mpsbench_py.torch_side"],
            cwd=Path(__file__).resolve().parent,
            env={**heap.settings(os.environ), **os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.words,
            text=True,
        )

    def __enter__(self) -> "TorchProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()
        self.words.close()

    def ask(self, request: dict) -> dict:
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
            if line := self.process.stdout.readline():
                return json.loads(line)
        except BrokenPipeError:
            pass
        self.process.wait()
        self.words.seek(0)
        words = self.words.read().strip().splitlines() or ["no message"]
        raise ComparisonError(f"Python, exit {self.process.returncode}: {words[-1]}")


class Comparison:
    """One case: its weights and its batch, stored in a folder, and what each side has to do."""

    def __init__(self, case: Case, arguments: argparse.Namespace, folder: Path, kept: TorchProcess | None):
        self.case = case
        self.kept = kept
        self.arguments = arguments
        self.report = folder / "report.json"
        self.weights = folder / "weights.safetensors"
        self.dump = folder / "first-step.safetensors"
        self.has_dropout = runner.has_dropout(case.model)
        self.job = {
            "model": case.model,
            "mode": case.mode,
            "seed": arguments.seed,
            "threads": arguments.threads,
            "device": arguments.device,
            "precision": arguments.precision,
            "channels_last": arguments.channels_last,
            "compile": False,
            "dropout": arguments.dropout if self.has_dropout else None,
            "weights": str(self.weights),
            "batch": str(folder / "batch.safetensors"),
        }

    def ask_torch(self, request: dict) -> dict:
        if self.kept:
            return self.kept.ask(request)
        with TorchProcess() as process:
            return process.ask(request)

    def run_mpsbench(self, dropout: float | None, measuring: list[str]) -> dict:
        case, arguments = self.case, self.arguments
        options = ["--model", case.model, "--mode", case.mode, "--batch-size", str(case.batch)]
        options += ["--device", arguments.device, "--threads", str(arguments.threads), "--repeats", "1"]
        options += ["--seed", str(arguments.seed), "--weights", str(self.weights), *measuring]
        options += ["--precision", arguments.precision, *["--channels-last"] * arguments.channels_last]
        if arguments.optimizer and case.mode == "train":
            options += ["--optimizer", arguments.optimizer]
        if dropout is not None and self.has_dropout:
            options += ["--dropout", str(dropout)]
        self.report.unlink(missing_ok=True)
        return runner.run_case(arguments.mpsbench, options, self.report)

    def prepare(self) -> float:
        """Writes weights and batch. Returns how far the sides' first steps differ without dropout."""
        self.ask_torch({**self.job, "job": "weights"})
        measuring = ["--warmup", "0", "--max-time", "1s", "--dump-first-step", str(self.dump)]
        spec = self.run_mpsbench(0.0, measuring)["spec"]
        self.job.update(loss=spec["loss"], optimizer=spec["optimizer"])
        difference = self.ask_torch({**self.job, "job": "batch", "dump": str(self.dump)})["difference"]
        self.dump.unlink()
        if not difference <= AGREEMENT_LIMITS[self.arguments.precision]:
            raise ComparisonError(f"the first steps differ by {difference:.1e}, so the sides do not do the same work")
        return difference

    def time_mpsbench(self, engine: str) -> dict:
        seconds = self.arguments.seconds
        warmup = WARMUP_SHARE * seconds
        measuring = ["--warmup", f"{warmup}s", "--min-time", f"{seconds - warmup}s", "--min-samples", "1"]
        measuring += ["--max-time", f"{10 * seconds}s", "--max-noise", "100%", "--engine", engine]
        case = self.run_mpsbench(self.arguments.dropout, measuring)
        launch = case["launches"][0]
        return {
            "step_seconds": case["metrics"]["step_seconds"]["median"],
            "samples": len(launch["samples_seconds"]),
            "steps_per_sample": launch["steps_per_sample"],
            "peak_resident_bytes": launch["peak_resident_bytes"],
        }

    def time_torch(self, fused: bool, compiled: bool) -> dict:
        warmup = WARMUP_SHARE * self.arguments.seconds
        job = {**self.job, "job": "time", "fused": fused, "compile": compiled, "warmup_seconds": warmup}
        job["measure_seconds"] = self.arguments.seconds - warmup
        return self.ask_torch(job)

    def time(self, side: str) -> dict:
        if side.startswith("mpsbench"):
            return self.time_mpsbench("graph" if side == "mpsbench_graph" else "eager")
        return self.time_torch(side != "python_default", side == "python_compile")

    def sides(self) -> list[str]:
        sides = ["mpsbench", "python_default"] + ["python_fused"] * (self.case.mode == "train")
        sides += ["mpsbench_graph"] * DEVICES[self.arguments.device].has_graph
        return sides + ["python_compile"] * self.arguments.compile

    def run(self) -> dict:
        difference = self.prepare()
        sides = self.sides()
        rounds: dict[str, list[dict]] = {side: [] for side in sides}
        for number in range(self.arguments.rounds):
            shift = number % len(sides)  # so that no side always goes first
            for side in sides[shift:] + sides[:shift]:
                rounds[side].append(self.time(side))
            shown = ", ".join(f"{side} {rounds[side][-1]['step_seconds'] * 1e3:.4g} ms" for side in sides)
            print(f"{self.case} round {number + 1}: {shown}", file=sys.stderr, flush=True)
        return summarise(self.case, self.arguments, difference, rounds)


def summarise_side(rounds: list[dict]) -> dict:
    steps = [one["step_seconds"] for one in rounds]
    peaks = [one["peak_resident_bytes"] for one in rounds if one["peak_resident_bytes"]]
    return {
        "step_seconds": statistics.median(steps),
        "round_step_seconds": steps,
        "samples": [one["samples"] for one in rounds],
        "steps_per_sample": [one["steps_per_sample"] for one in rounds],
        "peak_resident_bytes": max(peaks, default=None),
    }


def ratio(ours: list[dict], theirs: list[dict]) -> dict:
    pairs = zip(theirs, ours, strict=True)
    ratios = [their["step_seconds"] / our["step_seconds"] for their, our in pairs]
    return {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)}


def summarise(case: Case, arguments: argparse.Namespace, difference: float, rounds: dict) -> dict:
    result = {
        "case": str(case),
        "threads": arguments.threads,
        "rounds": arguments.rounds,
        "seconds": arguments.seconds,
        "device": arguments.device,
        "precision": arguments.precision,
        "channels_last": arguments.channels_last,
        "dropout": arguments.dropout,
        "torch": rounds["python_default"][0]["torch"],
        "first_step_difference": difference,
        "mpsbench": summarise_side(rounds["mpsbench"]),
    }
    for side in ("python_default", "python_fused"):
        key = side.replace("python", "ratio")
        result[side] = summarise_side(rounds[side]) if side in rounds else None
        result[key] = ratio(rounds["mpsbench"], rounds[side]) if side in rounds else None
    if "python_compile" in rounds:
        result["python_compile"] = summarise_side(rounds["python_compile"])
        result["ratio_compile"] = ratio(rounds["mpsbench"], rounds["python_compile"])
    if "mpsbench_graph" in rounds:
        result["mpsbench_graph"] = summarise_side(rounds["mpsbench_graph"])
        for side in [one for one in rounds if one.startswith("python")]:
            result[side.replace("python", "graph_ratio")] = ratio(rounds["mpsbench_graph"], rounds[side])
    return result


def physical_cores() -> int:
    """The number of threads that torch uses by default: one per core, not per hardware thread; on a Mac, fast cores."""
    if sys.platform == "darwin":
        return int(subprocess.check_output(["sysctl", "-n", "hw.perflevel0.physicalcpu"]))
    topologies = Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/thread_siblings_list")
    return len({path.read_text() for path in topologies}) or os.cpu_count() or 1


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", nargs="+", type=parse_case, metavar="MODEL/MODE/bN", dest="cases")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=8, help="per side and round, with warm-up (default: 8)")
    parser.add_argument("--threads", type=int, default=physical_cores())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dropout", type=float, help="default: the model's own dropout")
    parser.add_argument("--optimizer", metavar="NAME[:key=value]", help="default: the model's own optimizer")
    parser.add_argument("--device", choices=list(DEVICES), default="cpu")
    parser.add_argument("--precision", choices=["fp32", "tf32", "bf16", "fp16"], default="fp32")
    parser.add_argument("--channels-last", action="store_true")
    parser.add_argument("--compile", action="store_true", help="also time torch.compile")
    parser.add_argument(
        "--keep-python", action="store_true", help="use one Python process for all cases: much quicker on a GPU"
    )
    parser.add_argument("--mpsbench", default=runner.default_program(), metavar="PATH")
    arguments = parser.parse_args(argv)
    if arguments.rounds < 1 or arguments.seconds <= 0 or arguments.threads < 1:
        parser.error("--rounds, --seconds and --threads must be positive")
    arguments.cases = arguments.cases or [parse_case(text) for text in DEFAULT_CASES]
    return arguments


def compare(case: Case, arguments: argparse.Namespace, kept: TorchProcess | None) -> dict:
    try:
        with tempfile.TemporaryDirectory(prefix="mpsbench-compare-") as folder:
            return Comparison(case, arguments, Path(folder), kept).run()
    except (ComparisonError, runner.RunError) as error:
        return {"case": str(case), "error": str(error)}


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    if missing := DEVICES[arguments.device].missing():
        sys.stderr.write(f"compare_pytorch.py: --device {arguments.device}: {missing}\n")
        return 3  # the exit code that mpsbench uses for this, too
    failed = False
    with TorchProcess() if arguments.keep_python else contextlib.nullcontext() as kept:
        for case in arguments.cases:
            result = compare(case, arguments, kept)
            failed = failed or "error" in result
            print(json.dumps(result), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
