"""Charts of published figures: what they say, and that nothing overlaps."""

import re

import support
from chart_support import ChartTest, words_on

from mpsbench_py import chart_rows, chart_sheet, chart_time, reports  # isort: skip

PUBLISHED = support.SCRIPTS.parent / "results" / "published"


def load(*names: str) -> list[reports.Report]:
    return reports.load_all([PUBLISHED / f"{name}.json" for name in names])


class Published(ChartTest):
    def test_layout(self) -> None:
        self.check_charts(load("m1-macbook-pro-1.12-nightly"))
        self.check_charts(load(*sorted(path.stem for path in PUBLISHED.glob("*.json"))))

    def test_what_has_a_dot_is_not_listed_as_not_drawn(self) -> None:
        (figure,) = chart_rows.draw(load("m1-20220522"))
        words = words_on(figure)
        self.assertNotIn("Not drawn", words)
        self.assertIn("means, not medians", words)

    def test_other_work_is_not_drawn(self) -> None:
        (figure,) = chart_rows.draw(load("m1max-20220522"))
        said = words_on(figure).replace("\n", " ")
        self.assertIn("optimizer=adam (other work)", said)
        self.assertEqual(sum(len(axes.containers) for axes in figure.axes), 2)

    def test_what_counts_as_other_work(self) -> None:
        table = (PUBLISHED / "README.md").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"\| `([\w-]+)` \|.* never compared", table)), reports.OTHER_WORK)

    def test_what_has_no_figure_says_why(self) -> None:
        self.assertEqual(chart_rows.draw(load("rtx3060")), [])
        (figure,) = chart_rows.draw(load("rtx3060", "titanv-20220522"))
        self.assertIn("(not published)", words_on(figure).replace("\n", " "))

    def test_the_header_leaves_out_what_is_unknown(self) -> None:
        for name, header in (
            ("m1-20220518", "Apple M1, LibTorch 1.12.0.dev20220518, published by others"),
            ("gtx1080ti-1.10.0", "GeForce GTX 1080 Ti, LibTorch 1.10.0, published by others"),
        ):
            with self.subTest(name):
                self.assertIn(header, words_on(chart_rows.draw(load(name))[0]).splitlines())
        self.assertEqual(chart_sheet.origin(load("rtx3060")), "GeForce RTX 3060, published by others")

    def test_no_interval_is_without_end(self) -> None:
        for path in PUBLISHED.glob("*.json"):
            for case in reports.load(path).cases:
                for figure in (case.step, case.rate):
                    known = figure is not None and figure.interval is not None
                    self.assertTrue(
                        not known or figure.interval[1] - figure.interval[0] <= 2 * figure.value,
                        f"{path.name}: {case.id}",
                    )

    def test_times_are_the_published_means(self) -> None:
        (figure,) = chart_time.draw(load("m1-macbook-pro-1.12-nightly"))
        lines = [list(line.get_ydata()) for line in figure.axes[0].get_lines()]
        self.assertIn([0.0789, 0.547, 1.25, 3.69, 9.8], lines)


if __name__ == "__main__":
    support.main()
