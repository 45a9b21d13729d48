"""The output of every command: data on stdout, everything else on stderr, and suggestions for typos."""

import csv
import io
import json
import os
import re
import sys
import unittest

from support import MPSBENCH, SOURCE, FrontTest, normal, suite_keys

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

    def test_help_of_run_knows_every_option_of_the_suite_schema(self):
        text = self.expect(0, "run", "--help").out
        self.assertGreater(len(suite_keys()), 25)
        for key in suite_keys():
            self.assertIn(f"--{key}", text)

    def test_version(self):
        said = self.expect(0, "--version")
        self.assertRegex(said.out, r"^mpsbench \d+\.\d+\.\d+")
        self.assertEqual(said.err, "")

    def test_nothing_is_asked(self):
        self.expect_refused(says=["run", "--help"])

    def test_did_you_mean(self):
        slips = {
            ("rum",): "'run'",
            ("run", "--batch-sise", "8"): "'--batch-size'",
            ("run", "--model", "resnet51"): "'resnet50'",
            ("run", "--model", "bert"): "'bert-base' or 'bert-tiny'",
            ("run", "quik"): "'quick'",
            ("list", "--fromat", "json"): "'--format'",
            ("run", "--model", "mlp", "--device", "cup"): "'cpu'",
        }
        for arguments, meant in slips.items():
            self.expect_refused(*arguments, says=[f"did you mean {meant}"])

    def test_other_slips(self):
        slips = ["run", "list", "list colours", "validate", "doctor now", "run --model mlp --model", "run --mod mlp"]
        slips += ["run quick --repeats 1 --repeats 2", "run quick --resume x.json", "completion"]
        slips += ["compare a.json b.json --color blue", "export --format= x.json"]
        for slip in slips:
            said = self.expect_refused(*slip.split()).err
            for words in ("At Most", "not in {", "required", "not expected"):
                self.assertNotIn(words, said)

    def test_times_that_contradict_each_other(self):
        arguments = ("run", "--model", "tiny.json", "--min-time", "5s")
        self.expect_refused(*arguments, says=["--min-time", "3.33 s", "raise --max-time"])
        self.expect(0, *arguments, "--max-time", "15s", "--dry-run")
        tiny = ("run", "--model", "tiny.json", "--dry-run")
        self.expect_refused(*tiny, "-w", "4s", says=["--warmup", "3.33 s", "raise --max-time"])
        counted = ("--iterations", "9", "--max-time", "1s")
        self.expect_refused(*tiny, *counted, says=["--iterations", "leave out --max-time"])
        self.expect_refused(*tiny, "-q", "--verbose", says=["--verbose: contradicts --quiet"])

    def test_a_list_option_does_not_swallow_the_suite(self):
        text = self.expect(0, "run", "-b", "1,8", "quick", "--dry-run").out
        self.assertIn("mlp/train/cpu/b8/", text)
        self.assertIn("vgg16/infer/cpu/b1/", text)

    def test_words_of_a_terminal_are_not_obeyed(self):
        said = self.expect_refused("run", "--model", "\x1b[2Jmlp\r\n")
        self.assertNotIn("\x1b", said.err)


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

    def measured(self, form, *more):
        options = ("-b", "1,8", "-r", "2", "--export-json", "r.json", "-f", form)
        return self.expect(0, "run", "-m", "tiny.json", *options, *more)

    def test_json(self):
        said = self.measured("json")
        self.assertEqual(json.loads(said.out), self.report("r.json"))

    def test_jsonl(self):
        cases = [json.loads(line) for line in self.measured("jsonl").out.splitlines()]
        self.assertEqual(cases, self.report("r.json")["cases"])

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.measured("csv").out, newline=""), strict=True))
        self.assertEqual([(row["mode"], row["batch_size"]) for row in rows][:2], [("train", "1"), ("train", "8")])
        self.assertEqual(len(rows), 4)
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))

    def test_md(self):
        lines = self.measured("md").out.splitlines()
        self.assertEqual(len(lines), 2 + 4)
        self.assertEqual({line.count(" |") for line in lines}, {lines[0].count(" |")})

    def test_table(self):
        said = self.measured("table")
        lines = said.out.splitlines()
        self.assertTrue(lines[0].startswith("mpsbench "))
        self.assertIn("cpu", lines[0])
        self.assertEqual(lines[-1], "report  r.json")
        self.assertEqual(sum(line.startswith("tiny") for line in lines[:-2]), 4)
        self.assertNotIn("\x1b", said.out)

    def test_a_talkative_worker_does_not_reach_stdout(self):
        session = [{"flood": {"stream": s, "text": "noise\n", "count": 2000}} for s in ("stdout", "stderr")]
        said = self.expect(0, "run", "-m", "tiny.json", "-f", "json", session=session + normal())
        self.assertEqual(json.loads(said.out)["run"]["status"], "complete")

    def test_lists(self):
        names = {path.stem for path in (SOURCE / "models").glob("*.json")}
        listed = json.loads(self.expect(0, "list", "models", "-f", "json").out)
        self.assertEqual({entry["model"] for entry in listed}, names)
        table = self.expect(0, "list", "models").out
        for name in names:
            self.assertRegex(table, rf"(?m)^{re.escape(name)} ")
        for what in ("suites", "devices", "datasets"):
            said = self.expect(0, "list", what, "-f", "json")
            self.assertGreater(len(json.loads(said.out)), 0)
            self.assertEqual(said.err, "")

    def test_doctor(self):
        findings = json.loads(self.expect(0, "doctor", "-f", "json").out)
        self.assertGreater(len(findings), 3)
        for finding in findings:
            self.assertIn(finding["level"], ("ok", "note", "warning", "problem"))
            self.assertEqual(bool(finding["cure"]), finding["level"] in ("warning", "problem"), finding)
        self.assertEqual(self.expect(0, "doctor").err, "")

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

    def test_devices_have_names_and_memory(self):
        (cpu,) = (one for one in json.loads(self.expect(0, "list", "devices", "-f", "json").out) if one["usable"])
        self.assertNotEqual(cpu["name"], "fake processor")
        self.assertGreater(cpu["memory_bytes"], 0)

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
