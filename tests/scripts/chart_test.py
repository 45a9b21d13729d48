"""Tests of chart.py: what it draws of the view that mpsbench makes, that nothing overlaps, and what it refuses."""

import contextlib
import io
import subprocess
import sys
import unittest
from pathlib import Path

import chart
import support
import synthetic_view
from chart_support import CHARTS, ChartTest, view_of, words_on
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from mpsbench_py import chart_scale, chart_sheet, chart_view

ROOT = support.SCRIPTS.parent
PROGRAM = sys.argv.pop() if len(sys.argv) > 1 and Path(sys.argv[-1]).is_file() else ""  # the tests' own build


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
    def test_of_few_and_many_cases(self) -> None:
        self.check_layout(synthetic_view.make(1, modes=("train",)))
        self.check_layout(synthetic_view.make(2, modes=("data",)))
        self.check_layout(synthetic_view.make(5, samples=9))
        view = synthetic_view.make(10, batches=(1, 512), samples=5)
        synthetic_view.fail(view["cases"][1], "out of memory (needs 14.2 GiB, 9.8 free)")
        synthetic_view.fail(view["cases"][9], "timed out")
        self.check_layout(view)

    def test_of_intervals_wider_than_any_axis(self) -> None:
        view = synthetic_view.make(2, batches=(1, 8), samples=9)
        for case in view["cases"]:
            value = case["f"]["step_seconds"][0]
            case["f"]["step_seconds"][1:3] = [0.001 * value, 500 * value]
            case["f"]["rows_per_second"][1:3] = [None, None]
        view["cases"][0]["f"]["rows_per_second"][1:3] = [0.0, 1e9]
        self.check_layout(view)

    def test_of_many_batch_sizes(self) -> None:
        sizes = tuple(2**power for power in range(12))
        self.check_layout(synthetic_view.make(1, batches=sizes, samples=4), charts=("time", "rows"))

    def test_of_long_names(self) -> None:
        machines = ("AMD EPYC 9654 96-Core Processor", "NVIDIA H200 (a-studio-with-quite-a-long-name-77aa)")
        view = synthetic_view.make(2, batches=(1, 8), samples=9, machines=machines)
        for case in view["cases"][:4]:
            case["series"] = "channels-last=true, optimizer=adamw:lr=0.001:weight_decay=0.05"
            case["model"] = "somebodys-own-network-with-a-name-that-does-not-end"
            case["details"]["launches"] *= 6
            case["details"]["distribution"]["medians"] *= 6
        self.check_layout(view)

    def test_of_scaling(self) -> None:
        self.check_layout(scaled(), charts=("scaling",))
        self.check_layout(scaled(machines=("a", "another-host-with-quite-a-long-name")), charts=("scaling",))


