"""Installs the built tree, moves it, and runs it in the new place.

    install_test.py CMAKE BUILD TORCH

TORCH is 1 if the worker was built, otherwise 0.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CMAKE, BUILD, TORCH = sys.argv.pop(1), Path(sys.argv.pop(1)), sys.argv.pop(1) == "1"
SOURCE = Path(__file__).resolve().parents[2]


class InstalledTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name) / "work"
        cls.work.mkdir()
        cls.tree = Path(folder.name) / "moved to" / "here"
        first = Path(folder.name) / "first"
        subprocess.run([CMAKE, "--install", str(BUILD), "--prefix", str(first)], check=True, stdout=subprocess.DEVNULL)
        cls.tree.parent.mkdir()
        first.rename(cls.tree)

    def mpsbench(self, *arguments):
        done = subprocess.run([self.tree / "bin/mpsbench", *arguments], cwd=self.work, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_holds_what_the_program_reads(self):
        for folder in ("models", "configs", "configs/schema"):
            expected = {path.name for path in (SOURCE / folder).glob("*.json")}
            installed = {path.name for path in (self.tree / "share" / "mpsbench" / folder).glob("*.json")}
            self.assertEqual(installed, expected)

    def test_holds_the_manual_page_and_completions(self):
        share = self.tree / "share"
        self.assertEqual((share / "man" / "man1" / "mpsbench.1").read_text(), self.mpsbench("man"))
        for shell, place in (
            ("bash", "bash-completion/completions/mpsbench"),
            ("zsh", "zsh/site-functions/_mpsbench"),
            ("fish", "fish/vendor_completions.d/mpsbench.fish"),
        ):
            self.assertEqual((share / place).read_text(), self.mpsbench("completion", shell))

    def test_lists_models_and_suites(self):
        listed = self.mpsbench("list", "models")
        for path in (SOURCE / "models").glob("*.json"):
            self.assertIn(path.stem, listed)
        self.assertIn("quick", self.mpsbench("list", "suites"))

    @unittest.skipUnless(TORCH, "built without LibTorch")
    def test_measures(self):
        out = self.mpsbench(
            "run", "-m", "mlp", "--mode=infer", "-b", "1", "-r", "1", "--max-time=0.5s", "--format=json"
        )
        self.assertEqual([case["status"] for case in json.loads(out)["cases"]], ["ok"])

    @unittest.skipUnless(TORCH, "built without LibTorch")
    def test_times_operations(self):
        self.assertIn("launch/cpu/", self.mpsbench("ops", "--device", "cpu", "--benchmark_filter=^launch/"))
