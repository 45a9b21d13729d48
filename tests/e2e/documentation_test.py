"""Runs every block of commands in the documentation in a shell, as a reader would, with the fake worker. If a block
needs more than a test can offer, a comment before it says so; then the test only checks that --help has its options.

Also checks that the generated parts of the documentation are up to date.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ceilings_test import CeilingsTest
from dataset_files import fixture
from doc_pages import Block, blocks
from support import FAKE_WORKER, MPSBENCH, SOURCE, TINY, another
from wanted import packages

packages("matplotlib", "numpy", "yaml")
# If a block needs one of these, it is not run.
NEEDS = {"gpu", "mac", "download", "time", "an interrupted run", "launcher"}
PAGES = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").glob("*.md"))]
BLOCKS = [block for page in PAGES for block in blocks(page)]
INTERPRETERS = {"sh": ["bash", "-euo", "pipefail"], "python": [sys.executable]}
LONGEST_WAIT = 300  # seconds for a block; the slowest block takes a twentieth of this
REPORTS = ("A", "B", "C", "OLD", "NEW", "MINE", "NAME")


def with_few_launches(text):
    """Some suites take as many launches as fit into their time: of the fake worker's, these are hundreds."""
    text = re.sub(r"-r 20\b", "-r 5", text)
    text = re.sub(r"mpsbench run cpu\b", r"\g<0> -r 1", text)
    return re.sub(r"mpsbench run (quick|modern)\b(?!.* (-r|--dry-run))", r"\g<0> -r 2", text)


