"""Reads report files for the charts: a list of cases for each report. Each case names the report that it is from."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from mpsbench_py import words

SCHEMA_VERSION = 1

MOST_SPREAD = 3.0  # an interval is drawn up to this many times its value, and down to this fraction

FAILURES = {
    "oom": "out of memory",
    "timeout": "timed out",
    "crashed": "crashed",
    "unsupported": "unsupported here",
    "failed": "failed",
    "skipped": "skipped",
    "interrupted": "interrupted",
}


# Cautions about published figures that are not of the work that they stand for, as in src/schema/published.cpp.
OTHER_WORK = {"mislabelled-workload", "older-script-variant", "tf32-by-default"}


# What follows a figure by the kind of rows_per_second, as in src/output/text/columns.cpp.
MARKS = {"median-step": "", "mean-step": " (mean)", "epochs": " (epochs)", "loop": " (loop)"}


class ReportError(Exception):
    """The file is not a report that can be read. The message is one line for the user."""


@dataclass
class Estimate:
    """A positive number with its 95 % interval, which may be unknown or wider than any axis."""

    value: float
    interval: tuple[float, float] | None
    mark: str = ""  # " (mean)", " (epochs)" or " (loop)" if it is not of the median step

    def words(self) -> str:
        """For example "±1.2 %" or "±? (mean)"."""
        return words.interval(self.value, self.interval) + self.mark

    def drawn(self) -> tuple[float, float]:
        """The interval, limited so that it neither squeezes everything else on the axis nor reaches 0 on a log axis."""
        low, high = self.interval or (self.value, self.value)
        return max(low, self.value / MOST_SPREAD), min(high, self.value * MOST_SPREAD)

    def reach(self) -> tuple[float, float]:
        """How far the drawn interval extends below and above the value."""
        low, high = self.drawn()
        return self.value - low, high - self.value


@dataclass
class Launch:
    status: str
    first_step: float | None
    warmup: list[float]
    samples: list[float]
    steps_per_sample: int


@dataclass
class Scaling:
    """The processes that run a case together, as in src/report/metrics/scaling.hpp."""

    ranks: int
    strong: bool
    work: str  # equal for cases that do the same work in one process or several, apart from threads
    threads: int | None
    threads_given: bool

    def fits(self, one: "Scaling") -> bool:
        """Whether ONE is the same work in one process."""
        threads_fit = self.threads == one.threads or not (self.threads_given or one.threads_given)
        return one.ranks == 1 and self.ranks > 1 and self.work == one.work and threads_fit


@dataclass
class Case:
    id: str
    model: str
    mode: str
    device: str
    batch: int
    variant: str  # everything else that is not the default, such as "bf16 channels-last=true"
    status: str
    step: Estimate | None  # the median or, of published figures, the mean; none if they are of other work
    rate: Estimate | None  # the report's rows_per_second; none if STEP is
    flags: list[str]
    notes: dict[str, str]  # why a figure is not known, by its path
    epoch_seconds: float | None  # if it was measured
    launches: list[Launch]
    scaling: "Scaling"
    published: dict | None  # where the figures are from, if others measured them
    source: str = ""  # names the report; empty if there is only one

    def series(self) -> str:
        """The name that distinguishes cases of the same model, mode and batch size."""
        return " · ".join(part for part in (self.device, self.variant, self.source) if part)


def reason(case: Case) -> str:
    """Why CASE has no time."""
    if case.published:
        return "other work" if is_other_work(case.published) else "not published"
    return FAILURES.get(case.status, case.status)


@dataclass
class Report:
    path: Path
    host: str
    cpu: str  # empty if unknown, as the other texts
    libtorch: str
    tool: str  # name and version
    accelerators: dict[str, str]  # name of each device
    started_at: str
    cases: list[Case] = field(default_factory=list)

    def is_published(self) -> bool:
        return any(case.published for case in self.cases)


def _variant(case_id: str) -> str:
    """The parts of an id after the batch size that are not the default."""
    fixed, *options = case_id.split("+")
    defaults = ("fp32", "eager", "synthetic")
    changed = [part for part, default in zip(fixed.split("/")[-3:], defaults, strict=True) if part != default]
    return " ".join(changed + options)


def _launch(data: dict) -> Launch:
    return Launch(
        data["status"],
        data["first_step_seconds"],
        data["warmup_samples_seconds"],
        data["samples_seconds"],
        data["steps_per_sample"],
    )


def is_other_work(published: dict) -> bool:
    return not OTHER_WORK.isdisjoint(published["cautions"])


def _step(times: dict, published: dict | None) -> Estimate | None:
    value = times["median" if published is None else "mean"]
    if value is None or (published and is_other_work(published)):
        return None
    return Estimate(value, times["ci95"] and tuple(times["ci95"]), MARKS["mean-step"] if published else "")


def _rate(rows: dict) -> Estimate | None:
    return (
        Estimate(rows["value"], rows["ci95"] and tuple(rows["ci95"]), MARKS[rows.get("kind", "median-step")])
        if rows["value"]
        else None
    )


def _scaling(data: dict) -> Scaling:
    spec = dict(data["spec"])
    ranks = spec.pop("ranks", 1)
    strong = spec.pop("scaling", "weak") == "strong"
    threads = spec.pop("threads", None)
    spec.pop("bucket_bytes", None)
    if strong:
        spec["batch_size"] *= ranks
    work = json.dumps([data["definition_sha256"], spec], sort_keys=True)
    return Scaling(ranks, strong, work, threads, "+threads=" in data["id"])


def _case(data: dict) -> Case:
    spec = data["spec"]
    published = data.get("published")
    epoch = data["metrics"]["epoch_seconds"]
    step = _step(data["metrics"]["step_seconds"], published)
    return Case(
        data["id"],
        spec["model"],
        spec["mode"],
        spec["device"],
        spec["batch_size"],
        _variant(data["id"]),
        data["status"],
        step,
        _rate(data["metrics"]["rows_per_second"]) if step else None,
        data["flags"],
        data["notes"],
        epoch["value"] if epoch["kind"] == "measured" else None,
        [_launch(launch) for launch in data["launches"]],
        _scaling(data),
        published,
    )


def load(path: Path) -> Report:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ReportError(f"{path}: not JSON: {error}") from error
    if not isinstance(data, dict) or "schema_version" not in data:
        raise ReportError(f"{path}: not an mpsbench report: no schema_version")
    if data["schema_version"] != SCHEMA_VERSION:
        version = data["schema_version"]
        raise ReportError(f"{path}: schema_version is {version}, but this script reads only {SCHEMA_VERSION}")
    try:
        libtorch = data["host"]["libtorch"]
        return Report(
            path,
            data["host"]["name"],
            data["host"]["cpu"]["model"],
            libtorch["version"] if libtorch else "",
            f"{data['tool']['name']} {data['tool']['version']}",
            {one["device"]: one["name"] for one in data["host"]["accelerators"]},
            data["run"]["started_at"],
            [_case(case) for case in data["cases"]],
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        fault = f"no key {error}" if isinstance(error, KeyError) else str(error)
        raise ReportError(f"{path}: not an mpsbench report: {fault}") from error


def load_all(paths: list[Path]) -> list[Report]:
    """Reads all reports. If there are several, sets each case's source: the host's name or, if hosts are the same, the
    host with the date or LibTorch's version, or the file's name.
    """
    reports = [load(path) for path in paths]
    if len(reports) < 2:
        return reports
    labels = [[report.host for report in reports]]
    labels.append([f"{report.host} {report.started_at[:10]}" for report in reports])
    labels.append([f"{report.host} {report.libtorch}" for report in reports])
    labels.append([report.path.stem for report in reports])
    chosen = next((names for names in labels if len(set(names)) == len(names)), None)
    chosen = chosen or [f"{number + 1}: {name}" for number, name in enumerate(labels[-1])]
    for report, source in zip(reports, chosen, strict=True):
        for case in report.cases:
            case.source = source
    return reports
