"""Files and descriptors that are not as usual: links, streams, closed descriptors, limits, no /proc."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import unittest
from functools import partial
from pathlib import Path

from support import MPSBENCH, FrontTest, safetensors

RUN = ("run", "-m", "tiny.json", "--mode", "infer", "-r", "1")


class WithReport(FrontTest):
    def setUp(self):
        super().setUp()
        self.run_tiny("-r", "1", "--mode", "infer", report="r.json")
        self.csv = self.expect(0, "export", "r.json", "-f", "csv").out

    def mode_of(self, name):
        return (self.work / name).stat().st_mode & 0o777


class Writes(WithReport):
    def test_through_links(self):
        self.write("target.csv", "old").chmod(0o600)
        (self.work / "link.csv").symlink_to("target.csv")
        self.expect(0, "export", "r.json", "-o", "link.csv")
        self.assertEqual((self.work / "target.csv").read_text(), self.csv)
        self.assertTrue((self.work / "link.csv").is_symlink())
        self.assertEqual(self.mode_of("target.csv"), 0o600)

    def test_a_report_through_a_link(self):
        (self.work / "folder").mkdir()
        (self.work / "link.json").symlink_to("folder/real.json")
        self.expect(0, *RUN, "--export-json", "link.json")
        (self.work / "folder/real.json").chmod(0o640)
        self.expect(0, *RUN, "--export-json", "link.json")
        self.assertTrue((self.work / "link.json").is_symlink())
        self.assertEqual({path.name for path in (self.work / "folder").iterdir()}, {"real.json", "real.json.1"})
        self.assertEqual(self.mode_of("folder/real.json"), 0o640)
        self.validate("link.json")

    def test_other_names_of_stdout(self):
        for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            self.write("all.txt", "before\n")
            with (self.work / "all.txt").open("a") as stream:  # as of >>
                self.expect(0, "export", "r.json", "-f", "csv", "-o", name, stdout=stream)
            self.assertEqual((self.work / "all.txt").read_text(), "before\n" + self.csv, name)
        self.assertTrue(Path("/dev/stdout").is_symlink())
        self.assertEqual(self.expect(0, "export", "r.json", "-f", "csv", "-o", "/dev/stderr").err, self.csv)
        self.expect(0, "export", "r.json", "-f", "csv", "-o", "/dev/null")

    def test_a_pipe(self):
        os.mkfifo(self.work / "pipe")
        with subprocess.Popen(["cat", "pipe"], cwd=self.work, stdout=subprocess.PIPE, text=True) as reader:
            self.expect(0, "export", "r.json", "-f", "csv", "-o", "pipe")
            self.assertEqual(reader.communicate()[0], self.csv)
        self.assertTrue((self.work / "pipe").is_fifo())

    def test_reports_need_a_file(self):
        for place in ("/dev/stdout", "/dev/fd/2", "/dev/null"):
            self.expect_refused(*RUN, "--export-json", place, says=["--export-json", "not a regular file"])


class Refuses(WithReport):
    def test_outputs_that_would_destroy_a_document(self):
        shutil.copy(self.work / "r.json", self.work / "base.json")
        os.link(self.work / "base.json", self.work / "hard.json")
        (self.work / "soft").symlink_to("base.json")
        self.write("suite.json", {"name": "s", "matrices": [{"model": ["tiny.json"]}]})
        for name in ("base.json", "hard.json", "soft"):
            self.expect_refused(*RUN, "--log-file", name, says=["--log-file", "not a log"])
            self.expect_refused("export", "r.json", "-f", "csv", "-o", name, says=["is a report"])
            self.expect_refused(*RUN, "-f", "csv", "-o", name, says=["is a report"])
            self.expect_refused(*RUN, "--dump-first-step", name, says=["is a report"])
        for option in ("--export-json", "--dump-first-step", "--log-file"):
            self.expect_refused(*RUN, option, "tiny.json", says=[option])
            self.expect_refused("run", "suite.json", option, "suite.json", says=[option])
        self.write("w.safetensors", safetensors({"fc.weight": [1]}))
        self.expect_refused("export", "r.json", "-f", "csv", "-o", "w.safetensors", says=["not a text file"])
        self.expect_refused("merge", "r.json", "base.json", "-o", "base.json", says=["a file that this command reads"])
        for option in ("-o", "--export-json"):
            self.expect_refused(*RUN, "--log-file", "x.csv", option, "x.csv", says=["--"])
        for own in ("x.json", "x.jsonl", "x-versus.json"):
            self.expect_refused(*RUN, "--log-file", own, "--export-json", "x.json", says=["--log-file", "another file"])
            self.assertFalse((self.work / own).exists())
        self.expect_refused("run", "--resume", "y.jsonl", "--log-file", "y.json", says=["--log-file", "another file"])
        self.expect_refused(*RUN, "--dump-first-step", "x.jsonl", "--export-json", "x.json", says=["the report's file"])
        self.expect_refused("ops", "--benchmark_out=base.json", says=["--benchmark_out", "is a report"])
        self.expect_refused("list", "models", "-f", "json", "-o", "base.json", says=["is a report"])
        self.expect(0, "export", "r.json", "-f", "json", "-o", "base.json")

    def test_the_journal_of_a_live_run(self):
        pid_file = self.folder / "pid"
        session = {"rules": [{"actions": [{"write_file": {"path": str(pid_file), "text": "$pid"}}, {"sleep": 30}]}]}
        front = self.start(*RUN, "--export-json", "out.json", session=session)
        self.await_file(pid_file)
        says = [f"another mpsbench is writing this file (process {front.pid})"]
        self.expect_refused(*RUN, "--export-json", "out.json", says=says)
        for other in (("run", "--resume", "out.jsonl"), ("export", "out.jsonl", "-f", "csv")):
            self.expect_refused(*other, says=says)
        front.kill()
        self.finish(front)
        self.expect_refused(*RUN, "--export-json", "out.json", says=["unfinished run", "--resume"])
        self.expect(0, "run", "--resume", "out.jsonl")
        self.validate("out.json")


class Lacks(WithReport):
    """Things that every process can expect are missing."""

    def test_standard_descriptors(self):
        for closed in ((2,), (1,), (0, 1), (0, 1, 2)):
            name = f"closed{len(closed)}{closed[0]}.json"
            keep = {"stdin": None, "stdout": None, "stderr": None}
            front = self.start(
                *RUN, "--export-json", name, "--log-file=log", preexec_fn=partial(close_all, closed), **keep
            )
            self.assertEqual(self.finish(front).code, 0)
            self.validate(name)
            self.assertNotIn("model ", (self.work / "log").read_text())

    def test_a_journal_keeps_its_launches_without_stderr(self):
        pid_file = self.folder / "pid"
        hang = ["hello", {"write_file": {"path": str(pid_file), "text": "$pid"}}, "hang"]
        session = {"counter": str(self.folder / "starts"), "rules": [{"launch": 2, "actions": hang}]}
        front = self.start(
            *("run", "-m", "tiny.json", "--mode", "infer", "-r", "2", "--verbose", "--export-json", "k.json"),
            session=session,
            preexec_fn=partial(close_all, (2,)),
            stdin=None,
            stdout=None,
            stderr=None,
        )
        self.await_file(pid_file)
        front.kill()
        self.finish(front)
        self.assertEqual(len(self.journal("k.jsonl")[1]), 1)
        said = self.expect(0, "run", "--resume", "k.jsonl")
        self.assertIn("k.jsonl: 1 launch to run", said.err)

    def test_space_below_the_limit_of_a_file(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))  # noqa: E731
        before = self.files()
        done = self.expect(5, "export", "r.json", "-f", "json", "-o", "big.json", preexec_fn=limit)
        self.assertIn("cannot write big.json: File too large", done.err)
        self.assertEqual(self.files(), before)
        done = self.expect(5, *RUN, "--export-json", "u.json", preexec_fn=limit)
        self.assertIn("File too large", done.err)

    def test_descriptors(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))  # noqa: E731
        done = self.expect(2, *RUN, preexec_fn=limit)
        self.assertIn("only 8 files open (ulimit -n)", done.err)

    def test_signals_of_children(self):
        ignored = lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # noqa: E731
        blocked = lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])  # noqa: E731
        crash = {"rules": [{"actions": [{"signal": "KILL"}]}]}
        for name, preexec_fn in (("i", ignored), ("b", blocked)):
            self.expect(0, *RUN, "--export-json", f"{name}.json", preexec_fn=preexec_fn)
            self.validate(f"{name}.json")
            self.expect(5, *RUN, "--export-json", f"{name}k.json", preexec_fn=preexec_fn, session=crash)
            self.assertEqual(self.report(f"{name}k.json")["cases"][0]["status"], "crashed")

    @unittest.skipUnless(sys.platform == "linux" and os.geteuid() == 0, "hides /proc")
    def test_proc(self):
        hidden = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if subprocess.run([*hidden, "true"], capture_output=True).returncode != 0:
            self.skipTest("mounting is refused here")
        if b"__asan_init" in MPSBENCH.read_bytes():
            self.skipTest("AddressSanitizer itself needs /proc")
        for words in (RUN, ("doctor",)):
            done = subprocess.run(
                [*hidden, MPSBENCH, *words], cwd=self.work, env=self.env, capture_output=True, text=True
            )
            self.assertNotIn("unexpected", done.stderr)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_kind_of_terminal(self):
        import pty

        self.env["TERM"] = ""
        controller, terminal = pty.openpty()
        self.expect(0, "list", "models", stdout=terminal, stderr=terminal)
        os.close(terminal)
        self.assertNotIn(b"\x1b", os.read(controller, 1 << 16))
        os.close(controller)


def close_all(descriptors):
    for fd in descriptors:
        os.close(fd)