class Contents(ChartTest):
    def draw(self, name: str, data: dict) -> Figure:
        (figure,) = CHARTS[name](view_of(data))
        return figure

    def test_machine_date_and_failed_cases_are_named_on_every_chart(self) -> None:
        view = synthetic_view.make(2, batches=(1, 8))
        synthetic_view.fail(view["cases"][0], "out of memory")
        for name in ("time", "rows", "trace"):
            with self.subTest(chart=name):
                words = words_on(self.draw(name, view)).replace("\n", " ")
                self.assertIn("AMD EPYC 9654", words)
                self.assertIn("2026-11-21, LibTorch 2.13.0+cpu", words)
                self.assertIn("vgg16 train, batch 1 on AMD EPYC 9654 (out of memory)", words)

    def test_a_line_joins_the_steps_of_a_mode(self) -> None:
        view = synthetic_view.make(1, modes=("train",), batches=(1, 8, 64))
        line = self.draw("time", view).axes[0].get_lines()[0]
        self.assertEqual(list(line.get_xdata()), [1, 8, 64])
        self.assertEqual(list(line.get_ydata()), [case["f"]["step_seconds"][0] for case in view["cases"]])
        self.assertEqual(CHARTS["time"](view_of(synthetic_view.make(3))), [], "one batch size is no line")

    def test_dots_have_the_figures_texts_and_uneven_intervals_of_the_view(self) -> None:
        view = synthetic_view.make(1, modes=("infer",), batches=(8,))
        view["cases"][0]["f"]["rows_per_second"] = [22230.0, 19000.0, 22660.0, "22,230", "−15 % +2 % (epochs)"]
        figure = self.draw("rows", view)
        ((value, (low, high)),) = dots(figure)
        self.assertEqual((value, low, high), (22230.0, 19000.0, 22660.0))
        self.assertIn("22,230 −15 % +2 % (epochs)", words_on(figure))

    def test_no_chart_has_bars(self) -> None:
        wide, narrow = synthetic_view.make(4, batches=(1, 512)), synthetic_view.make(1)
        for view, scale in ((wide, "log"), (narrow, "linear")):
            for axes in CHARTS["rows"](view_of(view))[0].axes:
                self.assertEqual((axes.get_xscale(), list(axes.patches)), (scale, []))

    def test_a_dot_without_an_interval_is_hollow(self) -> None:
        view = synthetic_view.make(1, modes=("infer",), batches=(1, 8))
        view["cases"][0]["f"]["rows_per_second"][1:] = [None, None, "8.333", "±?"]
        figure = self.draw("rows", view)
        self.assertEqual([line.get_markerfacecolor() == "white" for line in marks(figure)], [True, False])
        self.assertIn("8.333 ±?", words_on(figure))

    def test_every_case_has_a_dot_on_some_page(self) -> None:
        view = synthetic_view.make(5, batches=(1, 2, 4, 8, 16, 32, 64, 128), samples=2)
        figures = CHARTS["rows"](view_of(view))
        self.assertGreater(len(figures), 1)
        self.assertEqual(sum(len(dots(figure)) for figure in figures), len(view["cases"]))

    def test_the_fastest_of_a_group_is_on_top_and_the_footer_says_so_only_of_groups(self) -> None:
        figure = self.draw("rows", synthetic_view.make(1, modes=("infer",), machines=("slow", "fast")))
        values = [value for value, _ in dots(figure)]
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertIn("the fastest is on top", words_on(figure).replace("\n", " "))
        sweep = self.draw("rows", synthetic_view.make(1, modes=("infer",), batches=(1, 2, 4)))
        self.assertNotIn("the fastest is on top", words_on(sweep).replace("\n", " "))

    def test_generation_has_a_page_of_tokens(self) -> None:
        view = synthetic_view.make(1, modes=("train", "generate"))
        rows, tokens = CHARTS["rows"](view_of(view))
        for figure, unit, case in zip((rows, tokens), ("Rows", "Tokens"), view["cases"], strict=True):
            self.assertIn(f"{unit} per second: AMD EPYC 9654", words_on(figure))
            self.assertEqual([value for value, _ in dots(figure)], [case["f"][f"{unit.lower()}_per_second"][0]])
            self.assertEqual(figure.axes[-1].get_xlabel(), f"{unit.lower()} per second")
        synthetic_view.fail(view["cases"][1], "out of memory")
        (figure,) = CHARTS["rows"](view_of(view))
        self.assertIn("vgg16 generate, batch 4", words_on(figure).replace("\n", " "))

    def test_trace_shades_warm_up_and_marks_each_launch(self) -> None:
        view = synthetic_view.make(1, modes=("train",), samples=30)
        details = view["cases"][0]["details"]
        details["launches"][1] |= {"samples": {"count": 0, "values": []}, "warmup": {"count": 0, "values": []}}
        details["launches"][1]["cells"][-1] = "crashed"
        details["distribution"]["medians"][1] = None
        figure = self.draw("trace", view)
        self.assertEqual(len(figure.axes[0].patches), 2)
        words = words_on(figure)
        self.assertIn("crashed", words)
        self.assertIn("launch 3\n30 windows", words)

    def test_a_dollar_in_a_name_is_no_formula(self) -> None:
        view = synthetic_view.make(1, modes=("train",), batches=(1, 8))
        for case in view["cases"]:
            case["model"] = "cash$_{net}$^"
        for name in ("time", "rows", "trace"):
            for figure in CHARTS[name](view_of(view)):
                self.check_figure(figure)
                self.assertIn("cash$_{net}$^", words_on(figure))

    def test_the_picture_in_the_docs_is_of_its_report(self) -> None:
        if not PROGRAM:
            self.skipTest("needs the program")
        picture = (ROOT / "docs/images/h200-four-models.svg").read_text(encoding="utf-8")
        for case in chart_view.load(PROGRAM, [ROOT / "results/h200-four-models.json"]).cases:
            self.assertIn(f">{case.rate.words()}<", picture, "make it with scripts/chart.py again")


