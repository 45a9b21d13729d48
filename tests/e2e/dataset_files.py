"""The front with the real worker and files of data sets, made by scripts/make_fixture.py."""

import subprocess
import sys

from real_worker import BATCH, RealWorker
from support import SOURCE

FIXTURE = [sys.executable, str(SOURCE / "scripts/make_fixture.py")]


class DatasetFiles(RealWorker):
    def make(self, name, rows, test_rows, *more):
        folder = self.work / name
        command = [*FIXTURE, name, "--rows", str(rows), "--test-rows", str(test_rows), "--out", str(folder), *more]
        subprocess.run(command, check=True, capture_output=True)
        return folder

    def train(self, folder, *more, code=0, report="out.json"):
        options = ("run", "-m", "lenet5", "--mode", "train", "-d", "cpu", "--dataset", "mnist", "-r", "1")
        said = self.expect(code, *options, "--data-dir", folder, "--export-json", report, *more)
        return self.report(report)["cases"][0], said

    def make_texts(self, rows=300, vocabulary=2000):
        folder = self.make("trec", rows, 40)
        command = [*FIXTURE, "vocab", "--rows", str(vocabulary), "--out", str(folder)]
        subprocess.run(command, check=True, capture_output=True)
        return folder

    def run_texts(self, folder, *more, code=0, mode="train", report="out.json"):
        """Runs one case of bert-tiny with few steps."""
        options = ("-m", "bert-tiny", "-d", "cpu", "--dataset", "trec", "--data-dir", folder, "-b", "8", "--mode", mode)
        said = self.expect(code, "run", *options, *BATCH, "--export-json", report, *more)
        return self.report(report)["cases"][0], said
