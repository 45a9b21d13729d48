"""Puts the figures of many reports together by their work, so that a machine stands beside the others."""

import re
from dataclasses import dataclass
from pathlib import Path

from mpsbench_py import reports, words
from mpsbench_py.reports import Case, Estimate, Report

LISTED = re.compile(r"^- `([\w.-]+\.json)` \(", re.MULTILINE)
# Options that do not change what is computed for a row.
SAME_WORK = ("epochs", "last-batch", "rows", "threads", "workers")
DATA_SETS = {"cifar10": "CIFAR-10", "mnist": "MNIST", "trec": "TREC", "synthetic": "synthetic data"}
MODES = {"train": "training", "infer": "inference", "data": "input pipeline alone"}


@dataclass
class Entry:
    """A case on its machine."""

    machine: str  # the chip's name: the host's name says nothing to others
    case: Case
    report: Report
    number: int  # of the case in its report

    def unit(self) -> str:
        return "CPU" if self.case.device == "cpu" else "GPU"

    def place(self) -> tuple[str, str]:
        return self.machine, self.unit()

    def cautions(self) -> list[str]:
        return self.case.published["cautions"] if self.case.published else []

    def rows(self) -> Estimate | None:
        return self.case.rate

    def ways(self) -> str:
        """How it was run: "batch 32, fp32, workers=8"."""
        case_id, *options = self.case.id.split("+")
        *_, precision, engine, _ = case_id.split("/")
        kept = [one for one in options if one.startswith(("last-batch", "threads", "workers"))]
        ways = [f"batch {self.case.batch}", precision, *([engine] if engine != "eager" else []), *kept]
        return ", ".join(ways)

    def other_figure(self) -> str:
        """What is known besides the rows per second, or why these are not known."""
        published = self.case.published or {}
        if self.case.epoch_seconds:
            return f"{words.duration(self.case.epoch_seconds)} an epoch"
        if published.get("speed_up"):
            return f"{published['speed_up']:g}× its CPU"
        return "" if self.case.step else self.case.notes.get("metrics.step_seconds", reports.reason(self.case))


@dataclass
class Work:
    """Entries that compute the same for each row, the fastest first; those that cannot be compared come last."""

    title: str  # "resnet50, training, synthetic data"
    options: str  # "optimizer=adam:lr=0.0005"
    entries: list[Entry]

    def fastest(self) -> float | None:
        rates = [entry.rows().value for entry in self.entries if entry.rows()]
        return max(rates, default=None)


def machine_of(report: Report, device: str) -> str:
    if device == "cpu":
        return report.cpu or f"CPU beside {report.host}"
    return report.accelerators.get(device, report.host)


def work_of(case: Case) -> tuple[str, str, str, str]:
    """Model, mode, data set, and the options that change the work."""
    case_id, *options = case.id.split("+")
    changes = [one for one in options if one.partition("=")[0] not in SAME_WORK]
    return case.model, case.mode, case_id.split("/")[-1], "+".join(changes)


def _in_order(entry: Entry) -> tuple:
    other = bool(entry.case.published) and reports.is_other_work(entry.case.published)
    return other, entry.rows() is None, -entry.rows().value if entry.rows() else 0.0, entry.machine


def works_of(loaded: list[Report]) -> list[Work]:
    """All cases by their work: the works of most machines first."""
    found: dict[tuple, list[Entry]] = {}
    for report in loaded:
        for number, case in enumerate(report.cases, 1):
            entry = Entry(machine_of(report, case.device), case, report, number)
            found.setdefault(work_of(case), []).append(entry)
    works: list[Work] = []
    for (model, mode, data_set, options), entries in found.items():
        title = f"{model}, {MODES[mode]}, {DATA_SETS.get(data_set, data_set)}"
        if len(batches := {entry.case.batch for entry in entries}) == 1:
            title += f", batch {batches.pop()}"
        if "freeze-backbone=true" in options:
            title += ", only the last layer"
        if any(work.title == title for work in works):
            title += f", {options}"
        works.append(Work(title, options.replace("+", " "), sorted(entries, key=_in_order)))
    return sorted(works, key=lambda work: (-len({entry.place() for entry in work.entries}), work.title, work.options))


def report_files(results: Path) -> list[Path]:
    """The reports that results/README.md lists, and the published ones. A user's own reports are in the folder, too."""
    own = LISTED.findall((results / "README.md").read_text(encoding="utf-8"))
    return [results / name for name in own] + sorted((results / "published").glob("*.json"))


def cautions_of(results: Path) -> dict[str, str]:
    """The meaning of each caution about a published figure."""
    _, _, table = (results / "published" / "README.md").read_text(encoding="utf-8").partition("<!-- cautions -->")
    return dict(re.findall(r"^\| `([\w-]+)` \| (.*) \|$", table, re.MULTILINE))
