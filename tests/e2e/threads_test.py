"""--threads, --interop-threads and --affinity, and the advice to use fewer threads on a busy machine."""

import os
import subprocess
import sys
import unittest

from support import FrontTest, normal

TINY = ("--mode", "infer", "-r", "1", "-d", "cpu")


class Axis(FrontTest):
    def setUp(self):
        super().setUp()
        self.env["OMP_NUM_THREADS"] = "2"

    def test_every_number_is_a_case_with_a_column(self):
        report = self.run_tiny(*TINY, "--threads", "1-4*2", "--interop-threads", "1,3")
        ids = [case["id"].partition("synthetic")[2] for case in report["cases"]]
        options = ("+threads=1", "", "+threads=4")
        self.assertEqual(ids, [f"+interop-threads={many}{one}" for one in options for many in (1, 3)])
        self.assertEqual([case["spec"]["threads"] for case in report["cases"]], [1, 1, 2, 2, 4, 4])
        self.assertEqual([case["spec"]["interop_threads"] for case in report["cases"]], [1, 3] * 3)
        self.assertRegex(self.said.out, r"\n?model +mode +device +prec +batch +threads +inter-op +step")
        for numbers in ((1, 1), (1, 3), (2, 1), (2, 3), (4, 1), (4, 3)):
            self.assertRegex(self.said.out, r" 4 +{} +{} ".format(*numbers))
        self.assertIn(" b4 t4 · launch 1/1", self.said.err)
        self.validate("out.json")

    def test_more_than_the_cores_are_named(self):
        self.run_tiny(*TINY, "--threads", "1,4000,2")
        self.assertRegex(self.said.err, r"--threads 4000 is more than the \d+ usable cores?; threads will wait for")
        self.run_tiny(*TINY, "--threads", "1")
        self.assertNotIn("usable core", self.said.err)


class Affinity(FrontTest):
    def setUp(self):
        super().setUp()
        if sys.platform != "linux":
            self.expect_refused("run", "-m", "tiny.json", "--affinity", "0", says=["--affinity: this system cannot"])
            raise unittest.SkipTest("only Linux binds programs to CPUs")
        del self.env["OMP_NUM_THREADS"]
        self.cpus = sorted(os.sched_getaffinity(0))
        self.seen = self.work / "cpus"
        self.session = [{"write_file": {"path": str(self.seen), "text": "$cpus"}}, *normal()]

    def test_the_worker_has_only_these(self):
        cpu = str(self.cpus[-1])
        report = self.run_tiny(*TINY, "--affinity", f"{cpu},{cpu}", session=self.session)
        (case,) = report["cases"]
        self.assertTrue(case["id"].endswith(f"/synthetic+affinity={cpu}"), case["id"])
        self.assertEqual(case["spec"]["affinity"], cpu)
        self.assertEqual(case["spec"]["threads"], 1)
        self.assertEqual(self.seen.read_text(), cpu)
        self.assertIn("--affinity", case["notes"]["metrics.ceiling_share"])
        self.validate("out.json")

    def test_more_threads_than_its_cores_are_named(self):
        self.run_tiny(*TINY, "--affinity", str(self.cpus[0]), "--threads", "2")
        self.assertIn("--threads 2 is more than the 1 usable core; threads will", self.said.err)


class Variables(FrontTest):
    """Threads that do not work, and variables that are ignored."""

    def setUp(self):
        super().setUp()
        del self.env["OMP_NUM_THREADS"]

    def test_threads_on_one_cpu_are_named_once_and_in_the_report(self):
        self.env["GOMP_CPU_AFFINITY"] = "0"
        session = normal(working_threads={"count": 2, "cpus": "0"})
        report = self.run_tiny("--mode", "infer", "-r", "3", "-d", "cpu", "--threads", "2", session=session)
        told = "2 threads work on 1 CPU (GOMP_CPU_AFFINITY=0); unset GOMP_CPU_AFFINITY, or use --threads 1"
        if len(os.sched_getaffinity(0)) > 1:
            self.assertEqual(self.said.err.count(told), 1, self.said.err)
        working = [launch["working_threads"] for launch in report["cases"][0]["launches"]]
        self.assertEqual(working, [{"count": 2, "cpus": "0"}] * 3)
        self.assertEqual(report["host"]["environment"]["GOMP_CPU_AFFINITY"], "0")
        self.validate("out.json")

    def test_an_affinity_that_hangs_openmp_is_refused_before_anything_starts(self):
        self.env["GOMP_CPU_AFFINITY"] = "abc"
        run = ("run", "-m", "mlp", *TINY, "--export-json", "x.json")
        self.expect_refused(*run, says=["GOMP_CPU_AFFINITY=abc", "unset GOMP_CPU"])
        self.assertIn("cure: unset GOMP_CPU_AFFINITY", self.expect(3, "doctor").out)


class BusyMachine(FrontTest):
    """Beside two processes that keep cores busy."""

    def setUp(self):
        super().setUp()
        self.env["OMP_NUM_THREADS"] = "2"
        for _ in range(2):
            endless = "print(flush=True)\nwhile True: pass"
            busy = subprocess.Popen([sys.executable, "-c", endless], stdout=subprocess.PIPE)
            self.addCleanup(busy.communicate)
            self.addCleanup(busy.kill)
            busy.stdout.readline()

    def session(self, many, one):
        steps = ({"threads": 2, "actions": normal(step_seconds=many)}, {"actions": normal(step_seconds=one)})
        return self.counted(*steps)

    def starts(self):
        return len((self.folder / "starts").read_text().splitlines())

    def test_fewer_threads_that_win_are_named(self):
        report = self.run_tiny(*TINY, session=self.session(0.0239, 0.00093))
        self.assertRegex(
            self.said.err,
            r"other programs take \d+ % of the CPU: tiny/infer/cpu/b4/fp32/eager/synthetic takes 23.9 ms with 2 "
            r"threads and 930 µs with 1; add --threads 1, or stop the other programs\n",
        )
        self.assertIn("took 930 µs with --threads 1 instead of 23.9 ms with 2.\n", self.said.out)
        self.assertEqual(report["run"]["fewer_threads"]["threads"], 1)
        self.assertEqual(report["cases"][0]["spec"]["threads"], 2)
        self.assertEqual(len(report["cases"][0]["launches"]), 1)
        self.assertEqual(self.starts(), 4)

    def test_it_can_be_interrupted(self):
        front = self.start_until_here("run", "-m", "tiny.json", *TINY, "--export-json", "out.json")
        told = "stopped while it tried fewer threads; nothing was measured yet"
        self.assertIn(told, self.interrupt(front).err)
        self.assertEqual([str(path) for path in self.files() if "out" in str(path)], [])
