"""Charts with lines in panels: step time against batch size, a panel per model, and rows or tokens per second against
the number of processes, a panel per model and mode.
"""

from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullLocator

from mpsbench_py import chart_sheet
from mpsbench_py.chart_scale import format_count, format_seconds, scale_log
from mpsbench_py.chart_view import MOST_SPREAD, Case, Figure, View

PANEL_INCHES = (4.2, 3.0)
MOST_PANELS = 12
MOST_LABELS = 8

WHISKERS = f"Error bars: 95 % intervals, drawn up to {MOST_SPREAD:g} times the value."

Points = dict[int, Figure]  # by batch size or number of processes


@dataclass
class Line:
    series: str
    points: Points
    mode: str = "train"
    has_ideal: bool = False

    def label(self, of_modes: bool) -> str:
        return f"{self.mode} · {self.series}" if of_modes else self.series

    def look(self, all_series: list[str]) -> dict:
        return {
            "color": chart_sheet.colour(self.series, all_series),
            "marker": chart_sheet.marker(self.series, all_series),
            "linestyle": {"train": "-", "infer": "--"}.get(self.mode, ":"),
            "markerfacecolor": None if self.mode == "train" else "white",
        }


Panels = dict[str, list[Line]]  # by title


def _draw_panel(axes: Axes, title: str, lines: list[Line], all_series: list[str], formatter: Callable) -> None:
    ends = []
    for line in lines:
        places = sorted(line.points)
        figures = [line.points[place] for place in places]
        look = line.look(all_series) | {"markersize": 5, "linewidth": 1.5, "capsize": 3}
        reach = list(zip(*(figure.reach() for figure in figures), strict=True))
        axes.errorbar(places, [figure.value for figure in figures], yerr=reach, **look)
        ends += [end for figure in figures for end in figure.drawn()]
        if line.has_ideal:
            ideal = [figures[0].value, figures[0].value * places[-1] / places[0]]
            axes.plot([places[0], places[-1]], ideal, color=look["color"], linestyle=":", linewidth=1)
            ends += ideal
    places = sorted({place for line in lines for place in line.points})
    axes.set_xscale("log", base=2)
    axes.set_xlim(places[0] / 1.3, places[-1] * 1.3)
    axes.xaxis.set_major_locator(FixedLocator(places[:: -(-len(places) // MOST_LABELS)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0f}")
    scale_log(axes.yaxis, min(ends) / 1.2, max(ends) * 1.2, formatter)
    axes.set_title(title, loc="left")


def _draw(
    view: View, panels: Panels, title: str, notes: Callable, axis_titles: tuple[str, str], formatter: Callable
) -> list[chart_sheet.Figure]:
    all_series = chart_sheet.in_order(line.series for lines in panels.values() for line in lines)
    of_modes = any(line.mode != "train" for lines in panels.values() for line in lines)

    def sheet_of(part: list[str], width: float, rows: int) -> chart_sheet.Sheet:
        sheet = chart_sheet.Sheet(title, view.subtitle, notes(part), width, rows * PANEL_INCHES[1])
        shown = {line.label(of_modes): line for name in part for line in panels[name]}
        sheet.legend([Line2D([], [], label=label, **line.look(all_series)) for label, line in shown.items()])
        return sheet

    figures = []
    for figure, part, axes_of_part in chart_sheet.panelled(list(panels), MOST_PANELS, PANEL_INCHES, sheet_of):
        for axes, name in zip(axes_of_part, part, strict=True):
            _draw_panel(axes, name, panels[name], all_series, formatter)
            axes.set_xlabel(axis_titles[0])
            axes.set_ylabel(axis_titles[1])
        figures.append(figure)
    return figures


def _time_lines(cases: list[Case]) -> list[Line]:
    lines: dict[tuple[str, str], Line] = {}
    for case in cases:
        if case.step:
            line = lines.setdefault((case.series, case.mode), Line(case.series, {}, case.mode))
            line.points[case.batch] = case.step
    return list(lines.values())


def draw_times(view: View) -> list[chart_sheet.Figure]:
    """The figures. None if no model was measured at two batch sizes."""
    panels = {}
    for model in chart_sheet.in_order(case.model for case in view.cases):
        lines = _time_lines([case for case in view.cases if case.model == model])
        if any(len(line.points) > 1 for line in lines):
            panels[model] = lines
    return _draw(
        view,
        panels,
        f"Step time against batch size: {view.title}",
        lambda part: [WHISKERS, chart_sheet.failures([case for case in view.cases if case.model in part])],
        ("batch size (rows)", "time per step"),
        format_seconds,
    )


def draw_scaling(view: View) -> list[chart_sheet.Figure]:
    """The figures. None if no work was measured in one process and in several."""
    panels: dict[str, dict[str, dict[int, Line]]] = {}  # by unit and title
    for case in view.cases:
        one = view.cases[case.one] if case.one is not None else None
        if one is None or not one.rate or not case.rate:
            continue
        lines = panels.setdefault(case.speed, {}).setdefault(f"{case.model}, {case.mode}", {})
        line = lines.setdefault(case.one, Line(f"{one.series} · batch {one.batch}", {1: one.rate}, has_ideal=True))
        line.points[case.ranks] = case.rate
    return [
        figure
        for speed, titled in panels.items()
        for figure in _draw(
            view,
            {title: list(lines.values()) for title, lines in titled.items()},
            f"{speed.capitalize()} against the number of GPUs or processes: {view.title}",
            lambda part, speed=speed: [f"Dotted: N times the {speed} of one process. {WHISKERS}"],
            ("GPUs or processes", speed),
            format_count,
        )
    ]
