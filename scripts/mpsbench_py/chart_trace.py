"""The chart of step times in the order measured: one panel per case, launches side by side, warm-up shaded."""

import statistics

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from mpsbench_py import chart_sheet
from mpsbench_py.chart_scale import format_seconds, scale_linear
from mpsbench_py.chart_view import Case, Launch, View

PANEL_INCHES = (4.4, 2.2)
MOST_PANELS = 15
# All launches have the same width. Warm-up gets its true share of it, but within these bounds, so that it is visible.
WARMUP_WIDTH = (0.12, 0.4)
# With more launches than this, labels show only the number of the launch, without its count of windows.
MOST_LAUNCH_LABELS = 4
WARMUP_SHADE = "#E8E8E8"
SAMPLE = chart_sheet.PALETTE[0]
MEDIAN = chart_sheet.PALETTE[1]


def _limits(launches: list[Launch]) -> tuple[float, float]:
    """The axis' limits. Nearly all samples fit; the few slowest do not, so that they do not flatten the others."""
    samples = sorted(sample for launch in launches for sample in launch.samples)
    middle = statistics.median(samples)
    high = max(samples[int(0.99 * (len(samples) - 1))], 1.1 * middle)
    low = min(samples[0], 0.9 * middle)
    return low - 0.15 * (high - low), high + 0.2 * (high - low)


def _draw_values(axes: Axes, start: float, end: float, values: list[float], colour: str, top: float) -> None:
    """Draws VALUES evenly from START to END. Values above TOP become triangles at the edge."""
    width = (end - start) / len(values)
    places = [start + (number + 0.5) * width for number in range(len(values))]
    axes.plot(places, values, color=colour, linewidth=0.8, marker=".", markersize=4 if len(values) < 60 else 1)
    above = [place for place, value in zip(places, values, strict=True) if value > top]
    if above:
        thinned = above[:: -(-len(above) // 12)]
        axes.plot(thinned, [top] * len(thinned), color=colour, linestyle="none", marker="^", markersize=4)


def _draw_launch(axes: Axes, left: int, launch: Launch, top: float) -> None:
    warmup = launch.warmup
    windows = len(warmup) + len(launch.samples)
    if not windows:
        axes.text(left + 0.5, 0.5, launch.end, transform=axes.get_xaxis_transform(), rotation=90, **_CENTRED)
        return
    split = float(left)
    if warmup:
        low, high = WARMUP_WIDTH
        split = left + min(max(len(warmup) / windows, low), high)
        axes.axvspan(left, split, color=WARMUP_SHADE, linewidth=0)
        _draw_values(axes, left, split, warmup, chart_sheet.GREY, top)
    if launch.samples:
        _draw_values(axes, split, left + 1, launch.samples, SAMPLE, top)
        axes.plot([split, left + 1], [launch.median, launch.median], color=MEDIAN, linewidth=1.5)


_CENTRED = {"ha": "center", "va": "center", "fontsize": 8, "style": "italic", "color": chart_sheet.GREY}


def _label_launches(axes: Axes, launches: list[Launch]) -> None:
    count = len(launches)
    shown = range(0, count, -(-count // 12))
    labels = [launches[number].name for number in shown]
    if count <= MOST_LAUNCH_LABELS:
        labels = [f"launch {launches[number].name}\n{launches[number].count} windows" for number in shown]
    axes.set_xticks([number + 0.5 for number in shown], labels, fontsize=8)
    axes.tick_params(axis="x", length=0)
    if count > MOST_LAUNCH_LABELS:
        axes.set_xlabel("launch")


def _draw_panel(axes: Axes, case: Case) -> None:
    low, high = _limits(case.launches)
    axes.set_xlim(0, len(case.launches))
    for number, launch in enumerate(case.launches):
        _draw_launch(axes, number, launch, high - 0.03 * (high - low))
        if number:
            axes.axvline(number, color="black", linewidth=0.8, linestyle=":")
    scale_linear(axes.yaxis, low, high, format_seconds, most=4)
    axes.grid(axis="x", visible=False)
    _label_launches(axes, case.launches)


def _heading(case: Case) -> str:
    """The case's name and its results, in two or more lines."""
    lines = []
    for text in (f"{case.name} · {case.series}", f"{case.step.words() if case.step else ''} {case.remarks}"):
        lines += chart_sheet.wrap(text, PANEL_INCHES[0] - 0.9)
    return "\n".join(lines)


def _handles() -> list:
    return [
        Line2D([], [], color=SAMPLE, marker=".", label="step time"),
        Line2D([], [], color=MEDIAN, linewidth=1.5, label="median of the launch"),
        Patch(facecolor=WARMUP_SHADE, label="warm-up (not to scale)"),
        Line2D([], [], color=chart_sheet.GREY, linestyle="none", marker="^", label="above the end of the axis"),
    ]


def draw(view: View) -> list[Figure]:
    traced = [case for case in view.cases if any(launch.samples for launch in case.launches)]
    notes = [
        "Time axes do not start at 0. Of many windows, the smallest and the largest of each stretch are drawn.",
        chart_sheet.failures(view.cases),
    ]

    def sheet_of(part: list[Case], width: float, rows: int) -> chart_sheet.Sheet:
        lines = max(_heading(case).count("\n") + 1 for case in part)
        body = rows * (PANEL_INCHES[1] + 0.16 * lines)
        sheet = chart_sheet.Sheet(f"Step times in the order measured: {view.title}", view.subtitle, notes, width, body)
        sheet.legend(_handles())
        return sheet

    figures = []
    for figure, part, axes_of_part in chart_sheet.panelled(traced, MOST_PANELS, PANEL_INCHES, sheet_of):
        for axes, case in zip(axes_of_part, part, strict=True):
            _draw_panel(axes, case)
            axes.set_title(_heading(case), loc="left", fontsize=chart_sheet.TEXT_POINTS)
        for axes in axes_of_part[:: chart_sheet.MOST_COLUMNS]:
            axes.set_ylabel("step")
        figures.append(figure)
    return figures