def scaled(
    ranks: tuple[int, ...] = (1, 2, 4), machines: tuple[str, ...] = ("AMD EPYC",), modes: tuple[str, ...] = ("train",)
) -> dict:
    """A view with cases of these numbers of processes, whose steps all take equally long."""
    view = synthetic_view.make(1, modes=modes, batches=(8,), samples=5, machines=machines)
    singles, view["cases"] = view["cases"], []
    for single in singles:
        first = len(view["cases"])
        for count in ranks:
            case = single | {"ranks": count, "f": dict(single["f"])}
            synthetic_view.set_step(case, single["f"]["step_seconds"][0])
            if count > 1 and ranks[0] == 1:
                case["one"] = first
            view["cases"].append(case)
    return view


class Scaling(ChartTest):
    def test_has_a_line_and_its_ideal(self) -> None:
        (figure,) = CHARTS["scaling"](view_of(scaled()))
        (axes,) = figure.axes
        line, ideal = axes.containers[0].lines[0], axes.get_lines()[-1]
        first = line.get_ydata()[0]
        self.assertEqual(list(line.get_xdata()), [1, 2, 4])
        for count, rate in zip(line.get_xdata(), line.get_ydata(), strict=True):
            self.assertAlmostEqual(rate, count * first)
        self.assertEqual((list(ideal.get_xdata()), list(ideal.get_ydata())), ([1, 4], [first, 4 * first]))
        self.assertIn("GPUs or processes", words_on(figure))

    def test_of_generation_is_in_tokens(self) -> None:
        rows, tokens = CHARTS["scaling"](view_of(scaled(modes=("infer", "generate"))))
        self.assertEqual(rows.axes[0].get_ylabel(), "rows per second")
        self.assertEqual(tokens.axes[0].get_ylabel(), "tokens per second")
        self.assertIn("Dotted: N times the tokens per second of one process", words_on(tokens).replace("\n", " "))

    def test_without_one_process_there_is_none(self) -> None:
        self.assertEqual(CHARTS["scaling"](view_of(scaled((2, 4)))), [])
        self.assertEqual(CHARTS["scaling"](view_of(synthetic_view.make(1))), [])


class Program(ChartTest):
    def run_chart(self, data: dict | None, *arguments: object) -> tuple[int, str, str]:
        """Runs chart.py on box-quick.json. Of DATA, a program makes a page; without data, it refuses the report."""
        program = self.folder / "mpsbench"
        if data is None:
            program.write_text("#!/bin/sh\necho 'mpsbench: refused' >&2\nexit 4\n", encoding="utf-8")
        else:
            (self.folder / "page").write_text(synthetic_view.page(data), encoding="utf-8")
            program.write_text(f'#!/bin/sh\necho "$@" >{self.folder}/said\ncat {self.folder}/page\n', encoding="utf-8")
        program.chmod(0o755)
        out, err = io.StringIO(), io.StringIO()
        words = [self.folder / "box-quick.json", "--mpsbench", program, *arguments]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = chart.main([str(word) for word in words])
        return code, out.getvalue(), err.getvalue()

    def test_writes_png_and_svg_and_prints_their_paths(self) -> None:
        view = synthetic_view.make(2, batches=(1, 8), samples=5)
        code, out, err = self.run_chart(view, "-o", self.folder / "new" / "charts")
        self.assertEqual((code, err), (0, ""))
        names = [f"box-quick-{name}.{suffix}" for name in ("time", "rows", "trace") for suffix in ("png", "svg")]
        self.assertEqual([Path(line).name for line in out.splitlines()], names)
        for line in out.splitlines():
            self.assertIn(Path(line).read_bytes()[:5], (b"\x89PNG\r", b"<?xml"))
        said = (self.folder / "said").read_text(encoding="utf-8")
        self.assertEqual(said, f"export {self.folder}/box-quick.json --format html\n")

    def test_writes_numbered_pages_of_one_format_beside_the_report(self) -> None:
        code, out, _ = self.run_chart(synthetic_view.make(10, samples=3), "--format", "svg")
        self.assertEqual(code, 0)
        self.assertIn("box-quick-trace-2.svg", out)
        self.assertEqual({Path(line).parent for line in out.splitlines()}, {self.folder})
        self.assertEqual({Path(line).suffix for line in out.splitlines()}, {".svg"})

    def test_nothing_to_draw_is_one_line_and_exit_2(self) -> None:
        failed = synthetic_view.make(1, batches=(1, 8))
        for case in failed["cases"]:
            synthetic_view.fail(case, "out of memory")
        for view, why in ((failed, "(out of memory)"), (synthetic_view.make(0), "(there are no cases)")):
            code, out, err = self.run_chart(view, "-o", self.folder / "charts")
            self.assertEqual((code, out), (2, ""))
            self.assertEqual(len(err.splitlines()), 1)
            self.assertIn(f"box-quick.json: nothing to draw: no case has a time {why}", err)
            self.assertFalse((self.folder / "charts").exists())

    def test_ends_as_the_program_that_refuses_a_report(self) -> None:
        self.assertEqual(self.run_chart(None), (4, "", ""), "the program has said why")

    def test_without_the_program_says_how_to_get_it(self) -> None:
        code, out, err = self.run_chart({}, "--mpsbench", self.folder / "none")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("build it with scripts/mpsbench", err)

    def test_takes_no_file_for_a_folder(self) -> None:
        for name in ("x.png", "a.SVG"):
            with self.assertRaises(SystemExit) as refused, contextlib.redirect_stderr(io.StringIO()) as err:
                chart.parse(["r.json", "-o", str(self.folder / name)])
            self.assertEqual(refused.exception.code, 2)
            self.assertIn("is no folder, and there are several charts", err.getvalue())
            self.assertFalse((self.folder / name).exists())


