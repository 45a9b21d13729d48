"""Compares mpsbench with PyTorch in Python at one case: prepares both, and times all sides in turns."""

import argparse
import json
import re
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from mpsbench_py import comparison_results, runner
from mpsbench_py.torch_process import ComparisonError, TorchProcesses

WARMUP_SHARE = 0.25  # of --seconds
# If the logits or the loss of the first step differ by more than this (relative), the sides do not do the same work.
AGREEMENT_LIMITS = {"fp32": 1e-4, "tf32": 1e-2, "bf16": 1e-1, "fp16": 1e-1}
COMPILE_MODES = ("default", "reduce-overhead", "max-autotune")
_CASE = re.compile(rf"([^/]+)/(train|infer)/b([1-9][0-9]*)(?:/({'|'.join(AGREEMENT_LIMITS)}))?(/channels-last)?")


@dataclass
class Case:
    model: str
    mode: str
    batch: int
    precision: str | None = None
    channels_last: bool = False

    def work(self) -> str:
        return f"{self.model}/{self.mode}/b{self.batch}"

    def __str__(self) -> str:
        return f"{self.work()}/{self.precision}{'/channels-last' if self.channels_last else ''}"

    def completed(self, arguments: argparse.Namespace) -> "Case":
        """This case, with the options of all cases where it has none of its own."""
        channels_last = self.channels_last or arguments.channels_last
        return replace(self, precision=self.precision or arguments.precision, channels_last=channels_last)


