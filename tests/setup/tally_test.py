"""Tests the counts at the end of scripts/test and .ci/run."""

import shlex
import subprocess
import sys
from pathlib import Path

from folders import FolderTest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
JUNIT = """<testsuite name="x"
\ttests="{tests}"
\tfailures="{failures}"
\tdisabled="0"
\tskipped="{skipped}"
\thostname=""
>
{cases}
</testsuite>
"""
CTEST = """#!/usr/bin/env bash
while [ "$1" != --output-junit ]; do shift; done
cp {source} "$2"
exit {status}
"""


class Tally(FolderTest):
    def setUp(self):
        super().setUp()
        (self.folder / "build/dev").mkdir(parents=True)

    def fake_ctest(self, status, tests=0, failed=(), skipped=0, results=True, output=""):
        cases = "\n".join(f'\t<testcase name="{name}" classname="{name}" time="1" status="fail">' for name in failed)
        cases += output
        if results:
            text = JUNIT.format(tests=tests, failures=len(failed), skipped=skipped, cases=cases)
            self.write("source.xml", text)
        self.write("ctest", CTEST.format(source=self.folder / "source.xml", status=status), 0o755)

    def run_shell(self, commands):
        script = f"""root={self.folder}
source {SCRIPTS}/lib/common.sh
source {SCRIPTS}/lib/build.sh
source {SCRIPTS}/lib/tally.sh
cmake={self.folder}/cmake
{commands}
finish_tally"""
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()

    def test_sum_of_ctest_and_checks(self):
        self.fake_ctest(0, tests=12, skipped=2)
        status, lines = self.run_shell("run_ctest dev\ncheck one true")
        self.assertEqual((status, lines[-1]), (0, "11 passed, 0 failed"))
        self.assertIn("2 tests of dev were skipped", lines)

    def test_sum_has_the_tests_inside_programs(self):
        ends = "[  PASSED  ] 30 tests.", "[  PASSED  ] 1 test.", "[  SKIPPED ] 4 tests, listed below:"
        output = "".join(f"<system-out>a log line\n{end}\n</system-out>" for end in ends)
        self.fake_ctest(0, tests=5, output=output)
        status, lines = self.run_shell("run_ctest dev")
        self.assertEqual((status, lines[-2:]), (0, ["4 tests of dev were skipped", "34 passed, 0 failed"]))

    def test_failures_are_named(self):
        self.fake_ctest(8, tests=5, failed=("stats.median", "setup.torch"))
        status, lines = self.run_shell("run_ctest dev\ncheck one false || true")
        self.assertEqual((status, lines[-1]), (1, "3 passed, 3 failed"))
        for name in ("  dev: stats.median", "  dev: setup.torch", "  one"):
            self.assertIn(name, lines)

    def test_ctest_that_runs_nothing_has_failed(self):
        self.fake_ctest(8, results=False)
        self.assertEqual(self.run_shell("run_ctest dev")[1][-1], "0 passed, 1 failed")

    def test_output_of_a_check_shows_only_when_it_fails(self):
        lines = self.run_shell("check quiet echo planted; check loud bash -c 'echo seen; exit 3' || true")[1]
        self.assertNotIn("planted", lines)
        self.assertIn("seen", lines)

    def test_counts_and_names_of_a_script_are_taken_over(self):
        output = "output\n  indented\n\nfailed:\n  dev: stats.median\n  one\n8 passed, 2 failed"
        commands = shlex.quote(f"echo '{output}'; exit 1")
        status, lines = self.run_shell(f"check two true\nrun_script tests bash -c {commands}")
        self.assertEqual(status, 1)
        self.assertEqual(lines[-4:], ["failed:", "  tests, dev: stats.median", "  tests, one", "9 passed, 2 failed"])

    def test_script_without_a_count_has_failed(self):
        for commands in ("echo broken off; exit 3", "echo '4 passed, 0 failed'; exit 3", "true"):
            status, lines = self.run_shell(f"run_script tests bash -c {shlex.quote(commands)}")
            self.assertEqual((status, lines[-1].split(", ")[1]), (1, "1 failed"), commands)

    def test_script_that_passes(self):
        status, lines = self.run_shell("run_script tests echo '4 passed, 0 failed'")
        self.assertEqual((status, lines[-1]), (0, "4 passed, 0 failed"))


class FailedTests(FolderTest):
    """The output of failed tests, which .ci/run shows at its end."""

    def shown(self, failed):
        cases = '<testcase name="good" status="run"><system-out>fine</system-out></testcase>'
        for name, output in failed.items():
            cases += f'<testcase name="{name}" status="fail"><failure message=""/>'
            cases += f"<system-out>{output}</system-out></testcase>"
        results = self.write("dev/test-results.xml", f"<testsuite>{cases}</testsuite>")
        absent = self.folder / "asan/test-results.xml"
        command = [sys.executable, SCRIPTS / "dev/lib/failed_tests.py", results, absent]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

    def test_the_end_of_each(self):
        long = "\n".join(f"line {i} &lt;" for i in range(100))
        lines = self.shown({"a.long": long, "b.short": "why"})
        self.assertEqual(lines[:2], ["", "== dev: a.long"])
        self.assertEqual(lines[2:30], [f"line {i} <" for i in range(72, 100)])
        self.assertEqual(lines[30:], ["", "== dev: b.short", "why"])

    def test_many_share_one_page(self):
        long = "line\n" * 100
        lines = self.shown({f"t{i}": long for i in range(20)})
        self.assertEqual((lines.count("line"), lines[-1]), (8 * 5, "(12 more failed)"))

    def test_without_the_frame_of_googletest(self):
        output = """Running main() from gtest_main.cc
Note: Google Test filter = A.B
a_test.cpp:3: Failure
[  FAILED  ] A.B (0 ms)
[==========] 3 tests from 1 test suite ran. (0 ms total)
[  PASSED  ] 2 tests.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] A.B

 1 FAILED TEST
"""
        self.assertEqual(self.shown({"a": output})[2:], ["a_test.cpp:3: Failure", "[  FAILED  ] A.B (0 ms)"])

    def test_nothing_failed(self):
        self.assertEqual(self.shown({}), [])
