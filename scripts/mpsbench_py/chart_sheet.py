"""A page of a chart: title, legend, panels and notes, placed so that they do not overlap; and the charts' colours."""

import functools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from mpsbench_py.chart_view import Case

# Okabe and Ito's colours, which colour-blind people can tell apart, too. Without yellow, which is too light for lines.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
GREY = "#666666"

INCHES_A_LINE = 0.2
INCHES_A_LEGEND_ROW = 0.19
LEGEND_KEY_INCHES = 0.6  # what is beside a label
MARGIN_INCHES = 0.15
MOST_COLUMNS = 3
HINTING = 1.04  # in a PNG, letters begin at whole pixels, which widens a line by up to 3 %
TITLE_POINTS = 12
TEXT_POINTS = 9

matplotlib.rcParams.update(
    {
        "font.size": TEXT_POINTS,
        "axes.titlesize": TEXT_POINTS + 1,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#DDDDDD",
        "axes.axisbelow": True,
        "text.parse_math": False,  # a name may have a "$"
        "svg.fonttype": "none",  # text stays text: smaller files that can be searched
        "svg.hashsalt": "mpsbench",  # the same report always makes the same file
    }
)


@functools.cache
def text_inches(text: str, points: float = TEXT_POINTS) -> float:
    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=points), ismath=False)
    return HINTING * width / 72


def wrap(text: str, inches: float, points: float = TEXT_POINTS) -> list[str]:
    """Splits TEXT into lines no wider than INCHES, and breaks words that are wider."""
    lines = [""]
    for word in text.split():
        if lines[-1] and text_inches(f"{lines[-1]} {word}", points) <= inches:
            lines[-1] += f" {word}"
            continue
        lines.append("")
        for letter in word:
            if lines[-1] and text_inches(lines[-1] + letter, points) > inches:
                lines.append("")
            lines[-1] += letter
    return [line for line in lines if line] or [""]


def colour(series: str, all_series: list[str]) -> str:
    return PALETTE[all_series.index(series) % len(PALETTE)]


def round_of_palette(series: str, all_series: list[str]) -> int:
    """How often all colours were used before SERIES. If more than 0, hatch or marker must differ, too."""
    return all_series.index(series) // len(PALETTE)


def marker(series: str, all_series: list[str]) -> str:
    return MARKERS[(all_series.index(series) + round_of_palette(series, all_series)) % len(MARKERS)]


def in_order(items: Iterable[str]) -> list[str]:
    """ITEMS without repeats, in the order of first appearance."""
    return list(dict.fromkeys(items))


def pages(items: list, at_most: int) -> list[list]:
    """Splits ITEMS into about equal parts of at most AT_MOST items."""
    count = max(1, -(-len(items) // at_most))
    size = -(-len(items) // count)
    return [items[start : start + size] for start in range(0, len(items), size)]


def failures(cases: list[Case]) -> str:
    """One sentence that names the cases without a result. Empty if there are none."""
    names = [f"{case.name} on {case.series} ({case.why()})" for case in cases if case.step is None]
    return "Not drawn: " + ", ".join(names) if names else ""


class Sheet:
    """Builds one figure: from top to bottom title, legend, BODY_INCHES of panels, and notes."""

    def __init__(self, title: str, subtitle: str, notes: list[str], width: float, body_inches: float):
        self._title = wrap(title, width - 2 * MARGIN_INCHES, 1.15 * TITLE_POINTS)  # bold
        self._subtitle = wrap(subtitle, width - 2 * MARGIN_INCHES)
        self._notes = [line for note in notes if note for line in wrap(note, width - 2 * MARGIN_INCHES)]
        self._width = width
        self._body = body_inches
        self._legend: list[Artist] = []
        self._columns = 1
        self._legend_rows = 0

    def legend(self, handles: list[Artist]) -> None:
        """Sets the legend: handles that have labels. A row has as many entries as fit; long labels are wrapped."""
        width = self._width - 2 * MARGIN_INCHES
        labels = [wrap(handle.get_label(), width - LEGEND_KEY_INCHES) for handle in handles]
        for handle, lines in zip(handles, labels, strict=True):
            handle.set_label("\n".join(lines))
        widest = max((text_inches(line) for lines in labels for line in lines), default=0)
        self._legend = handles
        self._columns = max(1, min(len(handles), int(width / (LEGEND_KEY_INCHES + widest))))
        self._legend_rows = -(-sum(len(lines) for lines in labels) // self._columns)

    def figure(self) -> Figure:
        """The figure without its panels. Its constrained layout keeps the middle free for them."""
        rows = self._legend_rows
        title = 1.3 * INCHES_A_LINE * len(self._title)
        subtitle = INCHES_A_LINE * len(self._subtitle)
        legend = INCHES_A_LEGEND_ROW * (rows + 0.4) if rows else 0.0
        head = MARGIN_INCHES + title + subtitle + legend + 0.05
        foot = MARGIN_INCHES + INCHES_A_LINE * len(self._notes)
        height = head + self._body + foot
        figure = Figure(figsize=(self._width, height), layout="constrained")
        left = MARGIN_INCHES / self._width
        figure.get_layout_engine().set(rect=(left, foot / height, 1 - 2 * left, self._body / height))
        top = 1 - MARGIN_INCHES / height
        bold = {"fontsize": TITLE_POINTS, "fontweight": "bold", "va": "top", "linespacing": 1.3}
        figure.text(left, top, "\n".join(self._title), **bold)
        below = top - title / height
        figure.text(left, below, "\n".join(self._subtitle), color=GREY, va="top", linespacing=1.3)
        if rows:
            place = {"loc": "upper left", "bbox_to_anchor": (left, below - subtitle / height)}
            shape = {"ncols": self._columns, "borderaxespad": 0.3, "borderpad": 0.0, "labelspacing": 0.4}
            figure.legend(handles=self._legend, frameon=False, **place, **shape)
        if self._notes:
            place = {"va": "bottom", "linespacing": 1.3, "color": GREY}
            figure.text(left, MARGIN_INCHES / 2 / height, "\n".join(self._notes), **place)
        return figure


def panelled(
    items: list, most: int, inches: tuple[float, float], sheet_of: Callable[[list, float, int], Sheet]
) -> Iterator[tuple[Figure, list, list[Axes]]]:
    """Figures of up to MOST panels of INCHES, each with its part of the ITEMS and their panels, in rows of up to three.
    SHEET_OF makes the sheet of a part from its width and its number of rows.
    """
    for part in pages(items, most) if items else []:
        columns = min(MOST_COLUMNS, len(part))
        rows = -(-len(part) // columns)
        figure = sheet_of(part, max(6.5, columns * inches[0]), rows).figure()
        panels = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
        for spare in panels[len(part) :]:
            spare.set_axis_off()
        yield figure, part, panels[: len(part)]


def save(figures: list[Figure], stem: Path, formats: list[str]) -> list[Path]:
    """Writes STEM.png or, if there are several pages, STEM-1.png and so on. Returns the paths."""
    written = []
    for number, figure in enumerate(figures):
        page = f"-{number + 1}" if len(figures) > 1 else ""
        for suffix in formats:
            path = stem.with_name(f"{stem.name}{page}.{suffix}")
            metadata = {"Date": None} if suffix == "svg" else None
            figure.savefig(path, dpi=150, metadata=metadata)
            written.append(path)
    return written
