#!/usr/bin/env python3
"""Compares the speed of mpsbench with that of PyTorch in Python at the same work.

Each round runs all sides in turns: mpsbench's engines, PyTorch with its default optimizer and, in training, with its
fused one, and with --compile torch.compile (of the network, with the fused optimizer). Each side runs in a new process;
with --keep-python, Python's sides stay, and torch.compile compiles once per case and mode instead of in each round. All
get the same weights, batch, threads, heap settings, warm-up and measuring time. Python runs under inference_mode, sets
gradients to none and copies nothing to the host.

Prints one JSON line per case, and at the end a table to stderr. A ratio is Python's median step time divided by
mpsbench's in the same round: above 1, mpsbench is faster. A side that fails is named in "failures", and the others go
on. No step time includes compile_seconds. Those of Python are the time of its first step. Each mode's Inductor cache is
empty at first; if you set TORCHINDUCTOR_CACHE_DIR, all modes use that, which is quicker.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from mpsbench_py import environment, runner

environment.require("torch", "safetensors", "scipy", "transformers", cure="scripts/test installs what it needs")

from mpsbench_py import comparison_results, comparison_table  # noqa: E402
from mpsbench_py.comparison import (  # noqa: E402
    AGREEMENT_LIMITS,
    COMPILE_MODES,
    Case,
    Comparison,
    asked_for,
    parse_case,
    sides_of,
)
from mpsbench_py.devices import DEVICES  # noqa: E402
from mpsbench_py.torch_process import ComparisonError, TorchProcesses  # noqa: E402

DEFAULT_CASES = (
    "mlp/infer/b1",
    "mlp/train/b64",
    "bert-base/train/b4",
    "resnet50/train/b4",
    "resnet50/infer/b4",
    "vgg16/train/b2",
    "lenet5/train/b128",
)


def physical_cores() -> int:
    """The number of threads that torch uses by default: one per core, not per hardware thread; on a Mac, fast cores."""
    if sys.platform == "darwin":
        return int(subprocess.check_output(["sysctl", "-n", "hw.perflevel0.physicalcpu"]))
    topologies = Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/thread_siblings_list")
    return len({path.read_text() for path in topologies}) or os.cpu_count() or 1


def some_of(names: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    """A reader of lists like "eager,graph". It returns the names in their usual order."""

    def read(text: str) -> tuple[str, ...]:
        chosen = text.split(",")
        if unknown := [name for name in chosen if name not in names]:
            raise argparse.ArgumentTypeError(f"no '{unknown[0]}'; choose from: {','.join(names)}")
        return tuple(name for name in names if name in chosen)

    return read


def compile_modes(text: str) -> tuple[str, ...]:
    return () if text == "none" else some_of(COMPILE_MODES)(text)


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--case",
        nargs="+",
        type=parse_case,
        metavar="MODEL/MODE/bN[/PRECISION][/channels-last]",
        dest="chosen",
        default=[parse_case(text) for text in DEFAULT_CASES],
    )
    parser.add_argument("--cases", type=Path, metavar="FILE", help="append lines to FILE, skip the cases it has")
    parser.add_argument("--table", type=Path, metavar="FILE", help="only print the table of FILE's lines, as Markdown")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=8, help="per side and round, with warm-up (default: 8)")
    parser.add_argument("--threads", type=int, default=physical_cores())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dropout", type=float, help="default: the model's own dropout")
    parser.add_argument("--optimizer", metavar="NAME[:key=value]", help="default: the model's own optimizer")
    parser.add_argument("--device", choices=list(DEVICES), default="cpu")
    parser.add_argument("--precision", choices=list(AGREEMENT_LIMITS), default="fp32", help="of cases that name none")
    parser.add_argument("--channels-last", action="store_true", help="for all cases")
    every_engine = DEVICES["cuda"].engines
    parser.add_argument(
        "--engines",
        type=some_of(every_engine),
        metavar="LIST",
        help=f"mpsbench's, from {','.join(every_engine)} (default: all that the device has)",
    )
    parser.add_argument("--compile-mode", choices=["default", "max-autotune"], help="of mpsbench's compiled engines")
    parser.add_argument(
        "--compile",
        type=compile_modes,
        nargs="?",
        const=("reduce-overhead",),
        default=(),
        metavar="LIST",
        help=f"also time torch.compile: {','.join(COMPILE_MODES)} or none (without LIST: reduce-overhead)",
    )
    parser.add_argument("--keep-python", action="store_true", help="keep Python's processes: much quicker on a GPU")
    parser.add_argument("--timeout", type=float, default=1800, help="seconds for each job of a side (default: 1800)")
    parser.add_argument("--mpsbench", default=runner.default_program(), metavar="PATH")
    arguments = parser.parse_args(argv)
    if arguments.rounds < 1 or arguments.threads < 1 or min(arguments.seconds, arguments.timeout) <= 0:
        parser.error("--rounds, --seconds, --threads and --timeout must be positive")
    has = DEVICES[arguments.device].engines
    arguments.engines = arguments.engines or has
    if lacking := [name for name in arguments.engines if name not in has]:
        parser.error(f"--engines: {arguments.device} has no engine '{lacking[0]}'; it has: {','.join(has)}")
    return arguments


def compare(case: Case, arguments: argparse.Namespace, processes: TorchProcesses) -> dict:
    try:
        with tempfile.TemporaryDirectory(prefix="mpsbench-compare-") as folder:
            return Comparison(case, arguments, Path(folder), processes).run()
    except (ComparisonError, runner.RunError) as error:
        return {**asked_for(case, arguments), "error": str(error)}


def side_names(case: Case, arguments: argparse.Namespace) -> list[str]:
    return [side.name for side in sides_of(case.mode, arguments.engines, arguments.compile)]


def cases_to_run(arguments: argparse.Namespace, earlier: list[dict]) -> list[Case]:
    """The chosen cases, without those of which EARLIER results are whole."""
    cases = []
    for case in [one.completed(arguments) for one in arguments.chosen]:
        asked, sides = asked_for(case, arguments), side_names(case, arguments)
        if any(comparison_results.is_whole(result, asked, sides) for result in earlier):
            print(f"{case}: {arguments.cases} has it already", file=sys.stderr)
        else:
            cases.append(case)
    return cases


def keep(result: dict, file: Path | None) -> None:
    line = json.dumps(result)
    print(line, flush=True)
    if file:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")


def measure(arguments: argparse.Namespace) -> int:
    results = comparison_results.read(arguments.cases) if arguments.cases and arguments.cases.exists() else []
    cases = cases_to_run(arguments, results)
    names = dict.fromkeys(name for case in cases for name in side_names(case, arguments) if name.startswith("python"))
    complete = True
    with TorchProcesses(list(names), arguments.keep_python, arguments.timeout) as processes:
        for case in cases:
            result = compare(case, arguments, processes)
            complete = complete and not result.get("failures", result.get("error"))
            results.append(result)
            keep(result, arguments.cases)
    sys.stderr.write("\n" + comparison_table.tables(results))
    return 0 if complete else 1


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    try:
        if arguments.table:
            sys.stdout.write(comparison_table.tables(comparison_results.read(arguments.table)))
            return 0
        if missing := DEVICES[arguments.device].missing():
            sys.stderr.write(f"compare_pytorch.py: --device {arguments.device}: {missing}\n")
            return 3  # the exit code that mpsbench uses for this, too
        return measure(arguments)
    except (comparison_results.ResultsError, OSError) as error:
        sys.stderr.write(f"compare_pytorch.py: {error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