class Documentation(CeilingsTest):
    def setUp(self):
        super().setUp()
        programs = self.folder / "programs"
        scripts = self.work / "scripts"
        for folder in (programs, scripts):
            folder.mkdir()
        for link in (programs / "mpsbench", scripts / "mpsbench"):
            link.symlink_to(MPSBENCH)
        for script in (SOURCE / "scripts").iterdir():
            if script.name != "mpsbench":
                (scripts / script.name).symlink_to(script)
        (self.work / "results").mkdir()
        for report in ("published", "h200-four-models.json"):
            (self.work / "results" / report).symlink_to(SOURCE / "results" / report)
        (self.work / "OTHER").mkdir()
        (self.work / "OTHER/mpsbench-worker").symlink_to(FAKE_WORKER)
        self.write("my-net.json", TINY)
        self.write("FILE.pt", "a TorchScript file, which the fake worker does not open")
        self.write("FILE.pt2", "a package, which the fake worker does not open")
        self.write("nightly.json", suite_of_the_page())
        self.env["PATH"] = f"{programs}:{Path(sys.executable).parent}:{self.env['PATH']}"
        self.env["PYTHONPATH"] = str(SOURCE / "python")

    quick = None

    def make_reports(self, text):
        """Makes the reports that TEXT names, on this machine."""
        for name in REPORTS:
            if f"{name}.json" in text:
                if not self.quick:
                    self.expect(0, "run", "quick", "-r", "3", "--export-json", "quick.json", "-q")
                    Documentation.quick = self.report("quick.json")
                self.write(f"{name}.json", another(self.quick, name))

    def make_data(self, text):
        if not re.search(r"--data-dir D\b", text):
            return
        for name in ("mnist", "cifar10"):
            shutil.copytree(fixture(name, "--rows", "640", "--test-rows", "64"), self.work / "D", dirs_exist_ok=True)

    def run_block(self, block):
        self.make_reports(block.text)
        self.make_data(block.text)
        command = [*INTERPRETERS[block.language], "-c", with_few_launches(block.text)]
        done = subprocess.run(
            command, timeout=LONGEST_WAIT, cwd=self.work, env=self.env, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, f"{block.place}\n{block.text}\n{done.stdout}\n{done.stderr}")

    def look_up(self, block):
        for line in block.text.splitlines():
            command = re.match(r"(?:scripts/)?mpsbench (\w+)(.*)", line.partition(" #")[0])
            if command:
                known = self.expect(0, command[1], "--help").out
                for option in re.findall(r"(?<= )--?[a-z][a-z_-]*", command[2]):
                    self.assertRegex(known, rf"(?<![\w-]){option}(?![\w-])", f"{block.place}: {line}")

    def test_blocks_say_what_they_need_in_known_words(self):
        for block in BLOCKS:
            self.assertIn(block.language, {"text", "json", "yaml", "cmake", "cpp", *INTERPRETERS}, block.place)
            self.assertIn(block.needs, NEEDS | {""}, block.place)
        self.assertGreater(sum(block.language == "sh" and not block.needs for block in BLOCKS), 15)

    def make_checkouts(self):
        """Both commits of a workflow, "built" before."""
        for commit in ("old", "new"):
            for link, program in (("scripts/mpsbench", MPSBENCH), ("build/release/bin/mpsbench-worker", FAKE_WORKER)):
                place = self.work / commit / link
                place.parent.mkdir(parents=True)
                place.symlink_to(program)
        comments = self.folder / "comments"
        gh = self.folder / "programs/gh"
        gh.write_text(f'#!/bin/sh\necho "$@" >> {comments}\n', encoding="utf-8")
        gh.chmod(0o755)
        return comments

    def run_workflow(self, text, name, codes=None):
        """Runs the shell steps of the workflow NAME in TEXT, in their order, as a runner does. CODES are the exit codes
        of steps by their ids; 0 by default.
        """
        import yaml

        workflow = yaml.safe_load(text)
        self.assertEqual(workflow["name"], name)
        self.assertIn(True, workflow)  # "on", which YAML 1.1 reads as true
        (self.folder / "home").mkdir(exist_ok=True)
        summary = self.folder / "summary"
        env = self.env | {"GITHUB_STEP_SUMMARY": str(summary)}
        (job,) = workflow["jobs"].values()
        for step in job["steps"]:
            self.assertNotEqual("run" in step, "uses" in step, step)
            if "run" not in step:
                continue
            script = with_few_launches(re.sub(r"\$\{\{.*?\}\}", "7", step["run"]))
            done = subprocess.run(["bash", "-e", "-c", script], cwd=self.work, env=env, capture_output=True, text=True)
            code = (codes or {}).get(step.get("id"), 0)
            self.assertEqual(done.returncode, code, f"{script}\n{done.stdout}\n{done.stderr}")
        return summary.read_text(encoding="utf-8")

    def test_workflow_for_hosted_runners(self):
        (block,) = (one for one in BLOCKS if "speed of a pull request" in one.text)
        comments = self.make_checkouts()
        summary = self.run_workflow(block.text, "speed of a pull request")
        self.assertIn("No case of 10 is slower", summary)
        self.assertIn("| before | after |", summary)
        self.assertIn("pr comment 7 ", comments.read_text(encoding="utf-8"))
        self.assertTrue((self.work / "new-versus.json").exists())
        (self.work / "old/build/release/bin/mpsbench-worker").unlink()
        self.run_workflow(block.text, "speed of a pull request", codes={"speed": 2})

    def test_workflow_for_a_machine_of_ones_own(self):
        (block,) = (one for one in BLOCKS if "self-hosted" in one.text)
        self.assertIn("No case of 10 is slower", self.run_workflow(block.text, "speed"))
        self.assertTrue((self.work / "junit.xml").exists())

    def test_a_misspelt_option_is_found(self):
        wrong = Block(SOURCE / "README.md", 1, "sh", "gpu", "mpsbench run --modell vgg16 --device mps\n")
        with self.assertRaises(AssertionError):
            self.look_up(wrong)
        with self.assertRaises(AssertionError):
            self.run_block(wrong)

    def test_generated_parts_are_fresh(self):
        script = SOURCE / "scripts/dev/make_docs.py"
        command = [sys.executable, script, "--check", "--mpsbench", MPSBENCH]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


def suite_of_the_page():
    (block,) = (one for one in blocks(SOURCE / "docs/suites.md") if one.language == "json")
    return json.loads(block.text)


for one in BLOCKS:
    if one.language in INTERPRETERS:
        name = "test_" + re.sub(r"\W", "_", one.place)
        method = Documentation.look_up if one.needs else Documentation.run_block
        setattr(Documentation, name, lambda self, method=method, block=one: method(self, block))
