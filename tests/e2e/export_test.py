"""`mpsbench export`, which writes files for other programs, and `mpsbench merge`, which joins reports."""

import copy
import csv
import io
import json
import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

import wanted
from support import SOURCE, FrontTest, is_root_on_linux, without_launches

FORMATS = (
    *("table", "md", "csv", "json", "jsonl", "html", "junit"),
    *("google-benchmark", "github-action", "bencher"),
)
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


def fail_first_case(report):
    case = report["cases"][0]
    case |= {"status": "crashed", "failure": {"kind": "signal", "message": "signal 11", "detail": "x"}}
    without_launches(case)


class Formats(ExportTest):
    def medians(self):
        return {case["id"]: case["metrics"]["step_seconds"]["median"] for case in self.base["cases"]}

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.export("csv", "out.json"))))
        self.assertEqual({row["id"]: float(row["step_seconds"]) for row in rows}, self.medians())

    def test_markdown(self):
        lines = self.export("md", "out.json").splitlines()
        self.assertEqual(len(lines), 2 + len(self.base["cases"]))
        self.assertEqual(len({line.count("|") for line in lines}), 1)

    def test_junit(self):
        suites = ET.fromstring(self.export("junit", "out.json", self.make("bad.json", fail_first_case)))
        self.assertEqual((suites.tag, [suite.tag for suite in suites]), ("testsuites", ["testsuite"] * 2))
        good, bad = suites
        self.assertEqual([good.get(key) for key in ("tests", "failures", "errors", "skipped")], ["2", "0", "0", "0"])
        self.assertEqual([bad.get(key) for key in ("tests", "failures", "errors", "skipped")], ["2", "0", "1", "0"])
        self.assertEqual([one.get("name") for one in good.iter("testcase")], self.base["run"]["plan"])
        walls = [sum(one["wall_seconds"] for one in case["launches"]) for case in self.base["cases"]]
        for one, wall in zip(good.iter("testcase"), walls, strict=True):
            self.assertAlmostEqual(float(one.get("time")), wall, delta=0.001)
        self.assertAlmostEqual(float(good.get("time")), sum(walls), delta=0.001)
        self.assertEqual(bad.find("testcase/error").get("message"), "crashed (signal 11)")
        properties = {one.get("name"): one.get("value") for one in good.iter("property")}
        for name, median in self.medians().items():
            self.assertEqual(float(properties[f"{name} step_seconds"]), median)

    def test_google_benchmark(self):
        entries = json.loads(self.export("google-benchmark", "out.json"))["benchmarks"]
        medians = {one["run_name"]: one["real_time"] for one in entries if one.get("aggregate_name") == "median"}
        for name, median in self.medians().items():
            self.assertAlmostEqual(medians[name], median * 1e9, delta=median)
        launches = [one for one in entries if one["run_type"] == "iteration"]
        self.assertEqual([one["repetition_index"] for one in launches], [0, 1, 2, 3] * 2)

    def test_github_action(self):
        entries = json.loads(self.export("github-action", "out.json"))
        self.assertEqual({one["name"] for one in entries}, set(self.medians()))
        for one in entries:
            self.assertAlmostEqual(one["value"], self.medians()[one["name"]] * 1e3)
            self.assertEqual({type(one[key]) for key in ("name", "unit", "range", "extra")}, {str})

    def test_bencher(self):
        exported = json.loads(self.export("bencher", "out.json"))
        self.assertEqual(set(exported), set(self.medians()))
        for name, measures in exported.items():
            self.assertAlmostEqual(measures["latency"]["value"], self.medians()[name] * 1e9, delta=1)
            for measure in measures.values():
                self.assertLessEqual(measure["lower_value"], measure["value"])
                self.assertLessEqual(measure["value"], measure["upper_value"])

    def test_cases_that_were_not_measured_are_told_or_left_out_with_a_warning(self):
        bad = self.make("bad.json", fail_first_case)
        for form in FORMATS:
            leaves_out = form in ("github-action", "bencher")
            warning = f"warning: {form} has no place for what was not measured: 1 case of 2 is left out\n"
            text = self.export(form, bad, err=warning if leaves_out else "")
            self.assertEqual("crashed" in text, not leaves_out, form)

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

    def test_a_journal_is_no_report(self):
        self.write("run.jsonl", '{"journal_version": 1}\n')
        self.expect_refused("export", "run.jsonl", "-f", "csv", says=["run.jsonl"])

    def test_one_case_in_two_reports(self):
        other = self.make("other.json")
        self.expect_refused("export", "out.json", other, "-f", "bencher", says=["mpsbench merge"])
        self.make("far.json", lambda report: report["host"].update(name="far"))
        self.assertIn("@far", self.export("bencher", "out.json", "far.json"))
        self.expect_refused("export", "out.json", "far.json", "-f", "google-benchmark", says=["one by one"])

    @unittest.skipIf(is_root_on_linux(), "root may write everywhere")
    def test_a_place_that_cannot_be_written_is_found_first(self):
        (self.work / "locked").mkdir(mode=0o500)
        for command in (["export", "none.json", "-f", "csv"], ["merge", "none.json", "nor.json"]):
            self.expect_refused(*command, "-o", "locked/x", says=["locked/x", "--output"])


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

    def test_runs_of_other_cases(self):
        more = self.run_tiny("--mode", "train", "-b", "4,16", "-r", "1", report="more.json")
        counts = dict.fromkeys(self.base["run"]["plan"], 4)
        for name in more["run"]["plan"]:
            counts[name] = counts.get(name, 0) + 1
        self.expect(0, "merge", "more.json", "out.json", "-o", "both.json")
        self.validate("both.json")
        both = self.report("both.json")
        self.assertEqual({case["id"]: len(case["launches"]) for case in both["cases"]}, counts)
        self.assertEqual(sorted(one["order"] for case in both["cases"] for one in case["launches"]), list(range(10)))
        self.expect(0, "run", "--resume", "both.json", "--dry-run")
        self.expect_refused("compare", "out.json", "both.json", says=["have launches of", "in common"])

    def test_what_does_not_belong_together(self):
        def other_torch(report):
            report["host"]["libtorch"]["version"] = "9.9.9"

        self.expect_refused(
            "merge", "out.json", self.make("b.json", other_torch), code=4, says=["b.json", "host.libtorch.version"]
        )
        self.run_tiny("--mode", "train", "-b", "4", "--seed", "9", report="seed.json")
        seeded = self.report("seed.json")
        for part in (seeded["run"]["planned"][0], seeded["cases"][0]):
            part["id"] = self.base["run"]["plan"][0]
        seeded["run"]["plan"] = [self.base["run"]["plan"][0]]
        self.write("seed.json", seeded)
        self.expect_refused("merge", "out.json", "seed.json", code=4, says=["spec.seed is 9 in seed.json"])
        self.expect_refused("merge", "out.json", "out.json", says=["count twice"])
