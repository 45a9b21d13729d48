"""The same figures everywhere: in CSV, in Markdown, on the page and beside the dots of scripts/chart.py."""

import csv
import html
import io
import json
import re
import sys

from support import SOURCE, FrontTest, main

sys.path.append(str(SOURCE / "scripts"))

from mpsbench_py import reports, words

RESULTS = sorted((SOURCE / "results").glob("*.json")) + sorted((SOURCE / "results" / "published").glob("*.json"))


def table_of(markdown):
    """The rows of the first table, by the titles of its columns."""
    lines = [re.findall(r"\| (.*?) (?=\|)", line) for line in markdown.splitlines() if line.startswith("|")]
    return [dict(zip(lines[0], cells, strict=True)) for cells in lines[2:]]


def page_rates(page):
    """The rates that the page can draw, each with its interval."""
    view = json.loads(re.search(r'id="view">(.*?)</script>', page, re.DOTALL)[1])
    rates = [case["f"].get("rows_per_second") for case in view["cases"]]
    return [f"{rate[3]} {rate[4]}" for rate in rates if rate]


def chart_rates(cases):
    """The figures beside the dots of scripts/chart.py."""
    rates = [case.rate for case in cases if case.rate]
    return [f"{words.rate(rate.value)} {rate.words()}" for rate in rates]


class Agreement(FrontTest):
    def export(self, report, form):
        return self.expect(0, "export", report, "-f", form).out

    def check(self, report):
        drawn = reports.load(report).cases
        rows = list(csv.DictReader(io.StringIO(self.export(report, "csv"))))
        listed = table_of(self.export(report, "md"))
        source = self.export(report, "html")
        page = html.unescape(re.sub(r"<[^>]*>", "", source))
        self.assertEqual([row["id"] for row in rows], [case.id for case in drawn])
        self.assertEqual(len(listed), len(drawn))
        self.assertEqual(page_rates(source), chart_rates(drawn))
        for case, row, shown in zip(drawn, rows, listed, strict=True):
            if case.step is None:
                continue
            with self.subTest(f"{report.name}: {case.id}"):
                column = "step_mean_seconds" if case.published else "step_seconds"
                self.assertEqual(float(row[column]), case.step.value)
                text = f"{words.duration(case.step.value)} {case.step.words()}"
                self.assertEqual(shown["step"], text)
                self.assertEqual(float(row["rows_per_second"]), case.rate.value)
                self.assertEqual(shown["rows/s"], words.rate(case.rate.value) + case.rate.mark)
                self.assertEqual(reports.MARKS[row["rows_per_second_kind"]], case.rate.mark)
                self.check_rate(row)
                self.assertIn(text, page)
                self.assertIn(shown["rows/s"], page)

    def check_rate(self, row):
        """The rate follows the figure that its kind names."""
        rows = int(row["batch_size"]) * int(row["ranks"])
        value, low, high = (float(row[f"rows_per_second{end}"] or 0) for end in ("", "_low", "_high"))
        kind = row["rows_per_second_kind"]
        step = {"median-step": "step_seconds", "mean-step": "step_mean_seconds"}.get(kind)
        if step:
            self.assertAlmostEqual(value * float(row[step]) / rows, 1, 6)
            if high:
                self.assertAlmostEqual(low * float(row["step_seconds_high"]) / rows, 1, 6)
                self.assertAlmostEqual(high * float(row["step_seconds_low"]) / rows, 1, 6)
        if kind == "median-step":
            self.assertAlmostEqual(float(row["mean_rows_per_second"]) * float(row["step_mean_seconds"]) / rows, 1, 6)
        else:
            self.assertEqual(float(row["mean_rows_per_second"]), value)

    def test_every_report_of_the_repository(self):
        self.assertGreater(len(RESULTS), 20)
        for report in RESULTS:
            self.check(report)
            self.expect(0, "validate", report)

    def test_figures_of_a_run(self):
        self.expect(0, "run", "-m", "mlp", "-d", "cpu", "-b", "4,8", "-r", "2", "--export-json", "own.json")
        self.check(self.work / "own.json")


class Changed(FrontTest):
    """A report whose metrics do not follow from its samples."""

    SOURCE = SOURCE / "results" / "h200-four-models.json"

    def changed(self, *path, value):
        content = json.loads(self.SOURCE.read_text(encoding="utf-8"))
        inner = content["cases"][1]["metrics"]
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        return self.write("changed.json", content)

    def test_validate_refuses_it_and_all_others_compute_it_again(self):
        for path, value in (
            (("step_seconds", "median"), 0.001),
            (("step_seconds", "ci95"), [0.01, 0.05]),
            (("step_seconds", "ci95"), None),
            (("rows_per_second", "value"), 99999.0),
            (("rows_per_second", "kind"), "epochs"),
            (("mean_rows_per_second",), None),
            (("parameters",), 7),
            (("peak_device_bytes",), 1),
        ):
            with self.subTest(path):
                report = self.changed(*path, value=value)
                said = self.expect_refused("validate", report)
                self.assertIn("$.cases[1].metrics." + ".".join(path), said.err)
                self.assertIn("does not follow from the samples", said.err)
                for form in ("csv", "md", "html", "json", "github-action"):
                    said = self.expect(0, "export", report, "-f", form)
                    self.assertEqual(said.out, self.expect(0, "export", self.SOURCE, "-f", form).out, form)
                    self.assertRegex(
                        said.err, r"\Awarning: the metrics of 1 case in [^\n]* do not follow from [^\n]*\n\Z"
                    )

    def test_compare_takes_steps_and_intervals_from_the_samples(self):
        other = self.write_other()
        expected = self.expect(0, "compare", self.SOURCE, other).out
        report = self.changed("step_seconds", "ci95", value=[1e-9, 9.0])
        said = self.expect(0, "compare", report, other)
        note = f"note: the metrics of 1 case in {report} do not follow from the samples, which alone count here\n"
        self.assertEqual(said.out.count(note), 1, said.out)
        self.assertEqual(said.out.replace(note, "").replace(str(report), str(self.SOURCE)), expected)

    def write_other(self):
        content = json.loads(self.SOURCE.read_text(encoding="utf-8"))
        content["run"]["id"] = "another"
        for launch in (launch for case in content["cases"] for launch in case["launches"]):
            launch["wall_seconds"] += 1
        return self.write("other.json", content)

    def test_published_figures_have_no_samples(self):
        report = SOURCE / "results" / "published" / "m1pro-20220522.json"
        said = self.expect(0, "export", report, "-f", "csv")
        self.assertEqual(said.err, "")
        self.expect(0, "validate", report)


if __name__ == "__main__":
    main()
