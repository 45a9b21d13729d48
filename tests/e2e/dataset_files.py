"""The front with the real worker and files of data sets, made by scripts/make_fixture.py."""

import contextlib
import io
import shutil
import tempfile
import unittest
from pathlib import Path

import wanted
from real_worker import BATCH, RealWorker

wanted.packages("numpy")

import make_fixture  # noqa: E402

MADE = tempfile.TemporaryDirectory()  # what was made for a test, for others that want the same
unittest.addModuleCleanup(MADE.cleanup)


def fixture(*words):
    """The folder that make_fixture.py makes of WORDS. Do not change it."""
    folder = Path(MADE.name) / "_".join(words)
    if not folder.exists():
        with contextlib.redirect_stdout(io.StringIO()):
            code = make_fixture.main([*words, "--out", str(folder)])
        assert code == 0, words
    return folder


class DatasetFiles(RealWorker):
    def make(self, name, rows, test_rows, *more):
        made = fixture(name, "--rows", str(rows), "--test-rows", str(test_rows), *more)
        return shutil.copytree(made, self.work / name, dirs_exist_ok=True)

    def train(self, folder, *more, code=0, report="out.json"):
        options = ("run", "-m", "lenet5", "--mode", "train", "-d", "cpu", "--dataset", "mnist", "-r", "1")
        said = self.expect(code, *options, "--data-dir", folder, "--export-json", report, *more)
        return self.report(report)["cases"][0], said

    def make_texts(self, rows=300, vocabulary=2000):
        folder = self.make("trec", rows, 40)
        shutil.copy(fixture("vocab", "--rows", str(vocabulary)) / "vocab.txt", folder)
        return folder

    def run_texts(self, folder, *more, code=0, mode="train", report="out.json"):
        """Runs one case of bert-tiny with few steps."""
        options = ("-m", "bert-tiny", "-d", "cpu", "--dataset", "trec", "--data-dir", folder, "-b", "8", "--mode", mode)
        said = self.expect(code, "run", *options, *BATCH, "--export-json", report, *more)
        return self.report(report)["cases"][0], said
