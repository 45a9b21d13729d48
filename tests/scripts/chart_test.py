"""Tests of chart.py: what it draws, that nothing overlaps, and how it refuses files that are not reports."""

import contextlib
import io
import json
import math
import unittest
from pathlib import Path

import support
from chart_support import CHARTS, ChartTest, words_on
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import chart  # isort: skip
import synthetic_report  # isort: skip
from mpsbench_py import chart_rows, chart_scale, chart_sheet, chart_time, chart_trace, reports, words  # isort: skip


def marks(figure: Figure) -> list[Line2D]:
    """The dots of a chart of rows per second, from top to bottom."""
    found = [container.lines[0] for axes in figure.axes for container in axes.containers]
    return sorted(found, key=lambda line: (figure.axes.index(line.axes), line.get_ydata()[0]))


def dots(figure: Figure) -> list[tuple[float, tuple[float, float]]]:
    """The value and the interval of each dot."""
    found = []
    for line in marks(figure):
        (container,) = (one for one in line.axes.containers if one.lines[0] is line)
        (segment,) = container.lines[2][0].get_segments()
        found.append((line.get_xdata()[0], tuple(segment[:, 0])))
    return found


class Layout(ChartTest):
    def test_one_case(self) -> None:
        self.check_layout(synthetic_report.make(1, modes=("train",)))

    def test_the_input_pipeline_alone(self) -> None:
        self.check_layout(synthetic_report.make(2, modes=("data",)))

    def test_ten_cases(self) -> None:
        self.check_layout(synthetic_report.make(5, samples=9))

    def test_forty_cases_with_failures(self) -> None:
        report = synthetic_report.make(10, batches=(1, 512), samples=5)
        synthetic_report.fail(report["cases"][1], "oom")
        synthetic_report.fail(report["cases"][9], "timeout")
        self.check_layout(report)

    def test_intervals_wider_than_any_axis(self) -> None:
        report = synthetic_report.make(2, batches=(1, 8), samples=9)
        for case in report["cases"]:
            median = case["metrics"]["step_seconds"]["median"]
            case["metrics"]["step_seconds"]["ci95"] = [-500 * median, 500 * median]
            case["metrics"]["rows_per_second"]["ci95"] = None
        report["cases"][0]["metrics"]["rows_per_second"]["ci95"] = [0.0, 1e9]
        self.check_layout(report)

    def test_many_batch_sizes(self) -> None:
        sizes = tuple(2**power for power in range(12))
        self.check_layout(synthetic_report.make(1, batches=sizes, samples=4), charts=("time", "rows"))

    def test_two_hosts_with_long_names_and_options(self) -> None:
        first = synthetic_report.make(2, batches=(1, 8), samples=9, devices=("cpu", "mps"))
        second = synthetic_report.make(1, batches=(1, 8), samples=9, host="a-studio-with-quite-a-long-name-77aa")
        for case in first["cases"][:4]:
            case["id"] += "+channels-last=true+optimizer=adamw:lr=0.001:weight_decay=0.05"
            case["spec"]["model"] = "somebodys-own-network-with-a-name-that-does-not-end"
            case["launches"] *= 6
        self.check_layout(first, second)


