"""`mpsbench export`, which writes files for other programs, and `mpsbench merge`, which joins reports."""

import copy
import os
import subprocess
import sys
from pathlib import Path

import wanted
from support import SOURCE, FrontTest

FORMATS = (*("table", "md", "csv", "json", "jsonl", "html", "junit"), *("google-benchmark", "github-action", "bencher"))
# Google Benchmark's own reader of its JSON, at its place in Debian's package libbenchmark-tools.
COMPARE = Path(os.environ.get("MPSBENCH_GOOGLE_COMPARE", "/usr/share/benchmark/compare.py"))


class ExportTest(FrontTest):
    def setUp(self):
        super().setUp()
        self.base = self.run_tiny("--mode", "train,infer", "-b", "4", "-r", "4")

    def make(self, name, change=None):
        """Writes the report of another run."""
        report = copy.deepcopy(self.base)
        report["run"]["id"] = name
        if change:
            change(report)
        self.write(name, report)
        return name

    def export(self, form, *files, err=""):
        said = self.expect(0, "export", *files, "--format", form)
        self.assertEqual(said.err, err)
        return said.out


class Formats(ExportTest):
    def test_a_published_report(self):
        for report in sorted((SOURCE / "results").glob("*.json")):
            for form in set(FORMATS) - {"csv", "md", "html"}:  # those are figures_agree_test.py's
                self.assertTrue(self.export(form, report), form)


class GoogleCompare(ExportTest):
    @wanted.program("Google Benchmark's compare.py (Debian: libbenchmark-tools)", COMPARE)
    def test_their_own_program_reads_it(self):
        def slow(report):
            for case in report["cases"]:
                for launch in case["launches"]:
                    launch["samples_seconds"] = [1.5 * one for one in launch["samples_seconds"]]

        for name in ("out.json", self.make("slow.json", slow)):
            self.expect(0, "export", name, "-f", "google-benchmark", "-o", f"{name}.gb")
        command = [sys.executable, "-B", str(COMPARE), "--no-color", "benchmarks", "out.json.gb", "slow.json.gb"]
        done = subprocess.run(command, cwd=self.work, capture_output=True, text=True, check=False)
        if "ModuleNotFoundError" in done.stderr:
            wanted.skip(done.stderr.splitlines()[-1])
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in self.base["run"]["plan"]:
            self.assertRegex(done.stdout, rf"\n{name}_median +\+0\.5000 ")
        self.assertRegex(done.stdout, r"\nOVERALL_GEOMEAN +\+0\.5000 ")


class Refusals(ExportTest):
    def test_unknown_format(self):
        said = self.expect_refused("export", "out.json", "--format", "xml", says=["--format"])
        known = said.err.partition("known: ")[2].partition(";")[0].split(", ")
        self.assertEqual(known, list(FORMATS), "this test has them all")

    def test_one_case_in_two_reports(self):
        other = self.make("other.json")
        self.expect_refused("export", "out.json", other, "-f", "bencher", says=["mpsbench merge"])
        self.make("far.json", lambda report: report["host"].update(name="far"))
        self.assertIn("@far", self.export("bencher", "out.json", "far.json"))
        self.expect_refused("export", "out.json", "far.json", "-f", "google-benchmark", says=["one by one"])


class Merged(ExportTest):
    def half(self, name, indices):
        """Writes a report with only the launches INDICES of the base report."""

        def change(report):
            report["run"]["started_at"] = min(
                launch["started_at"] for case in report["cases"] for launch in case["launches"]
            )
            for case, planned in zip(report["cases"], report["run"]["planned"], strict=True):
                case["launches"] = [one for one in case["launches"] if one["index"] in indices]
                for launch in case["launches"]:
                    launch["index"] -= indices[0]
                    launch["order"] -= indices[0] * len(report["cases"])
                planned["repeats"] = len(indices)

        return self.make(name, change)

    def test_the_halves_of_a_run_make_the_run(self):
        first, second = self.half("first.json", (0, 1)), self.half("second.json", (2, 3))
        self.assertEqual(self.expect(0, "merge", first, second, "-o", "whole.json").out, "")
        self.expect(0, "merge", first, second, "-o", "whole.csv")
        self.assertEqual((self.work / "whole.csv").read_text()[:3], "id,")
        self.validate("whole.json")
        whole = self.report("whole.json")
        for merged, case in zip(whole["cases"], self.base["cases"], strict=True):
            self.assertEqual(merged, case)
        self.assertEqual(whole["run"]["status"], "complete")
        self.assertEqual(whole["run"]["planned"], self.base["run"]["planned"])
