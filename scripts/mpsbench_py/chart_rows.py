"""The charts of rows and of tokens per second: one dot per case, one panel per mode, one colour and marker per machine
and series.
"""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mpsbench_py import chart_sheet
from mpsbench_py.chart_scale import format_count, scale_linear, scale_log
from mpsbench_py.chart_view import MOST_SPREAD, Case, View

ROW_INCHES = 0.22
GAP = 0.6  # between two groups, as a share of a row
MOST_ROWS = 44
WIDTH_INCHES = 7.2
LABEL_INCHES = 1.6
TITLE_INCHES = 0.45  # what a panel needs besides its rows
# If the largest value is more than this many times the smallest, the axis is logarithmic, to tell small ones apart.
LINEAR_RANGE = 20.0

CAPTION = (
    f"Whiskers are 95 % intervals, up to a factor of {MOST_SPREAD:g} from the dot. A hollow dot has no interval. "
    "Figures are of the median step or, as marked, of a published mean step or of all rows of epochs or loops."
)
GROUPS = " Of the cases of one mode, network and batch size the fastest is on top."

Group = tuple[str, str, int]  # mode, model and batch size


def _groups(cases: list[Case]) -> list[tuple[Group, list[Case]]]:
    """The cases of each mode, model and batch size, fastest first. Failures come last."""
    modes, models = (
        chart_sheet.in_order(names) for names in zip(*((case.mode, case.model) for case in cases), strict=True)
    )
    found: dict[Group, list[Case]] = {}
    for case in sorted(cases, key=lambda case: (modes.index(case.mode), models.index(case.model), case.batch)):
        found.setdefault((case.mode, case.model, case.batch), []).append(case)
    speed = lambda case: -case.rate.value if case.rate else 0.0  # noqa: E731
    return [(group, sorted(members, key=speed)) for group, members in found.items()]


def _split(groups: list[tuple[Group, list[Case]]]) -> list[list[tuple[Group, list[Case]]]]:
    """Splits the groups into pages with about the same number of rows."""
    rows = sum(len(members) for _, members in groups)
    count = -(-rows // MOST_ROWS)
    parts: list[list[tuple[Group, list[Case]]]] = [[]]
    used = 0
    for group, members in groups:
        if parts[-1] and used >= rows * len(parts) / count:
            parts.append([])
        parts[-1].append((group, members))
        used += len(members)
    return parts


def _look(series: str, all_series: list[str], hollow: bool = False) -> dict:
    colour = chart_sheet.colour(series, all_series)
    fill = "white" if hollow else colour
    return {"color": colour, "markerfacecolor": fill, "marker": chart_sheet.marker(series, all_series), "markersize": 6}


def _draw_case(axes: Axes, case: Case, y: float, start: float, all_series: list[str]) -> None:
    rows = case.rate
    end = start
    if rows:
        look = _look(case.series, all_series, hollow=rows.low is None)
        axes.errorbar(rows.value, y, xerr=[[side] for side in rows.reach()], **look, linewidth=1.2, capsize=3)
        end = rows.drawn()[1]
    style = {"fontsize": 8, "style": "normal" if rows else "italic"}
    axes.annotate(
        rows.words() if rows else case.why(), (end, y), (7, 0), textcoords="offset points", va="center", **style
    )


def _draw_panel(axes: Axes, groups: list[tuple[Group, list[Case]]], start: float, all_series: list[str]) -> None:
    """Each case has a row, and each group a label in the middle of its rows."""
    y = 0.0
    labels = {}
    for (_, model, batch), members in groups:
        lines = chart_sheet.wrap(f"{model} b{batch}", LABEL_INCHES)
        labels[y + (len(members) - 1) / 2] = "\n".join(lines if len(lines) < 3 else [lines[0], f"…{lines[-1]}"])
        for case in members:
            _draw_case(axes, case, y, start, all_series)
            y += 1
        y += GAP
    axes.set_yticks(list(labels), list(labels.values()))
    axes.set_ylim(y - GAP - 0.2, -0.8)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)


def _scale(panels: list[Axes], cases: list[Case], speed: str) -> float:
    """All panels have the same axis, which leaves a quarter of its length for the text. Returns where it starts."""
    measured = [case.rate.drawn() for case in cases if case.rate]
    smallest = min((low for low, _ in measured), default=1.0)
    largest = max((high for _, high in measured), default=1.0)
    if largest <= LINEAR_RANGE * smallest:
        scale_linear(panels[0].xaxis, 0.0, largest * 1.35, format_count)
        panels[-1].set_xlabel(speed)
        return 0.0
    start = smallest / 2
    scale_log(panels[0].xaxis, start, largest * (largest / start) ** 0.35, format_count, most=6)
    panels[-1].set_xlabel(f"{speed} (log scale)")
    return start


def _inches(groups: list[tuple[Group, list[Case]]]) -> float:
    return TITLE_INCHES + ROW_INCHES * sum(len(members) + GAP for _, members in groups)


def draw(view: View) -> list[Figure]:
    """The figures, first those of one unit. None if no case has a time."""
    speeds = chart_sheet.in_order(case.speed for case in view.cases if case.rate)
    # Cases of a unit that has no figure are named with the first.
    units = {case.speed: case.speed if case.speed in speeds else speeds[0] for case in view.cases if speeds}
    return [
        figure
        for speed in speeds
        for figure in _draw(view, [case for case in view.cases if units[case.speed] == speed], speed)
    ]


def _draw(view: View, cases: list[Case], speed: str) -> list[Figure]:
    all_series = chart_sheet.in_order(case.series for case in view.cases)
    figures = []
    for part in _split(_groups(cases)):
        shown = [case for _, members in part for case in members]
        modes = chart_sheet.in_order(mode for (mode, _, _), _ in part)
        by_mode = [[entry for entry in part if entry[0][0] == mode] for mode in modes]
        heights = [_inches(groups) for groups in by_mode]
        has_groups = any(len(members) > 1 for _, members in part)
        notes = [CAPTION + (GROUPS if has_groups else ""), chart_sheet.failures(shown)]
        title = f"{speed.capitalize()}: {view.title}"
        sheet = chart_sheet.Sheet(title, view.subtitle, notes, WIDTH_INCHES, sum(heights) + 0.5)
        drawn = chart_sheet.in_order(case.series for case in shown)
        sheet.legend([Line2D([], [], linestyle="none", label=one, **_look(one, all_series)) for one in drawn])
        figure = sheet.figure()
        panels = figure.subplots(len(by_mode), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0].tolist()
        start = _scale(panels, shown, speed)
        for axes, groups in zip(panels, by_mode, strict=True):
            _draw_panel(axes, groups, start, all_series)
            axes.set_title(groups[0][0][0], loc="left")
        figures.append(figure)
    return figures