class Contents(ChartTest):
    def test_host_date_and_failed_cases_are_named_on_every_chart(self) -> None:
        report = synthetic_report.make(2, batches=(1, 8))
        synthetic_report.fail(report["cases"][0], "oom")
        loaded = self.load(report)
        for name, module in CHARTS.items():
            with self.subTest(chart=name):
                words = words_on(module.draw(loaded)[0])
                self.assertIn("amd-epyc-3f2a", words)
                self.assertIn("2026-11-21, LibTorch 2.13.0+cpu, mpsbench 0.1.0", words)
                self.assertIn("vgg16/train/cpu/b1/fp32/eager/synthetic (out of memory)", words.replace("\n", " "))

    def test_a_line_joins_the_medians_of_a_mode(self) -> None:
        report = synthetic_report.make(1, modes=("train",), batches=(1, 8, 64))
        (figure,) = chart_time.draw(self.load(report))
        line = figure.axes[0].get_lines()[0]
        medians = [case["metrics"]["step_seconds"]["median"] for case in report["cases"]]
        self.assertEqual(list(line.get_xdata()), [1, 8, 64])
        self.assertEqual(list(line.get_ydata()), medians)

    def test_no_time_chart_for_one_batch_size(self) -> None:
        self.assertEqual(chart_time.draw(self.load(synthetic_report.make(3))), [])

    def test_dots_are_at_the_reports_rows_per_second(self) -> None:
        report = synthetic_report.make(1, modes=("infer",), batches=(8,))
        rows = {"value": 4078.0, "ci95": [3990.0, 4150.0], "kind": "epochs"}
        report["cases"][0]["metrics"]["rows_per_second"] = rows
        (figure,) = chart_rows.draw(self.load(report))
        ((_, (low, high)),) = dots(figure)
        self.assertEqual(dots(figure)[0][0], rows["value"])
        self.assertAlmostEqual(low, rows["ci95"][0])
        self.assertAlmostEqual(high, rows["ci95"][1])
        self.assertIn("4,078 ±2.0 % (epochs)", words_on(figure))

    def test_no_chart_has_bars(self) -> None:
        wide, narrow = synthetic_report.make(4, batches=(1, 512)), synthetic_report.make(1)
        for report, scale in ((wide, "log"), (narrow, "linear")):
            for axes in chart_rows.draw(self.load(report))[0].axes:
                self.assertEqual((axes.get_xscale(), list(axes.patches)), (scale, []))

    def test_a_dot_without_an_interval_is_hollow(self) -> None:
        report = synthetic_report.make(1, modes=("infer",), batches=(1, 8))
        report["cases"][0]["metrics"]["rows_per_second"]["ci95"] = None
        (figure,) = chart_rows.draw(self.load(report))
        hollow = [line.get_markerfacecolor() == "white" for line in marks(figure)]
        self.assertEqual(hollow, [True, False])
        self.assertIn(" ±?", words_on(figure))

    def test_every_case_has_a_dot_on_some_page(self) -> None:
        report = synthetic_report.make(5, batches=(1, 2, 4, 8, 16, 32, 64, 128), samples=2)
        figures = chart_rows.draw(self.load(report))
        self.assertGreater(len(figures), 1)
        self.assertEqual(sum(len(dots(figure)) for figure in figures), len(report["cases"]))

    def test_the_fastest_of_a_group_is_on_top(self) -> None:
        report = synthetic_report.make(1, modes=("infer",), devices=("cpu", "mps"))  # mps is faster
        (figure,) = chart_rows.draw(self.load(report))
        values = [value for value, _ in dots(figure)]
        self.assertEqual(values, sorted(values, reverse=True))

    def test_trace_shades_warm_up_and_marks_each_launch(self) -> None:
        report = synthetic_report.make(1, modes=("train",), samples=30)
        report["cases"][0]["launches"][1].update(
            status="crashed", samples_seconds=[], warmup_samples_seconds=[], first_step_seconds=None
        )
        (figure,) = chart_trace.draw(self.load(report))
        self.assertEqual(len(figure.axes[0].patches), 2)
        words = words_on(figure)
        self.assertIn("crashed", words)
        self.assertIn("launch 3\n30 windows", words)

    def test_long_launches_are_thinned(self) -> None:
        report = synthetic_report.make(1, modes=("train",), samples=4096)
        (figure,) = chart_trace.draw(self.load(report))
        points = max(len(line.get_xdata()) for line in figure.axes[0].get_lines())
        self.assertLess(points, 200)

    def test_the_picture_in_the_docs_is_of_its_report(self) -> None:
        root = support.SCRIPTS.parent
        picture = (root / "docs/images/h200-four-models.svg").read_text(encoding="utf-8")
        for case in reports.load(root / "results/h200-four-models.json").cases:
            rows = case.rate
            self.assertIn(f">{words.rate(rows.value)} {rows.words()}<", picture, "make it with scripts/chart.py again")


