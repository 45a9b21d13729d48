"""What charts draw: the view of the page that `mpsbench export` makes of reports, with all figures, intervals and texts
(src/output/page/page_view.cpp).
"""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

MOST_SPREAD = 3.0  # an interval is drawn up to this many times its value, and down to this fraction


class ViewError(Exception):
    """There is nothing that can be drawn. The message is one line for the user."""


class ProgramError(Exception):
    """mpsbench refused the reports, and has said why."""

    def __init__(self, code: int):
        super().__init__(f"exit code {code}")
        self.code = code


@dataclass
class Figure:
    """A positive number with its 95 % interval, if that is known, and what tables write."""

    value: float
    low: float | None
    high: float | None
    text: str  # "4,078"
    interval: str  # "±2.0 % (epochs)"

    def words(self) -> str:
        return f"{self.text} {self.interval}".strip()

    def drawn(self) -> tuple[float, float]:
        """The interval, limited so that it neither squeezes everything else on the axis nor reaches 0 on a log axis."""
        low, high = (self.value, self.value) if self.low is None else (self.low, self.high)
        return max(low, self.value / MOST_SPREAD), min(high, self.value * MOST_SPREAD)

    def reach(self) -> tuple[float, float]:
        """How far the drawn interval extends below and above the value."""
        low, high = self.drawn()
        return max(0.0, self.value - low), max(0.0, high - self.value)


@dataclass
class Launch:
    name: str
    end: str  # what ended it: "max-noise", "crashed"
    count: int  # of all its samples
    samples: list[float]  # thinned: the smallest and the largest of each stretch
    warmup: list[float]
    median: float | None


@dataclass
class Case:
    model: str
    mode: str
    batch: int
    ranks: int
    name: str  # "vgg16 train, batch 8, bf16"
    series: str  # what distinguishes cases of the same model, mode and batch size: "NVIDIA H200 · bf16"
    remarks: str  # why it has no figures, and its flags
    step: Figure | None
    rate: Figure | None
    speed: str  # what the rate counts: "rows per second"
    launches: list[Launch]
    one: int | None  # the place of the case that does the same work in one process

    def why(self) -> str:
        """Why it has no figures."""
        return self.remarks or "no figure"


@dataclass
class View:
    title: str
    subtitle: str
    cases: list[Case]


def _launches(details: dict) -> list[Launch]:
    medians = (details["distribution"] or {}).get("medians", [None] * len(details["launches"]))
    return [
        Launch(
            one["name"],
            one["cells"][-1],
            one["samples"]["count"],
            one["samples"]["values"],
            one["warmup"]["values"],
            median,
        )
        for one, median in zip(details["launches"], medians, strict=True)
    ]


def _case(data: dict, machines: list[str], modes: dict[str, dict]) -> Case:
    figures = {key: Figure(*figure) for key, figure in data["f"].items()}
    speed = modes[data["mode"]]["speed"]
    return Case(
        data["model"],
        data["mode"],
        data["batch"],
        data["ranks"],
        f"{data['model']} {data['mode']}, {data['name']}",
        " · ".join(part for part in (machines[data["m"]], data["series"]) if part),
        data["remarks"],
        figures.get("step_seconds"),
        figures.get(speed),
        speed.replace("_", " "),
        _launches(data["details"]),
        data.get("one"),
    )


def of_page(page: str) -> View:
    data = json.loads(re.search(r'id="view">(.*?)</script>', page, re.DOTALL)[1])
    cases = [_case(case, data["machines"], data["modes"]) for case in data["cases"]]
    return View(data["title"], data["subtitle"], cases)


def load(program: str, reports: list[Path]) -> View:
    command = [program, "export", *map(str, reports), "--format", "html"]
    try:
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE)
    except (FileNotFoundError, PermissionError) as error:
        raise ViewError(
            f"no program '{program}': build it with scripts/mpsbench, or name it with --mpsbench PATH"
        ) from error
    if done.returncode != 0:
        raise ProgramError(done.returncode)
    return of_page(done.stdout.decode("utf-8"))
