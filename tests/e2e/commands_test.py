"""The output of every command: data on stdout, everything else on stderr, and suggestions for typos."""

import json
import os
import sys
import unittest

from support import MPSBENCH, SOURCE, FrontTest, normal

COMMANDS = ("run", "list", "doctor", "ops", "validate", "compare", "cache")


class Words(FrontTest):
    def test_help_of_everything(self):
        text = self.expect(0, "--help").out
        for command in COMMANDS:
            self.assertIn(command, text)
            own = self.expect(0, command, "--help")
            self.assertIn("--help", own.out)
            self.assertEqual(own.err, "")
        self.assertIn("130", text)


class Data(FrontTest):
    def test_a_reader_that_has_seen_enough_spoils_nothing(self):
        reading, writing = os.pipe()
        front = self.start("run", "-m", "tiny.json", "--export-json", "out.json", stdout=writing)
        os.close(writing)
        os.close(reading)
        done = self.finish(front)
        self.assertEqual(done.code, 0, done)
        self.assertNotIn("stdout", done.err)
        self.assertEqual(self.report()["run"]["status"], "complete")

    def test_a_talkative_worker_does_not_reach_stdout(self):
        session = [{"flood": {"stream": s, "text": "noise\n", "count": 2000}} for s in ("stdout", "stderr")]
        said = self.expect(0, "run", "-m", "tiny.json", "-f", "json", session=session + normal())
        self.assertEqual(json.loads(said.out)["run"]["status"], "complete")

    def test_libtorchs_variables_are_shown(self):
        name = "PYTORCH_MPS_HIGH_WATERMARK_RATIO"
        self.env[name] = "0.5"
        head = self.expect(0, "run", "-m", "tiny.json", "--export-json", "r.json").out.splitlines()[0]
        host = self.report("r.json")["host"]
        self.assertEqual(host["environment"][name], "0.5")
        system = f"{host['os']['name']} {host['os']['version']} {host['os']['arch']}"
        for text in (system, "LibTorch 2.13.0+fake", f"{name}=0.5"):
            self.assertIn(text, head)
        findings = {one["subject"]: one for one in json.loads(self.expect(0, "doctor", "-f", "json").out)}
        self.assertIn(f"{name}=0.5", findings["variables"]["message"])

    def test_every_definition_and_suite_of_ours_is_good(self):
        files = [*(SOURCE / "models").glob("*.json"), *(SOURCE / "configs").glob("*.json")]
        said = self.expect(0, "validate", *files)
        self.assertEqual(said.out.count(": ok: "), len(files))

    @unittest.skipUnless(sys.platform == "linux", "/dev/full is Linux's")
    def test_stdout_cannot_be_written(self):
        for arguments in (("list", "models"), ("run", "-m", "tiny.json", "--export-json", "r.json", "-f", "csv")):
            with open("/dev/full", "w") as full:  # noqa: PTH123
                said = self.expect(5, *arguments, stdout=full)
            self.assertIn("stdout", said.err)
        self.assertEqual(self.report("r.json")["run"]["status"], "complete")


class Place(FrontTest):
    def test_starts_from_anywhere(self):
        link = self.folder / "link"
        link.symlink_to(MPSBENCH)
        self.expect(0, "list", "models", executable=str(link))

    def test_a_missing_worker_is_told_before_anything_is_written(self):
        self.env["MPSBENCH_WORKER"] = str(self.folder / "nothing")
        self.expect_refused("run", "-m", "tiny.json", "--export-json", "r.json", says=["MPSBENCH_WORKER"])