class Program(ChartTest):
    def run_chart(self, *arguments: object) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = chart.main([str(argument) for argument in arguments])
        return code, out.getvalue(), err.getvalue()

    def test_writes_png_and_svg_and_prints_their_paths(self) -> None:
        report = self.write(synthetic_report.make(2, batches=(1, 8), samples=5), "box-quick.json")
        code, out, err = self.run_chart(report, "-o", self.folder / "new" / "charts")
        self.assertEqual((code, err), (0, ""))
        expected = [f"box-quick-{chart}.{suffix}" for chart in CHARTS for suffix in ("png", "svg")]
        self.assertEqual([Path(line).name for line in out.splitlines()], expected)
        for line in out.splitlines():
            start = Path(line).read_bytes()[:5]
            self.assertIn(start, (b"\x89PNG\r", b"<?xml"))

    def test_one_format_beside_the_report(self) -> None:
        report = self.write(synthetic_report.make(1, samples=5))
        code, out, _ = self.run_chart(report, "--format", "svg")
        self.assertEqual(code, 0)
        self.assertEqual({Path(line).parent for line in out.splitlines()}, {self.folder})
        self.assertEqual({Path(line).suffix for line in out.splitlines()}, {".svg"})

    def test_pages_are_numbered(self) -> None:
        report = self.write(synthetic_report.make(10, samples=3))
        _, out, _ = self.run_chart(report, "--format", "svg")
        self.assertIn("report-trace-2.svg", out)

    def test_what_is_not_a_report_is_one_line_and_exit_2(self) -> None:
        report = synthetic_report.make(1)
        no_samples = json.loads(json.dumps(report))
        del no_samples["cases"][0]["launches"][0]["samples_seconds"]
        bad = {
            "missing.json": None,
            "half.json": json.dumps(report)[:200],
            "binary.json": "\x00\x01",
            "list.json": [],
            "other.json": {"cases": []},
            "newer.json": {**report, "schema_version": 2},
            "cases.json": {**report, "cases": {"a": 1}},
            "samples.json": no_samples,
        }
        for name, data in bad.items():
            with self.subTest(name):
                path = self.folder / name if data is None else self.write(data, name)
                code, out, err = self.run_chart(path)
                self.assertEqual((code, out), (2, ""))
                self.assertEqual(len(err.splitlines()), 1)
                self.assertIn(name, err)

    def test_nothing_to_draw_is_one_line_and_exit_2(self) -> None:
        failed = synthetic_report.make(1, batches=(1, 8))
        for case in failed["cases"]:
            synthetic_report.fail(case, "oom")
        empty = synthetic_report.make(0)
        for name, report, why in (("failed", failed, "(out of memory)"), ("empty", empty, "(there are no cases)")):
            with self.subTest(name):
                code, out, err = self.run_chart(self.write(report, f"{name}.json"), "-o", self.folder / "charts")
                self.assertEqual((code, out), (2, ""))
                self.assertEqual(len(err.splitlines()), 1)
                self.assertIn(f"{name}.json: nothing to draw: no case has a time {why}", err)
                self.assertFalse((self.folder / "charts").exists())

    def test_a_page_is_what_the_program_makes(self) -> None:
        program = self.folder / "mpsbench"
        program.write_text('#!/bin/sh\nfor last; do :; done\necho "$@" >"$last"\n', encoding="utf-8")
        program.chmod(0o755)
        report = self.write({}, "r.json")
        code, out, err = self.run_chart(report, "--html", "--mpsbench", program, "-o", self.folder)
        page = self.folder / "r.html"
        self.assertEqual((code, out, err), (0, f"{page}\n", ""))
        self.assertEqual(page.read_text(encoding="utf-8"), f"export {report} --format html --output {page}\n")

    def test_a_page_without_the_program(self) -> None:
        code, out, err = self.run_chart(self.write({}), "--html", "--mpsbench", self.folder / "none")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("build it with scripts/mpsbench", err)

    def test_a_folder_instead_of_a_file(self) -> None:
        code, _, err = self.run_chart(self.folder)
        self.assertEqual(code, 2)
        self.assertIn(str(self.folder), err)