@unittest.skipUnless(PROGRAM, "needs the program")
class RealReports(ChartTest):
    """What mpsbench makes of real files."""

    def chart(self, *words: object) -> subprocess.CompletedProcess:
        command = [sys.executable, support.SCRIPTS / "chart.py", *words, "--mpsbench", PROGRAM, "-o", self.folder]
        return subprocess.run([str(word) for word in command], check=False, capture_output=True, text=True)

    def test_all_published_reports(self) -> None:
        files = sorted((ROOT / "results" / "published").glob("*.json"))
        done = self.chart(*files, "--format", "svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("-rows", done.stdout)
        alone = self.chart(ROOT / "results/published/rtx3060.json")
        self.assertEqual((alone.returncode, alone.stdout), (2, ""))
        self.assertIn("nothing to draw", alone.stderr)

    def test_a_byte_order_mark_and_what_is_no_report(self) -> None:
        text = (ROOT / "results/h200-four-models.json").read_text(encoding="utf-8")
        marked = self.folder / "marked.json"
        marked.write_text("\ufeff" + text, encoding="utf-8")
        done = self.chart(marked, "--format", "svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        no_number = text.replace('"wall_seconds": ', '"wall_seconds": NaN, "was": ', 1)
        self.assertNotEqual(no_number, text)
        for name, content in {"nan": no_number, "half": text[:200], "list": "[]", "binary": "\x00\x01"}.items():
            with self.subTest(name):
                (self.folder / f"{name}.json").write_text(content, encoding="utf-8")
                done = self.chart(self.folder / f"{name}.json")
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(f"{name}.json", done.stderr)


class Words(unittest.TestCase):
    def test_of_axes(self) -> None:
        expected = {1.5: "1.5 s", 0.1412: "141 ms", 28e-6: "28 µs", 0.9999: "1 s", 61.0: "61 s", 0.0: "0"}
        for value, text in expected.items():
            self.assertEqual(chart_scale.format_seconds(value), text)
        for value, text in {226.6: "227", 1234.0: "1.23 k", 3.4e6: "3.4 M", 0.5: "0.5"}.items():
            self.assertEqual(chart_scale.format_count(value), text)

    def test_wrapped_lines_fit_and_lose_nothing(self) -> None:
        text = "Not measured: " + ", ".join(f"model{n}/train/cpu/b{n}/fp32/eager/synthetic" for n in range(20))
        lines = chart_sheet.wrap(text + " " + "x" * 300, 6.0)
        self.assertEqual("".join(lines).replace(" ", ""), (text + "x" * 300).replace(" ", ""))
        self.assertLessEqual(max(chart_sheet.text_inches(line) for line in lines), 6.0)

    def test_pages_are_even(self) -> None:
        self.assertEqual([len(page) for page in chart_sheet.pages(list(range(31)), 15)], [11, 11, 9])
