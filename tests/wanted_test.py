"""A missing package or program skips a test, and fails it in CI."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = """
import unittest
import wanted
class Some(unittest.TestCase):
    @wanted.program("no-such-program")
    def test_of_a_program(self): pass
    @wanted.program("sh")
    def test_of_another(self): print("was run")
    def test_in_its_middle(self): wanted.skip("no such thing")
class Many(unittest.TestCase):
    @classmethod
    def setUpClass(cls): wanted.skip("no such class")
    def test(self): pass
unittest.main()
"""


class Wanted(unittest.TestCase):
    def run_python(self, text, ci):
        environment = {name: value for name, value in os.environ.items() if name != "MPSBENCH_CI"}
        if ci is not None:
            environment["MPSBENCH_CI"] = ci
        done = subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, cwd=HERE, env=environment, timeout=60
        )
        return done.returncode, done.stdout, done.stderr

    def test_a_program_that_misses_a_package(self):
        text = "import wanted; wanted.packages('json', 'no_such_package'); print('went on')"
        for ci, code, says in ((None, 77, "skipped: "), ("", 77, "skipped: "), ("true", 1, "missing in CI: ")):
            found, out, _ = self.run_python(text, ci)
            self.assertEqual(found, code, ci)
            self.assertTrue(out.startswith(f"{says}no Python package no_such_package ("), out)
            self.assertNotIn("went on", out)

    def test_a_program_that_misses_nothing(self):
        for ci in (None, "true"):
            found = self.run_python("import wanted; wanted.packages('json', 'os'); print('went on')", ci)
            self.assertEqual(found, (0, "went on\n", ""))

    def test_tests_are_skipped(self):
        code, out, err = self.run_python(TESTS, None)
        self.assertEqual((code, out), (0, "was run\n"), err)
        self.assertIn("OK (skipped=3)", err)

    def test_tests_fail_in_ci(self):
        code, out, err = self.run_python("import sys; sys.platform = 'linux'" + TESTS, "true")
        self.assertEqual((code, out), (1, "was run\n"), err)
        self.assertIn("FAILED (failures=2, errors=1)", err)
        for reason in ("no-such-program is not installed", "no such thing", "no such class"):
            self.assertIn(f"missing in CI: {reason}", err)

    def test_a_program_that_only_linux_gets_skips_on_a_mac(self):
        code, _, err = self.run_python("import sys; sys.platform = 'darwin'" + TESTS, "true")
        self.assertEqual(code, 1)
        self.assertIn("FAILED (failures=1, errors=1, skipped=1)", err)