class Words(unittest.TestCase):
    def test_seconds(self) -> None:
        expected = {1.5: "1.5 s", 0.1412: "141 ms", 28e-6: "28 µs", 0.9999: "1 s", 61.0: "61 s", 0.0: "0"}
        for value, text in expected.items():
            self.assertEqual(chart_scale.format_seconds(value), text)

    def test_counts(self) -> None:
        for value, text in {226.6: "227", 1234.0: "1.23 k", 3.4e6: "3.4 M", 0.5: "0.5"}.items():
            self.assertEqual(chart_scale.format_count(value), text)

    def test_texts_beside_dots(self) -> None:
        for value, text in {
            23.0128e-3: "23.0 ms",
            99.96e-6: "100 µs",
            59.96: "1 min 0 s",
            9049.8: "2 h 31 min",
        }.items():
            self.assertEqual(words.duration(value), text)
        for value, text in {584.03: "584.0", 107068.08: "107,100", 0.68722: "0.6872", 99999.0: "100,000"}.items():
            self.assertEqual(words.rate(value), text)
        for bounds, text in (
            ((99.3, 100.7), "±0.7 %"),
            ((90.06, 109.94), "±9.9 %"),
            ((90.04, 109.96), "±10 %"),
            ((98, 103), "±2.5 %"),
            ((98, 103.1), "−2.0 % +3.1 %"),
            ((93, 122), "−7 % +22 %"),
            ((99.99, 100.04), "±0.0 %"),
            ((10, 1000), "−90 % +900 %"),
            ((0, math.inf), "−>90 % +>900 %"),
            (None, "±?"),
        ):
            self.assertEqual(words.interval(100, bounds), text)

    def test_wrapped_lines_fit_and_lose_nothing(self) -> None:
        text = "Not measured: " + ", ".join(f"model{n}/train/cpu/b{n}/fp32/eager/synthetic" for n in range(20))
        lines = chart_sheet.wrap(text + " " + "x" * 300, 6.0)
        self.assertEqual("".join(lines).replace(" ", ""), (text + "x" * 300).replace(" ", ""))
        self.assertLessEqual(max(chart_sheet.text_inches(line) for line in lines), 6.0)

    def test_pages_are_even(self) -> None:
        self.assertEqual([len(page) for page in chart_sheet.pages(list(range(31)), 15)], [11, 11, 9])


class Sources(ChartTest):
    def test_reports_of_one_host_are_told_apart(self) -> None:
        earlier, later = synthetic_report.make(1), synthetic_report.make(1)
        later["run"]["started_at"] = "2026-12-01T00:00:00Z"
        sources = [report.cases[0].source for report in self.load(earlier, later)]
        self.assertEqual(sources, ["amd-epyc-3f2a 2026-11-21", "amd-epyc-3f2a 2026-12-01"])

    def test_or_by_the_version_of_libtorch(self) -> None:
        one, other = synthetic_report.make(1), synthetic_report.make(1)
        other["host"]["libtorch"]["version"] = "2.14.0"
        sources = [report.cases[0].source for report in self.load(one, other)]
        self.assertEqual(sources, ["amd-epyc-3f2a 2.13.0+cpu", "amd-epyc-3f2a 2.14.0"])

    def test_the_variant_holds_what_is_not_default(self) -> None:
        report = synthetic_report.make(1, modes=("train",))
        report["cases"][0]["id"] = "vgg16/train/cpu/b4/bf16/eager/synthetic+channels-last=true"
        (loaded,) = self.load(report)
        self.assertEqual(loaded.cases[0].series(), "cpu · bf16 channels-last=true")


if __name__ == "__main__":
    support.main()
