"""Helpers for the tests of charts."""

import tempfile
import unittest
from pathlib import Path

import support  # noqa: F401
import synthetic_view
import wanted

wanted.packages("matplotlib")

from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.text import Text  # noqa: E402
from mpsbench_py import chart_lines, chart_rows, chart_trace, chart_view  # noqa: E402

CHARTS = {
    "time": chart_lines.draw_times,
    "rows": chart_rows.draw,
    "scaling": chart_lines.draw_scaling,
    "trace": chart_trace.draw,
}


def is_drawn(text: Text, ticks: dict[Text, bool]) -> bool:
    """Empty texts, texts of switched-off panels, and labels of ticks outside the axis' range are not drawn."""
    shown = text.get_visible() and text.get_text().strip() != ""
    return shown and (text.axes is None or text.axes.axison) and ticks.get(text, True)


def texts_of(figure: Figure) -> dict[Text, tuple[float, ...]]:
    """The visible texts and their boxes in pixels."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()
    ticks = {}
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
                ticks[tick.label1] = low <= tick.get_loc() <= high
    texts = [text for text in figure.findobj(Text) if is_drawn(text, ticks)]
    return {text: text.get_window_extent(renderer).extents.tolist() for text in texts}


def words_on(figure: Figure) -> str:
    return "\n".join(text.get_text() for text in texts_of(figure))


def view_of(data: dict) -> chart_view.View:
    return chart_view.of_page(synthetic_view.page(data))


class ChartTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check_layout(self, data: dict, charts: tuple[str, ...] = tuple(CHARTS)) -> None:
        for name in charts:
            figures = CHARTS[name](view_of(data))
            for figure in figures[:1] + figures[1:][-1:]:  # first and last page: those in between are like the first
                with self.subTest(chart=name):
                    self.check_figure(figure)

    def check_figure(self, figure: Figure) -> None:
        width, height = figure.bbox.x1, figure.bbox.y1
        boxes = list(texts_of(figure).items())
        for number, (text, (left, bottom, right, top)) in enumerate(boxes):
            whole = left >= 0 and bottom >= 0 and right <= width and top <= height
            self.assertTrue(whole, f"{text.get_text()!r} is cut off")
            for other, (other_left, other_bottom, other_right, other_top) in boxes[number + 1 :]:
                across = min(right, other_right) - max(left, other_left)
                along = min(top, other_top) - max(bottom, other_bottom)
                if across > 1 and along > 1:
                    self.fail(f"{text.get_text()!r} overlaps {other.get_text()!r}")
