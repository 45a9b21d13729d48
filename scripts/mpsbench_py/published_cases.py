"""Converts the cases in published_figures.json, which others published, to mpsbench's schema.

A run is one output of rasbt's scripts: the minutes of an epoch, and those of the test set as the difference of two of
their clocks. A case is any other figure. Nothing is made up: what was not published is null, and a note says why.
"""

import hashlib
import json
import math
import urllib.parse

RASBT = "benchmark/pytorch-m1-gpu/"
RASBT_URL = "https://github.com/rasbt/machine-learning-notes/blob/main/" + RASBT
MINUTE = 60.0
HALF_HUNDREDTH = 0.005 * MINUTE  # the largest rounding error of minutes with two decimals
NOISY_HALF_WIDTH = 0.05  # the threshold of the flag "noisy", as in src/report/metrics/flags.hpp
STUDENT_T = {7: 2.446912}  # the two-sided 95 % quantile for this number of runs
FLAGS_OF_CAUTIONS = ("diverged", "not-learning")  # these cautions are flags, too
NOT_PUBLISHED = "not published"
TIME = ("median", "mean", "stddev", "min", "max", "p90", "p99", "ci95")
# The metrics that no source published. The others are set for each case.
NEVER = (
    *("flops_per_step", "flops_per_second", "bytes_per_second", "ceiling_share", "peak_device_bytes"),
    *("peak_reserved_bytes", "peak_resident_bytes", "live_bytes_per_step", "data_wait_share"),
)


def rounded(value: float) -> float:
    """VALUE with nine digits: more than any source has, and the same on every machine."""
    return float(f"{value:.9g}")


def around(value: float, half_width: float | None) -> list | None:
    if half_width is None:
        return None
    low = value - half_width
    # What differences of decimals leave of 0 is 0. Otherwise, the rows per second would have no upper bound.
    return [rounded(low) if low > 1e-9 * value else 0.0, rounded(value + half_width)]


def of_device(value: object, device: str) -> object:
    """The value for DEVICE of a workload's value, which may differ between devices."""
    return value[device] if isinstance(value, dict) and device in value else value


def spec_of(workload: dict, case: dict) -> dict:
    mode, device, batch = case["mode"], case["device"], case["batch_size"]
    kept = "last-batch=keep" in of_device(workload["options"], device)
    return {
        "model": workload["model"],
        "mode": mode,
        "device": device,
        "batch_size": batch,
        "precision": "fp32",
        "engine": "eager",
        "dataset": workload["dataset"],
        "input": "device" if workload["dataset"] == "synthetic" else "host",
        "classes": workload.get("classes"),
        "dropout": workload.get("dropout"),
        "channels_last": False,
        "loss": workload["loss"],
        "optimizer": of_device(workload["optimizer"], device),
        "rows": workload.get("rows", {}).get(mode, batch),
        "seed": 0,
        "threads": 1,
        "workers": None,
        **({"last_batch": "keep"} if kept else {}),
        "weights": None,
        "epochs": workload.get("epochs"),
        "max_batches": None,
    }


def id_of(spec: dict, options: str) -> str:
    parts = [spec["model"], spec["mode"], spec["device"], f"b{spec['batch_size']}", spec["precision"], spec["engine"]]
    return "/".join([*parts, spec["dataset"]]) + (f"+{options}" if options else "")


def no_time() -> dict:
    return dict.fromkeys(TIME) | {"count": 0}


def step_time(case: dict) -> dict:
    """The published mean step time or, without one, the epoch's time divided by its steps."""
    time = no_time()
    if "step_milliseconds" in case:
        mean = case["step_milliseconds"] / 1e3
        half_width = case["reading_milliseconds"] / 1e3 if "reading_milliseconds" in case else None
        if "stddev_milliseconds" in case:  # computed with the number of runs, not with one less
            deviation = case["stddev_milliseconds"] / 1e3
            runs = case["count"]
            half_width = STUDENT_T[runs] * deviation / math.sqrt(runs - 1)
            time["stddev"] = rounded(deviation * math.sqrt(runs / (runs - 1)))
        time |= {"mean": rounded(mean), "ci95": around(mean, half_width), "count": case["count"]}
    elif "steps" in case:
        mean = case["epoch_seconds"] / case["steps"]
        time |= {
            "mean": rounded(mean),
            "ci95": around(mean, case["epoch_resolution_seconds"] / case["steps"]),
            "count": 1,
        }
    return time


def rate(rows: int, seconds: float, bounds: list | None, kind: str) -> dict:
    known = bounds is not None and bounds[0] > 0
    interval = [rounded(rows / bounds[1]), rounded(rows / bounds[0])] if known else None
    return {"value": rounded(rows / seconds), "ci95": interval, "kind": kind}


def rows_per_second(spec: dict, step: dict, epoch: dict) -> dict:
    """Those of the published epoch, whose last batch may have been smaller or left out, otherwise of the mean step."""
    if epoch["value"] is not None:
        dropped = spec["rows"] % spec["batch_size"] if is_dropped(spec) else 0
        return rate(spec["rows"] - dropped, epoch["value"], epoch["ci95"], "epochs")
    if step["mean"] is not None:
        return rate(spec["batch_size"], step["mean"], step["ci95"], "mean-step")
    return {"value": None, "ci95": None, "kind": "mean-step"}


def is_dropped(spec: dict) -> bool:
    """Whether an epoch leaves out the last rows, which do not fill a batch."""
    return spec["mode"] == "train" and "last_batch" not in spec


