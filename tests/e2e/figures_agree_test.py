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
    """The figures beside the dots of the page's charts of rates."""
    section = re.search(r'<section id="rates">.*?</section>', page, re.DOTALL)
    titles = re.findall(r"<g><title>(.*?)</title>", section[0]) if section else []
    return [html.unescape(title).rsplit(": ", 1)[1] for title in titles]


def chart_rates(cases):
    """The figures beside the dots of scripts/chart.py."""
    rates = [case.rows() for case in cases if case.step]
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
        self.assertLessEqual(set(page_rates(source)), set(chart_rates(drawn)))
        self.assertEqual(bool(page_rates(source)), bool(chart_rates(drawn)))
        for case, row, shown in zip(drawn, rows, listed, strict=True):
            if case.step is None:
                continue
            with self.subTest(f"{report.name}: {case.id}"):
                column = "step_mean_seconds" if case.published else "step_seconds"
                self.assertEqual(float(row[column]), case.step.value)
                text = f"{words.duration(case.step.value)} {case.step.words()}"
                self.assertEqual(shown["step"], text)
                self.assertEqual(shown["rows/s"], words.rate(float(row["rows_per_second"])))
                self.assertIn(text, page)
                self.assertIn(shown["rows/s"], page)

    def test_every_report_of_the_repository(self):
        self.assertGreater(len(RESULTS), 20)
        for report in RESULTS:
            self.check(report)

    def test_rates_that_are_hardly_known(self):
        content = json.loads((SOURCE / "results" / "h200-four-models.json").read_text(encoding="utf-8"))
        for case in content["cases"]:
            step = case["metrics"]["step_seconds"]
            step["ci95"] = [0.4 * step["median"], 1.6 * step["median"]]
        report = self.write("wide.json", content)
        rates = page_rates(self.export(report, "html"))
        self.assertEqual(sorted(rates), sorted(chart_rates(reports.load(report).cases)))
        self.assertEqual({rate.partition(" ")[2] for rate in rates}, {"±>50 %"})

    def test_rows_per_second_of_the_chart_and_of_the_table_differ_only_by_slow_steps(self):
        """A table divides by the mean step, a chart by the median one: equal for steps that are all alike."""
        report = SOURCE / "results" / "h200-four-models.json"
        for case, row in zip(
            reports.load(report).cases, csv.DictReader(io.StringIO(self.export(report, "csv"))), strict=True
        ):
            ratio = float(row["step_mean_seconds"]) / float(row["step_seconds"])
            self.assertAlmostEqual(case.rows().value / float(row["rows_per_second"]), ratio)


if __name__ == "__main__":
    main()