def parse_case(text: str) -> Case:
    match = _CASE.fullmatch(text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not MODEL/train|infer/bN[/PRECISION][/channels-last]")
    return Case(match[1], match[2], int(match[3]), match[4], bool(match[5]))


@dataclass(frozen=True)
class Side:
    name: str
    engine: str = ""  # mpsbench's; empty for PyTorch
    fused: bool = False  # whether the optimizer is
    compile: str = ""  # torch.compile's mode, if any


def sides_of(mode: str, engines: tuple[str, ...], compile_modes: tuple[str, ...]) -> list[Side]:
    sides = [Side(f"mpsbench_{engine.replace('-', '_')}", engine=engine) for engine in engines]
    sides.append(Side("python_default"))
    if mode == "train":
        sides.append(Side("python_fused", fused=True))
    for compile_mode in compile_modes:
        sides.append(Side(f"python_compile_{compile_mode.replace('-', '_')}", fused=True, compile=compile_mode))
    return sides


def asked_for(case: Case, arguments: argparse.Namespace) -> dict:
    """The part of a result that is known before it is measured."""
    work = {"case": case.work(), "precision": case.precision, "channels_last": case.channels_last}
    return work | {name: getattr(arguments, name) for name in comparison_results.OPTIONS}


class Comparison:
    """One case: its weights and its batch, stored in a folder, and what each side has to do."""

    def __init__(self, case: Case, arguments: argparse.Namespace, folder: Path, processes: TorchProcesses):
        self.case = case
        self.arguments = arguments
        self.processes = processes
        self.sides = sides_of(case.mode, arguments.engines, arguments.compile)
        self.failures: dict[str, str] = {}
        self.report = folder / "report.json"
        self.weights = folder / "weights.safetensors"
        self.dump = folder / "first-step.safetensors"
        self.job = {
            **asdict(case),
            "seed": arguments.seed,
            "threads": arguments.threads,
            "device": arguments.device,
            "dropout": arguments.dropout,
            "weights": str(self.weights),
            "batch": str(folder / "batch.safetensors"),
        }

    def run_mpsbench(self, dropout: float | None, measuring: list[str]) -> dict:
        case, arguments = self.case, self.arguments
        options = ["--model", case.model, "--mode", case.mode, "--batch-size", str(case.batch)]
        options += ["--device", arguments.device, "--threads", str(arguments.threads), "--repeats", "1"]
        options += ["--timeout", f"{arguments.timeout:f}s"]
        options += ["--seed", str(arguments.seed), "--weights", str(self.weights), *measuring]
        options += ["--precision", case.precision, *["--channels-last"] * case.channels_last]
        if arguments.optimizer and case.mode == "train":
            options += ["--optimizer", arguments.optimizer]
        options += runner.dropout_options(case.model, dropout)
        self.report.unlink(missing_ok=True)
        return runner.run_case(arguments.mpsbench, options, self.report)

    def prepare(self) -> dict:
        """Writes weights and batch. Returns how far the sides' first steps differ without dropout, and the machine."""
        self.processes.ask("python_default", {**self.job, "job": "weights"})
        measuring = ["--warmup", "0", "--max-time", "1s", "--dump-first-step", str(self.dump)]
        spec = self.run_mpsbench(0.0, measuring)["spec"]
        self.job.update(loss=spec["loss"], optimizer=spec["optimizer"])
        answer = self.processes.ask("python_default", {**self.job, "job": "batch", "dump": str(self.dump)})
        self.dump.unlink()
        difference = answer["difference"]
        # In a deep network, TF32 can round further than its limit. Two correct sides differ by twice that at most.
        if not difference <= max(AGREEMENT_LIMITS[self.case.precision], 2 * answer["rounding"]):
            raise ComparisonError(f"the first steps differ by {difference:.1e}, so the sides do not do the same work")
        machine = comparison_results.machine(json.loads(self.report.read_text(encoding="utf-8")), spec["device"])
        return {"machine": machine, "first_step_difference": difference}

    def time_mpsbench(self, engine: str, more: tuple[str, ...] = ()) -> dict:
        seconds = self.arguments.seconds
        warmup = WARMUP_SHARE * seconds
        measuring = ["--warmup", f"{warmup}s", "--min-time", f"{seconds - warmup}s", "--min-samples", "1"]
        measuring += ["--max-time", f"{10 * seconds}s", "--max-noise", "100%", "--engine", engine]
        if engine.startswith("compiled") and self.arguments.compile_mode:
            measuring += ["--compile-mode", self.arguments.compile_mode]
        measuring += more
        case = self.run_mpsbench(self.arguments.dropout, measuring)
        launch = case["launches"][0]
        return {
            "step_seconds": case["metrics"]["step_seconds"]["median"],
            "samples": len(launch["samples_seconds"]),
            "steps_per_sample": launch["steps_per_sample"],
            "peak_resident_bytes": launch["peak_resident_bytes"],
            "compile_seconds": launch.get("compile_seconds"),
        }

    def torch_job(self, side: Side) -> dict:
        warmup = WARMUP_SHARE * self.arguments.seconds
        job = {**self.job, "job": "time", "fused": side.fused, "compile": side.compile, "warmup_seconds": warmup}
        return job | {"measure_seconds": self.arguments.seconds - warmup}

    def time_torch(self, side: Side) -> dict:
        return self.processes.ask(side.name, self.torch_job(side))

    def time(self, side: Side) -> dict | None:
        """What SIDE measured. If it failed, says so, and it takes no further part."""
        try:
            return self.time_mpsbench(side.engine) if side.engine else self.time_torch(side)
        except (ComparisonError, runner.RunError) as error:
            self.failures[side.name] = " ".join(str(error).split())
            self.sides.remove(side)
            self.say(f"{side.name} failed: {self.failures[side.name]}")
            return None

    def say(self, text: str) -> None:
        print(f"{self.case}: {text}", file=sys.stderr, flush=True)

    def compile_first(self) -> None:
        """Lets the sides that stay compile before the rounds."""
        for side in [one for one in self.sides if one.engine.startswith("compiled") or one.compile]:
            if measured := self.time(side):
                self.say(f"{side.name} compiled in {measured['compile_seconds']:.1f} s")

    def run(self) -> dict:
        prepared = self.prepare()
        if self.processes.keep:
            self.compile_first()
        return {**asked_for(self.case, self.arguments), **prepared, **self.time_rounds()}

    def time_rounds(self) -> dict:
        rounds: dict[str, list[dict]] = {side.name: [] for side in self.sides}
        for number in range(self.arguments.rounds):
            shift = number % max(1, len(self.sides))  # so that no side always goes first
            for side in self.sides[shift:] + self.sides[:shift]:
                if measured := self.time(side):
                    rounds[side.name].append(measured)
            names = [side.name for side in self.sides]
            shown = ", ".join(f"{name} {rounds[name][-1]['step_seconds'] * 1e3:.4g} ms" for name in names)
            self.say(f"round {number + 1}: {shown}")
        measured = {side.name: rounds[side.name] for side in self.sides}
        return comparison_results.summarise(measured, self.failures)
