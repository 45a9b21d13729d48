"""Reads a report as flat records, one for each case."""

import json
import os
import warnings
from pathlib import Path
from typing import Any

import numpy

SCHEMA_VERSION = 1

# Samples of a launch, in seconds per step. Each entry is a window of steps, in the order of measuring.
SAMPLES = ("samples_seconds", "prefill_samples_seconds", "latency_samples_seconds", "event_samples_seconds")

Record = dict[str, Any]


class ReportError(ValueError):
    """The file is not a report that this version can read."""


def _with_interval(name: str, middle: Any, interval: list[float] | None) -> Record:
    low, high = interval or (None, None)
    return {name: middle, f"{name}_low": low, f"{name}_high": high}


def _flat(name: str, metric: Any) -> Record:
    """The columns of one metric: those that `mpsbench export -f csv` has for it, with the same names."""
    if not isinstance(metric, dict):
        return {name: metric}
    if "median" not in metric:
        record = _with_interval(name, metric["value"], metric["ci95"])
        return record | {f"{name.removesuffix('_seconds')}_kind": metric["kind"]} if "kind" in metric else record
    stem = name.removesuffix("_seconds")
    record = _with_interval(name, metric["median"], metric["ci95"])
    record[f"{stem}_count"] = metric["count"]
    for key in ("mean", "stddev", "min", "max", "p90", "p99"):
        record[f"{stem}_{key}_seconds"] = metric[key]
    for key, seconds in metric.get("percentiles", {}).items():
        record[f"{stem}_p{key}_seconds"] = seconds
    return record


def _record(report: dict[str, Any], case: dict[str, Any]) -> Record:
    host = report["host"]
    accelerators = {one["device"]: one["name"] for one in host["accelerators"]}
    good = [launch for launch in case["launches"] if launch["status"] == "ok"]
    metrics = case["metrics"]
    peak = metrics["peak_device_bytes"]
    record: Record = {
        "host": host["name"],
        "cpu": host["cpu"]["model"],
        "accelerator": accelerators.get(case["spec"]["device"]),
        "libtorch": (host["libtorch"] or {}).get("version"),
    }
    record |= {"started_at": report["run"]["started_at"], "id": case["id"]}
    lengths = dict.fromkeys(("prompt", "generate", "depth"))  # only cases that generate have them
    record |= {"ranks": 1, "scaling": "weak", "bucket_bytes": None, **lengths, **case["spec"]}
    if record["ranks"] == 1:
        record["scaling"] = None
    record["optimizer"] = case["spec"]["optimizer"]["name"]
    record |= {"status": case["status"], "failure": (case["failure"] or {}).get("message")}
    record["launches"] = len(case["launches"])
    record["disturbed_launches"] = sum(launch.get("disturbed") is not None for launch in good)
    for name, metric in metrics.items():
        record |= _flat(name, metric)
    record["peak_bytes"] = metrics["peak_resident_bytes"] if peak is None else peak
    record["published_speed_up"] = (case.get("published") or {}).get("speed_up")
    record |= {"flags": case["flags"], "definition_sha256": case["definition_sha256"]}
    for name in SAMPLES:
        record[name] = [numpy.asarray(launch.get(name, []), dtype=numpy.float64) for launch in good]
    return record


def _follows(case: dict[str, Any]) -> bool:
    """Whether the median step and the rows per second follow from the samples, where every launch counts."""
    launches, metrics = case["launches"], case["metrics"]
    if case.get("published") or any(one["status"] != "ok" or one.get("disturbed") for one in launches):
        return True
    medians = [numpy.median(one["samples_seconds"]) for one in launches if one["samples_seconds"]]
    step, rate = metrics["step_seconds"]["median"], metrics["rows_per_second"]
    if step is None or not medians:
        return step is None and not medians
    rows = case["spec"]["batch_size"] * case["spec"].get("ranks", 1)
    if case["spec"]["mode"] == "generate":
        rate = metrics["tokens_per_second"] | {"kind": "median-step"}
    is_of_step = rate["value"] is not None and rate.get("kind") == "median-step"
    return bool(
        numpy.isclose(step, numpy.median(medians), rtol=1e-6, atol=0)
        and (not is_of_step or numpy.isclose(rate["value"] * step, rows, rtol=1e-6, atol=0))
    )


def load(path: str | os.PathLike[str]) -> list[Record]:
    """Returns one record for each case of the report at PATH.

    Its keys are the case's settings, its metrics with the names of `mpsbench export -f csv`, the names of the host, its
    CPU, the case's accelerator and LibTorch, and the samples: a list with one array for each launch that finished. All
    records of a report have the same keys, with None for what a case lacks. Reports of other versions may have other
    keys.

    Warns (RuntimeWarning) if times or rates do not follow from the samples, because somebody changed either. Raises
    OSError if the file cannot be read, and ReportError if it is not a report of this schema version.
    """
    try:
        report = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ReportError(f"{path} is not JSON: {error}") from None
    if not isinstance(report, dict) or "schema_version" not in report or "cases" not in report:
        raise ReportError(f"{path} is not a report of mpsbench")
    if report["schema_version"] != SCHEMA_VERSION:
        raise ReportError(
            f"{path} has schema version {report['schema_version']}, but this mpsbench reads {SCHEMA_VERSION}; update it"
        )
    try:
        records = [_record(report, case) for case in report["cases"]]
        changed = sum(not _follows(case) for case in report["cases"])
    except (KeyError, TypeError) as error:
        raise ReportError(f"{path} is damaged: {error!r}; mpsbench validate {path} says more") from None
    if changed:
        text = f"{path}: the metrics of {changed} case{'' if changed == 1 else 's'} do not follow from the samples"
        text += f"; mpsbench export {path} --format json -o NEW.json computes them again"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    keys = dict.fromkeys(key for record in records for key in record)
    return [keys | record for record in records]
