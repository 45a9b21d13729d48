"""How a run gets the packages of compiled engines: once each, and what goes wrong costs only the cases that need them.

A script stands for the compiler. It writes a file that no real worker could load, but the fake worker does not try.
"""

import json
import sys
import unittest

from support import FrontTest

COMPILER = """#!{python} -I
import json, os, sys, time
request = json.loads(sys.stdin.readline())
with open({log!r}, "a") as log:
    log.write(json.dumps(request) + "\\n")
os.write(3, b"thinking\\n")
folder = os.environ["TMPDIR"]
{code}
"""
MAKES = "open(request['package'], 'w').write('a package')"
COMPILED = ("--engine", "compiled", "-r", "1")
INFERS = ("--mode", "infer", "--engine", "eager,compiled", "-r", "2")


class Packages(FrontTest):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "home/.cache/mpsbench/packages"
        self.compiler = self.folder / "python"
        self.env["MPSBENCH_PYTHON"] = str(self.compiler)
        self.compile_by(MAKES)

    def compile_by(self, code):
        text = COMPILER.format(python=sys.executable, log=str(self.folder / "requests"), code=code)
        self.compiler.write_text(text, encoding="utf-8")
        self.compiler.chmod(0o755)

    def requests(self):
        """What the compiler was asked for so far."""
        log = self.folder / "requests"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def by_engine(self, report):
        return {case["spec"]["engine"]: case for case in report["cases"]}

    def packages(self):
        return sorted(self.cache.glob("*.pt2"))

    def expect_no_scratch(self):
        self.assertEqual(list(self.cache.glob("scratch/*")), [])

    def expect_only_compiled_ends(self, report, status, says):
        """Returns the failure of the compiled case."""
        cases = self.by_engine(report)
        self.assertEqual(cases["eager"]["status"], "ok")
        self.assertEqual(cases["compiled"]["status"], status, self.said)
        self.assertEqual([one["status"] for one in cases["compiled"]["launches"]], [status] * 2)
        failure = cases["compiled"]["launches"][0]["failure"]
        self.assertIn(says, failure["message"])
        self.assertNotIn("\n", failure["message"])
        self.assertIn(says, self.said.err)
        self.expect_no_scratch()
        self.validate("out.json")
        return failure


class Makes(Packages):
    def test_each_package_once(self):
        report = self.run_tiny(*INFERS, "-b", "4,8")
        self.assertEqual({case["status"] for case in report["cases"]}, {"ok"})
        self.assertEqual(self.said.err.count("compiled tiny/infer/cpu/b"), 2, self.said)
        self.assertEqual(len(self.packages()), 2)
        self.expect_no_scratch()
        self.assertEqual(self.cache.stat().st_mode & 0o777, 0o700)
        self.run_tiny(*COMPILED, "--mode", "infer", "-b", "8,4", report="again.json")
        self.assertNotIn("compiled tiny", self.said.err)
        self.assertEqual(len(self.requests()), 2)

    def test_two_runs_at_once_compile_once(self):
        self.compile_by("time.sleep(1)\n" + MAKES)
        options = ("run", "-m", "tiny.json", *COMPILED, "--mode", "infer")
        runs = [self.start(*options, "--export-json", f"{name}.json") for name in "ab"]
        for run in runs:
            self.assertEqual(self.finish(run).code, 0)
        self.assertEqual(len(self.requests()), 1)
        for name in "ab":
            self.assertEqual(self.report(f"{name}.json")["cases"][0]["status"], "ok")

    def test_the_search_for_a_batch_compiles_what_it_tries(self):
        session = {"rules": [{"actions": [{"fits": 3}]}]}
        report = self.run_tiny(*COMPILED, "--mode", "infer", "-b", "max", session=session)
        self.assertEqual(report["cases"][0]["spec"]["batch_size"], 3, self.said)
        shapes = [request["network_plan"]["inputs"][0]["shape"][0] for request in self.requests()]
        self.assertEqual(len(shapes), len(set(shapes)))
        self.assertLessEqual({3, 4}, set(shapes))


class Fails(Packages):
    def test_the_compiler_fails(self):
        self.compile_by("print('some words'); sys.exit('layer fc: nobody knows it')")
        report = self.run_tiny(*INFERS, code=5)
        failure = self.expect_only_compiled_ends(report, "failed", "layer fc: nobody knows it")
        self.assertEqual(failure["kind"], "compile")
        self.assertIn("some words", failure["detail"])
        self.assertEqual(len(self.requests()), 1)  # not again for each launch
        for code, status, says in (
            ("os.kill(os.getpid(), 9)", "failed", "python was killed by SIGKILL"),
            ("os.write(3, b'tracing\\n')", "failed", "there is no package"),
            ("time.sleep(60)", "timeout", "compiling did not finish within 1.00 s; raise --timeout"),
        ):
            self.compile_by(code)
            self.expect_only_compiled_ends(self.run_tiny(*INFERS, "--timeout", "1s", code=5), status, says)


class Stops(Packages):
    def start_compiling(self):
        """Starts a run whose compiler takes as long as its input is open, and returns it when that has begun."""
        self.begun = self.folder / "begun"
        self.compile_by(f"open({str(self.begun)!r}, 'w'); sys.stdin.read()")
        front = self.start("run", "-m", "tiny.json", *INFERS, "--export-json", "out.json")
        self.await_file(self.begun)
        return front

    def test_ctrl_c(self):
        said = self.interrupt(self.start_compiling())
        self.assertEqual(self.report()["run"]["status"], "interrupted")
        self.assertEqual(set(map(tuple, self.statuses(self.report()).values())), {()})
        self.assertIn("to continue: mpsbench run --resume out.json", said.err)
        self.expect_no_orphans()
        self.expect_no_scratch()
        self.validate("out.json")
        self.compile_by(MAKES)
        self.expect(0, "run", "--resume", "out.json")
        self.assertEqual(list(self.statuses(self.report()).values()), [["ok"] * 2] * 2)

    def test_ctrl_c_while_another_run_compiles(self):
        first = self.start_compiling()
        options = ("run", "-m", "tiny.json", *INFERS, "--export-json", "b.json", "--verbose")
        second = self.start(*options)
        while "waiting for another run" not in second.stderr.readline():
            self.assertIsNone(second.poll())
        self.interrupt(second)
        self.assertIsNone(first.poll())
        self.interrupt(first)

    @unittest.skipUnless(sys.platform == "linux", "looks at /proc")
    def test_a_killed_run_leaves_a_folder_that_the_next_one_removes(self):
        self.kill(self.start_compiling())  # and the compiler ends, too
        self.assertEqual(len([each for each in (self.cache / "scratch").iterdir() if each.is_dir()]), 1)
        self.compile_by(MAKES)
        self.expect(0, "run", "--resume", "out.jsonl")
        self.assertEqual(list(self.statuses(self.report()).values()), [["ok"] * 2] * 2)
        self.expect_no_scratch()
