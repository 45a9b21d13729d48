"""The results of compare_pytorch.py, one JSON object per case: what they are computed from, files of them, tables."""

import json
import math
import statistics
from pathlib import Path

from scipy import stats

# What the figures of a case depend on, besides the machine.
WORK = ("case", "precision", "channels_last")
OPTIONS = ("device", "threads", "rounds", "seconds", "seed", "dropout", "optimizer", "compile_mode", "keep_python")
ENGINES = {  # mpsbench's sides, and the side that each is built on
    "mpsbench_eager": None,
    "mpsbench_graph": None,
    "mpsbench_compiled": "mpsbench_eager",
    "mpsbench_compiled_graph": "mpsbench_graph",
}
FASTEST = {  # of several sides, the fastest by its median over the rounds
    "fastest_eager": ("python_default", "python_fused"),
    "fastest_compile": ("python_compile_default", "python_compile_reduce_overhead", "python_compile_max_autotune"),
}


class ResultsError(Exception):
    """A file is not one of results. The message is one line for the user."""


def machine(report: dict, device: str) -> dict:
    """What REPORT says about the machine that ran DEVICE."""
    host = report["host"]
    names = [one["name"] for one in host["accelerators"] if one["device"] == device]
    libtorch = host["libtorch"]["version"] if host["libtorch"] else None
    return {"cpu": host["cpu"]["model"], "accelerator": names[0] if names else None, "libtorch": libtorch}


def summarise_side(rounds: list[dict]) -> dict:
    steps = [one["step_seconds"] for one in rounds]
    peaks = [one["peak_resident_bytes"] for one in rounds if one["peak_resident_bytes"]]
    return {
        "step_seconds": statistics.median(steps),
        "round_step_seconds": steps,
        "samples": [one["samples"] for one in rounds],
        "steps_per_sample": [one["steps_per_sample"] for one in rounds],
        "peak_resident_bytes": max(peaks, default=None),
        "compile_seconds": rounds[0]["compile_seconds"],
    }


def interval(ratios: list[float]) -> list[float] | None:
    """The 95 % interval of the ratio over rounds: Student's t on the logarithms. None if there is only one round."""
    logs = [math.log(one) for one in ratios]
    if len(logs) < 2:
        return None
    middle, error = statistics.mean(logs), statistics.stdev(logs) / math.sqrt(len(logs))
    reach = stats.t.ppf(0.975, len(logs) - 1) * error
    return [math.exp(middle - reach), math.exp(middle + reach)]


def ratio(ours: dict, theirs: dict) -> dict:
    """Their time divided by ours in each round: above 1, we are faster."""
    pairs = zip(theirs["round_step_seconds"], ours["round_step_seconds"], strict=True)
    ratios = [their / our for their, our in pairs]
    return {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios), "ci95": interval(ratios)}


def ratios_of(name: str, sides: dict, fastest: dict) -> dict:
    """The ratios of our side NAME to Python's sides, to the fastest of each kind and to the side it is built on."""
    others = {other: other for other in sides if other.startswith("python")}
    others |= {kind: other for kind, other in fastest.items() if other}
    if ENGINES[name] in sides:
        others[ENGINES[name]] = ENGINES[name]
    return {key: ratio(sides[name], sides[other]) for key, other in others.items()}


def summarise(rounds: dict[str, list[dict]], failures: dict[str, str]) -> dict:
    sides = {name: summarise_side(measured) for name, measured in rounds.items()}
    fastest = {}
    for kind, names in FASTEST.items():
        there = [name for name in names if name in sides]
        fastest[kind] = min(there, key=lambda name: sides[name]["step_seconds"], default=None)
    versions = [one["torch"] for measured in rounds.values() for one in measured if "torch" in one]
    return {
        "torch": versions[0] if versions else None,
        **fastest,
        "sides": sides,
        "failures": failures,
        "ratios": {name: ratios_of(name, sides, fastest) for name in sides if name in ENGINES},
    }


def read(path: Path) -> list[dict]:
    results = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            result = json.loads(line)
        except json.JSONDecodeError as error:
            raise ResultsError(f"{path}:{number}: not JSON: {error}") from error
        if not isinstance(result, dict) or "case" not in result or not ("sides" in result or "error" in result):
            raise ResultsError(f"{path}:{number}: not a line that this script wrote")
        results.append(result)
    return results


def identity(result: dict) -> tuple:
    return tuple(result.get(key) for key in (*WORK, *OPTIONS))


def is_whole(result: dict, asked: dict, sides: list[str]) -> bool:
    """Whether RESULT is of the case and the options that are ASKED for, and has figures of all SIDES."""
    return identity(result) == identity(asked) and set(sides) <= result.get("sides", {}).keys()
