"""The chart of step time against batch size: one panel per model, one line per mode and device."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullLocator

from mpsbench_py import chart_sheet
from mpsbench_py.chart_scale import format_seconds, scale_log
from mpsbench_py.reports import MOST_SPREAD, Case, Report

PANEL_INCHES = (4.2, 3.0)
MOST_COLUMNS = 3
MOST_PANELS = 12
MOST_BATCH_LABELS = 8

CAPTION = f"Error bars: 95 % interval of the median over launches, drawn up to {MOST_SPREAD:g} times the median."


def _line_style(mode: str) -> dict:
    return {
        "linestyle": {"train": "-", "infer": "--"}.get(mode, ":"),
        "markerfacecolor": None if mode == "train" else "white",
    }


def _lines(cases: list[Case]) -> dict[tuple[str, str], list[Case]]:
    """The cases that have a result, grouped by (series, mode) and sorted by batch size."""
    lines: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        if case.step:
            lines.setdefault((case.series(), case.mode), []).append(case)
    return {key: sorted(line, key=lambda case: case.batch) for key, line in lines.items()}


def _models_with_a_line(cases: list[Case]) -> list[str]:
    found = []
    for model in chart_sheet.in_order(case.model for case in cases):
        lines = _lines([case for case in cases if case.model == model])
        if any(len({case.batch for case in line}) > 1 for line in lines.values()):
            found.append(model)
    return found


def _draw_panel(axes: Axes, model: str, cases: list[Case], all_series: list[str]) -> None:
    for (series, mode), line in _lines(cases).items():
        values = [case.step.value for case in line]
        reach = list(zip(*(case.step.reach() for case in line), strict=True))
        look = {
            "color": chart_sheet.colour(series, all_series),
            "marker": chart_sheet.marker(series, all_series),
        }
        batches = [case.batch for case in line]
        look |= {"markersize": 5, "linewidth": 1.5, "capsize": 3}
        axes.errorbar(batches, values, yerr=reach, **look, **_line_style(mode))
    measured = [case for case in cases if case.step]
    batches = sorted({case.batch for case in measured})
    axes.set_xscale("log", base=2)
    axes.set_xlim(batches[0] / 1.3, batches[-1] * 1.3)
    labelled = batches[:: -(-len(batches) // MOST_BATCH_LABELS)]
    axes.xaxis.set_major_locator(FixedLocator(labelled))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0f}")
    low, high = min(case.step.drawn()[0] for case in measured), max(case.step.drawn()[1] for case in measured)
    scale_log(axes.yaxis, low / 1.2, high * 1.2, format_seconds)
    axes.set_title(model, loc="left")


def _handles(cases: list[Case], all_series: list[str]) -> list[Line2D]:
    handles = []
    for series, mode in _lines(cases):
        marker = chart_sheet.marker(series, all_series)
        colour = chart_sheet.colour(series, all_series)
        label = f"{mode} · {series}"
        handles.append(Line2D([], [], color=colour, marker=marker, label=label, **_line_style(mode)))
    return handles


def draw(reports: list[Report]) -> list[Figure]:
    """The figures. None if no model was measured at two batch sizes."""
    cases = [case for report in reports for case in report.cases]
    all_series = chart_sheet.in_order(case.series() for case in cases)
    models = _models_with_a_line(cases)
    figures = []
    for part in chart_sheet.pages(models, MOST_PANELS) if models else []:
        columns = min(MOST_COLUMNS, len(part))
        rows = -(-len(part) // columns)
        shown = [case for case in cases if case.model in part]
        notes = [
            CAPTION,
            chart_sheet.means(shown),
            chart_sheet.failures(shown),
        ]
        width = max(6.5, columns * PANEL_INCHES[0])
        sheet = chart_sheet.Sheet(
            "Step time against batch size",
            chart_sheet.origin(reports),
            notes,
            width,
            rows * PANEL_INCHES[1],
        )
        sheet.legend(_handles(shown, all_series))
        figure = sheet.figure()
        for number, (axes, model) in enumerate(zip(chart_sheet.grid(figure, len(part), columns), part, strict=True)):
            _draw_panel(axes, model, [case for case in shown if case.model == model], all_series)
            if number % columns == 0:
                axes.set_ylabel("time per step")
            if number + columns >= len(part):
                axes.set_xlabel("batch size (rows)")
        figures.append(figure)
    return figures
