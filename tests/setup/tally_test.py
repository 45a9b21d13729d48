"""The count at the end of scripts/test and .ci/run."""

import subprocess
import tempfile
import unittest
from pathlib import Path

LIBRARY = Path(__file__).resolve().parents[2] / "scripts" / "lib"
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


class Tally(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "build" / "dev").mkdir(parents=True)

    def fake_ctest(self, status, tests=0, failed=(), skipped=0, results=True):
        cases = "\n".join(f'\t<testcase name="{name}" classname="{name}" time="1" status="fail">' for name in failed)
        if results:
            text = JUNIT.format(tests=tests, failures=len(failed), skipped=skipped, cases=cases)
            (self.root / "source.xml").write_text(text)
        ctest = self.root / "ctest"
        ctest.write_text(CTEST.format(source=self.root / "source.xml", status=status))
        ctest.chmod(0o755)

    def run_shell(self, commands):
        script = f"""root={self.root}
source {LIBRARY}/common.sh
source {LIBRARY}/build.sh
source {LIBRARY}/tally.sh
cmake={self.root}/cmake
{commands}
finish_tally"""
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()

    def test_sum_of_ctest_and_checks(self):
        self.fake_ctest(0, tests=12, skipped=2)
        status, lines = self.run_shell("run_ctest dev\ncheck one true")
        self.assertEqual((status, lines[-1]), (0, "11 passed, 0 failed"))
        self.assertIn("2 tests of dev were skipped", lines)

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


if __name__ == "__main__":
    unittest.main()
