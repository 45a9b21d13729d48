"""The same figures everywhere: in CSV, in Markdown and on the page, from which scripts/chart.py takes its own."""

import csv
import html
import io
import json
import re

from support import SOURCE, FrontTest, another

# What follows a figure by the kind of rows_per_second.
MARKS = {"median-step": "", "mean-step": " (mean)", "epochs": " (epochs)", "loop": " (loop)"}
RESULTS = sorted((SOURCE / "results").glob("*.json")) + sorted((SOURCE / "results" / "published").glob("*.json"))


def table_of(markdown):
    """The rows of the first table, by the titles of its columns."""
    lines = [re.findall(r"\| (.*?) (?=\|)", line) for line in markdown.splitlines() if line.startswith("|")]
    return [dict(zip(lines[0], cells, strict=True)) for cells in lines[2:]]


class Agreement(FrontTest):
    def export(self, report, form):
        return self.expect(0, "export", report, "-f", form).out

    def check(self, report):
        rows = list(csv.DictReader(io.StringIO(self.export(report, "csv"))))
        listed = table_of(self.export(report, "md"))
        source = self.export(report, "html")
        view = json.loads(re.search(r'id="view">(.*?)</script>', source, re.DOTALL)[1])
        page = html.unescape(re.sub(r"<[^>]*>", "", source))
        for row, shown, case in zip(rows, listed, view["cases"], strict=True):
            if "step_seconds" not in case["f"]:
                continue
            with self.subTest(f"{report.name}: {row['id']}"):
                value, _, _, text, interval = case["f"]["step_seconds"]
                column = "step_mean_seconds" if case["launches"] == "published" else "step_seconds"
                self.assertAlmostEqual(float(row[column]) / value, 1, 4)
                self.assertEqual(shown["step"], f"{text} {interval}")
                value, _, _, text, interval = case["f"]["rows_per_second"]
                mark = MARKS[row["rows_per_second_kind"]]
                self.assertAlmostEqual(float(row["rows_per_second"]) / value, 1, 4)
                self.assertEqual(shown["rows/s"], text + mark)
                self.assertTrue(interval.endswith(mark), interval)
                self.check_rate(row)
                self.assertIn(shown["step"], page)
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
        self.expect(0, "validate", *RESULTS)
        for report in RESULTS:
            self.check(report)

    def test_figures_of_a_run(self):
        self.expect(0, "run", "-m", "mlp", "-d", "cpu", "-b", "4,8", "-r", "2", "--export-json", "own.json")
        self.check(self.work / "own.json")


class Changed(FrontTest):
    """A report whose metrics do not follow from its samples."""

    SOURCE = SOURCE / "results" / "h200-three-models.json"

    def changed(self, *path, value):
        content = json.loads(self.SOURCE.read_text(encoding="utf-8"))
        inner = content["cases"][1]["metrics"]
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        return self.write("changed.json", content)

    def test_validate_refuses_it_and_all_others_compute_it_again(self):
        forms = ("csv", "md", "html", "json", "github-action")
        expected = {form: self.expect(0, "export", self.SOURCE, "-f", form).out for form in forms}
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
                for form, exported in expected.items():
                    said = self.expect(0, "export", report, "-f", form)
                    self.assertEqual(said.out, exported, form)
                    self.assertRegex(said.err, r"\Awarning: the metrics of 1 case in .* do not follow from .*\n\Z")

    def test_compare_takes_steps_and_intervals_from_the_samples(self):
        content = json.loads(self.SOURCE.read_text(encoding="utf-8"))
        other = self.write("other.json", another(content, "another"))
        expected = self.expect(0, "compare", self.SOURCE, other).out
        report = self.changed("step_seconds", "ci95", value=[1e-9, 9.0])
        said = self.expect(0, "compare", report, other)
        note = f"note: the metrics of 1 case in {report} do not follow from the samples, which alone count here\n"
        self.assertEqual(said.out.count(note), 1, said.out)
        self.assertEqual(said.out.replace(note, "").replace(str(report), str(self.SOURCE)), expected)

    def test_published_figures_have_no_samples(self):
        report = SOURCE / "results" / "published" / "m1pro-20220522.json"
        said = self.expect(0, "export", report, "-f", "csv")
        self.assertEqual(said.err, "")
        self.expect(0, "validate", report)