def metrics_of(workload: dict, case: dict, spec: dict) -> dict:
    step = step_time(case)
    seconds = case.get("epoch_seconds")
    trains = case["mode"] == "train"
    parameters = workload.get("parameters")
    trainable = workload.get("trainable_parameters", parameters) if trains else None
    epoch = {"value": None, "ci95": None, "kind": "measured"}
    if seconds is not None:
        epoch |= {"value": rounded(seconds), "ci95": around(seconds, case["epoch_resolution_seconds"])}
    rows = rows_per_second(spec, step, epoch)
    return {
        "step_seconds": step,
        "latency_seconds": no_time(),
        "rows_per_second": rows,
        "mean_rows_per_second": rows["value"],
        "epoch_seconds": epoch,
        "training_seconds": case.get("training_seconds"),
        "test_seconds": case.get("test_seconds"),
        "total_seconds": case.get("total_seconds"),
        "parameters": parameters,
        "trainable_parameters": trainable,
        **dict.fromkeys(NEVER),
        "training_accuracy": case.get("training_accuracy"),
        "validation_accuracy": case.get("validation_accuracy"),
        "test_accuracy": case.get("test_accuracy"),
        "energy_joules_per_row": None,
        "energy_method": "none",
    }


def notes_of(case: dict, metrics: dict) -> dict:
    """Why each null value is null, by the path of the value or of the object that contains it."""
    notes = {
        "spec": "threads and seed, and rows where there is no data set, were not published; their values mean nothing"
    }
    for key, value in metrics.items():
        time = value.get("mean", value.get("value")) if isinstance(value, dict) else value
        if time is None:
            notes[f"metrics.{key}"] = NOT_PUBLISHED
    step = metrics["step_seconds"]
    if step["mean"] is not None:
        notes["metrics.step_seconds"] = "not published but for the mean"
    if step["mean"] is not None and step["ci95"] is None:
        notes["metrics.step_seconds.ci95"] = NOT_PUBLISHED
    return notes | case.get("why", {})


def is_noisy(step: dict) -> bool:
    bounds = step["ci95"]
    return bounds is not None and (bounds[1] - bounds[0]) / 2 > NOISY_HALF_WIDTH * step["mean"]


def definition_of(workload: dict, case: dict) -> dict:
    return {"name": workload["model"], "published": workload["network"], "source": case["source"]}


def result_of(workload: dict, case: dict) -> dict:
    spec = spec_of(workload, case)
    metrics = metrics_of(workload, case, spec)
    cautions = case.get("cautions", [])
    flags = ["noisy"] if is_noisy(metrics["step_seconds"]) else []
    flags += [name for name in FLAGS_OF_CAUTIONS if name in cautions]
    return {
        "id": id_of(spec, of_device(workload["options"], spec["device"])),
        "definition_sha256": sha256_of(definition_of(workload, case)),
        "spec": spec,
        "status": "ok",
        "failure": None,
        "launches": [],
        "metrics": metrics,
        "flags": [*flags, "published"],
        "notes": notes_of(case, metrics),
        "published": {
            "source": case["source"],
            "url": case["url"],
            "cautions": cautions,
            "remark": case.get("remark", ""),
            "speed_up": case.get("speed_up"),
            "figures": case.get("figures", {}),
        },
    }


def sha256_of(definition: dict) -> str:
    text = json.dumps(definition, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def cases_of_run(run: dict, workload: dict) -> list[dict]:
    """The two cases, training and inference, of one output of rasbt's scripts."""
    cautions = run.get("cautions", [])
    rows, batch = workload["rows"], workload["batch_size"]
    right = {
        part: None if "invalid-accuracy" in cautions else rounded(percent / 100)
        for part, percent in run["accuracy_percent"].items()
    }
    train_only = run.get("train", {})
    shared = {
        "workload": run["workload"],
        "device": run["device"],
        "batch_size": batch,
        "source": f"rasbt/machine-learning-notes: {RASBT}{run['file']}",
        "url": RASBT_URL + urllib.parse.quote(run["file"]),
        "cautions": ["coarse-resolution", *cautions],
        "remark": run.get("remark", ""),
    }
    figures = {key: run[key] for key in ("epoch_minutes", "total_training_minutes", "total_minutes")}
    test_minutes = run["total_minutes"] - run["total_training_minutes"]
    why = {}
    if "invalid-accuracy" in cautions:
        fault = "not published: the 0.00 % that was printed is a fault of the evaluation"
        why = {f"metrics.{part}_accuracy": fault for part in ("training", "validation", "test")}
    train = {
        "mode": "train",
        "cautions": shared["cautions"] + train_only.get("cautions", []),
        "remark": train_only.get("remark", shared["remark"]),
        "epoch_seconds": run["epoch_minutes"] * MINUTE,
        "epoch_resolution_seconds": HALF_HUNDREDTH,
        "steps": rows["train"] // batch,
        "training_seconds": rounded(run["total_training_minutes"] * MINUTE),
        "test_seconds": rounded(test_minutes * MINUTE),
        "total_seconds": rounded(run["total_minutes"] * MINUTE),
        "training_accuracy": right["train"],
        "validation_accuracy": right["validation"],
        "test_accuracy": right["test"],
        "figures": figures,
        "why": why,
    }
    infer = {
        "mode": "infer",
        "epoch_seconds": test_minutes * MINUTE,
        "epoch_resolution_seconds": 2 * HALF_HUNDREDTH,
        "steps": -(-rows["infer"] // batch),
        "test_accuracy": right["test"],
        "why": {key: reason for key, reason in why.items() if key.endswith("test_accuracy")},
    }
    return [shared | train, shared | infer]
