"""The chart of rows per second against the number of processes: one panel per model and mode, with the ideal lines."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullLocator

from mpsbench_py import chart_sheet
from mpsbench_py.chart_scale import format_count, scale_log
from mpsbench_py.reports import MOST_SPREAD, Case, Report

PANEL_INCHES = (4.2, 3.0)
MOST_COLUMNS = 3
MOST_PANELS = 12

CAPTION = (
    "Dotted: N times the rows per second of one process. "
    f"Error bars: 95 % intervals, drawn up to {MOST_SPREAD:g} times the value."
)

Line = dict[int, Case]  # by the number of processes


def _name(one: Case, several: Case) -> str:
    return f"{one.series()} · batch {one.batch}{' (strong)' if several.scaling.strong else ''}"


def _panels(reports: list[Report]) -> dict[str, dict[str, Line]]:
    """The lines by model and mode, and by series. Each has one process and several."""
    panels: dict[str, dict[str, Line]] = {}
    for report in reports:
        measured = [case for case in report.cases if case.rate]
        for case in measured:
            fitting = [one for one in measured if case.scaling.fits(one.scaling)]
            if not fitting:
                continue
            one = next((one for one in fitting if one.scaling.threads == case.scaling.threads), fitting[0])
            lines = panels.setdefault(f"{case.model}, {case.mode}", {})
            line = lines.setdefault(_name(one, case), {1: one})
            line[case.scaling.ranks] = case
    return panels


def _draw_panel(axes: Axes, title: str, lines: dict[str, Line], all_series: list[str]) -> None:
    lows, highs = [], []
    for series, line in lines.items():
        counts = sorted(line)
        rates = [line[count].rate for count in counts]
        look = {"color": chart_sheet.colour(series, all_series), "marker": chart_sheet.marker(series, all_series)}
        look |= {"markersize": 5, "linewidth": 1.5, "capsize": 3}
        reach = list(zip(*(rate.reach() for rate in rates), strict=True))
        axes.errorbar(counts, [rate.value for rate in rates], yerr=reach, **look)
        ideal = [rates[0].value, rates[0].value * counts[-1]]
        axes.plot([1, counts[-1]], ideal, color=look["color"], linestyle=":", linewidth=1)
        lows += [rate.drawn()[0] for rate in rates]
        highs += [rate.drawn()[1] for rate in rates] + ideal
    counts = sorted({count for line in lines.values() for count in line})
    axes.set_xscale("log", base=2)
    axes.set_xlim(1 / 1.3, counts[-1] * 1.3)
    axes.xaxis.set_major_locator(FixedLocator(counts))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0f}")
    scale_log(axes.yaxis, min(lows) / 1.2, max(highs) * 1.2, format_count)
    axes.set_title(title, loc="left")


def draw(reports: list[Report]) -> list[Figure]:
    """The figures. None if no work was measured in one process and in several."""
    panels = _panels(reports)
    all_series = chart_sheet.in_order(series for lines in panels.values() for series in lines)
    figures = []
    for part in chart_sheet.pages(list(panels), MOST_PANELS) if panels else []:
        columns = min(MOST_COLUMNS, len(part))
        rows = -(-len(part) // columns)
        title = "Rows per second against the number of GPUs or processes"
        width = max(6.5, columns * PANEL_INCHES[0])
        sheet = chart_sheet.Sheet(title, chart_sheet.origin(reports), [CAPTION], width, rows * PANEL_INCHES[1])
        shown = chart_sheet.in_order(series for name in part for series in panels[name])
        looks = [(chart_sheet.colour(one, all_series), chart_sheet.marker(one, all_series)) for one in shown]
        sheet.legend([Line2D([], [], color=c, marker=m, label=one) for one, (c, m) in zip(shown, looks, strict=True)])
        figure = sheet.figure()
        for axes, name in zip(chart_sheet.grid(figure, len(part), columns), part, strict=True):
            _draw_panel(axes, name, panels[name], all_series)
            axes.set_ylabel("rows per second")
            axes.set_xlabel("GPUs or processes")
        figures.append(figure)
    return figures
