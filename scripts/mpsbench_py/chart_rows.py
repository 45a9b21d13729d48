"""The chart of rows per second: one bar per case, one panel per mode, one colour per device."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from mpsbench_py import chart_sheet
from mpsbench_py.chart_scale import format_count, scale_linear, scale_log
from mpsbench_py.reports import MOST_SPREAD, Case, Report

BAR_INCHES = 0.24
GAP = 0.5  # between two groups, as a share of a bar
MOST_BARS = 34
PANEL_INCHES = 5.0
LABEL_INCHES = 1.6
# If the largest value is more than this many times the smallest, the axis is logarithmic, to show short bars.
LINEAR_RANGE = 20.0

MODES = ("train", "infer", "data")
CAPTION = (
    "Bars end at the rows per second of the mean step; the fastest of each group is on top. "
    f"Whiskers: the 95 % interval, drawn up to {MOST_SPREAD:g} times the value."
)

Group = tuple[str, int]  # model and batch size


def _rank(case: Case) -> tuple[int, float]:
    """The place of a case's bar in its group: by its speed in the first panel that has it. Failures come last."""
    return (MODES.index(case.mode), -case.rows.value) if case.rows else (len(MODES), 0.0)


def _groups(cases: list[Case]) -> dict[Group, list[str]]:
    """The series of each model and batch size, in any mode, fastest first. Each has its own place for a bar."""
    models = chart_sheet.in_order(case.model for case in cases)
    found: dict[Group, list[str]] = {}
    for case in sorted(cases, key=lambda case: (models.index(case.model), case.batch, *_rank(case))):
        found.setdefault((case.model, case.batch), []).append(case.series())
    return {group: chart_sheet.in_order(series) for group, series in found.items()}


def _split(groups: dict[Group, list[str]]) -> list[list[Group]]:
    """Splits the groups into pages with about the same number of bars."""
    bars = sum(len(series) for series in groups.values())
    count = -(-bars // MOST_BARS)
    parts: list[list[Group]] = [[]]
    used = 0
    for group, series in groups.items():
        if parts[-1] and used >= bars * len(parts) / count:
            parts.append([])
        parts[-1].append(group)
        used += len(series)
    return parts


def _places(part: list[Group], groups: dict[Group, list[str]]) -> dict[tuple[Group, str], float]:
    places = {}
    y = 0.0
    for group in part:
        for series in groups[group]:
            places[(group, series)] = y
            y += 1
        y += GAP
    return places


def _look(series: str, all_series: list[str]) -> dict:
    hatch = "/" * 3 * chart_sheet.round_of_palette(series, all_series)
    return {
        "facecolor": chart_sheet.colour(series, all_series),
        "edgecolor": "white",
        "hatch": hatch,
        "linewidth": 0,
    }


def _words(case: Case) -> str:
    """The text after a bar."""
    if case.rows is None:
        return chart_sheet.reason(case)
    return format_count(case.rows.value) + case.rows.words()


def _draw_panel(axes: Axes, cases: list[Case], start: float, places: dict, all_series: list[str]) -> None:
    for case in cases:
        y = places[((case.model, case.batch), case.series())]
        end = start
        if case.rows:
            look = _look(case.series(), all_series)
            axes.barh(y, case.rows.value - start, left=start, height=0.82, **look)
            reach = [[side] for side in case.rows.reach()]
            axes.errorbar(case.rows.value, y, xerr=reach, color="black", linewidth=1, capsize=2)
            end = case.rows.drawn()[1]
        style = {"fontsize": 8, "style": "normal" if case.rows else "italic"}
        axes.annotate(_words(case), (end, y), (4, 0), textcoords="offset points", va="center", **style)
    axes.grid(axis="y", visible=False)


def _draw_panels(panels: list[Axes], modes: list[str], cases: list[Case], places: dict, all_series: list[str]) -> None:
    """All panels have the same axis. It leaves a quarter of its length for the text after the longest bar."""
    measured = [case.rows for case in cases if case.rows]
    smallest = min((rows.drawn()[0] for rows in measured), default=1.0)
    largest = max((rows.drawn()[1] for rows in measured), default=1.0)
    logarithmic = largest > LINEAR_RANGE * smallest
    start = smallest / 3 if logarithmic else 0.0
    for axes, mode in zip(panels, modes, strict=True):
        _draw_panel(axes, [case for case in cases if case.mode == mode], start, places, all_series)
        if logarithmic:
            scale_log(axes.xaxis, start, largest * (largest / start) ** 0.35, format_count, most=6)
        else:
            scale_linear(axes.xaxis, 0.0, largest * 1.35, format_count)
        axes.set_title(mode, loc="left")
        axes.set_xlabel("rows per second" + (" (log scale)" if logarithmic else ""))
        axes.tick_params(axis="y", length=0)


def _label(axes: Axes, part: list[Group], groups: dict[Group, list[str]], places: dict) -> None:
    ys = [sum(places[(group, series)] for series in groups[group]) / len(groups[group]) for group in part]
    labels = [chart_sheet.wrap(f"{model} b{batch}", LABEL_INCHES) for model, batch in part]
    axes.set_yticks(ys, ["\n".join(lines if len(lines) < 3 else [lines[0], f"…{lines[-1]}"]) for lines in labels])
    axes.set_ylim(max(places.values()) + 0.8, min(places.values()) - 0.8)


def draw(reports: list[Report]) -> list[Figure]:
    cases = [case for report in reports for case in report.cases]
    all_series = chart_sheet.in_order(case.series() for case in cases)
    modes = [mode for mode in MODES if any(case.mode == mode for case in cases)]
    groups = _groups(cases)
    figures = []
    for part in _split(groups) if groups else []:
        shown = [case for case in cases if (case.model, case.batch) in part]
        places = _places(part, groups)
        body = 1.0 + BAR_INCHES * (max(places.values()) + 1.6)
        notes = [
            CAPTION,
            chart_sheet.means(shown),
            chart_sheet.failures(shown),
        ]
        width = LABEL_INCHES + PANEL_INCHES * len(modes)
        sheet = chart_sheet.Sheet("Rows per second", chart_sheet.origin(reports), notes, width, body)
        drawn = chart_sheet.in_order(case.series() for case in shown)
        sheet.legend([Patch(label=series, **_look(series, all_series)) for series in drawn])
        figure = sheet.figure()
        panels = figure.subplots(1, len(modes), sharey=True, squeeze=False)[0]
        _draw_panels(panels.tolist(), modes, shown, places, all_series)
        _label(panels[0], part, groups, places)
        figures.append(figure)
    return figures
