"""Runs data sets from files on the stand-in: an epoch with evaluation, which learns the same as on the CPU."""

import shutil

import standin
from dataset_files import fixture


class Data(standin.StandinTest):
    def make(self, *kinds, rows):
        for kind in kinds:
            sizes = ("--rows", "2000") if kind == "vocab" else ("--rows", str(rows), "--test-rows", "40")
            shutil.copytree(fixture(kind, *sizes), self.work / "data", dirs_exist_ok=True)

    def train(self, model, dataset, *more):
        """Runs an epoch on both devices, and expects the same rows, losses and predictions."""
        data = ("--dataset", dataset, "--data-dir", "data", "-d", "cpu,mps")
        once = ("--mode", "train", "-r", "1", "--epochs", "1", "--export-json", "out.json")
        self.expect(0, "run", "-m", model, *data, *once, *more)
        self.validate("out.json")
        report = self.expect_ok(self.report())
        self.expect_same_losses(report, 1e-4)
        cpu, mps = (
            [(one["part"], one["rows"], one["correct"]) for one in launch["evaluations"]]
            for launch in self.launches(report)
        )
        self.assertEqual([part for part, _, _ in mps], ["train", "validation", "test"])
        for (_, rows, correct), (_, mps_rows, mps_correct) in zip(cpu, mps, strict=True):
            self.assertEqual(mps_rows, rows)
            self.assertLessEqual(abs(mps_correct - correct), 1)  # one row may be so close that it differs

    def test_images(self):
        self.make("mnist", rows=400)
        self.train("lenet5", "mnist", "-b", "32")

    def test_texts_of_their_own_lengths(self):
        self.make("trec", "vocab", rows=120)
        self.train("bert-tiny", "trec", "-b", "8", "--pad", "longest")

    def test_images_that_are_resized(self):
        self.make("cifar10", rows=40)
        options = ("--dataset", "cifar10", "--data-dir", "data", "-b", "2")
        report = self.expect_ok(self.run_mps("--mode", "train", *options, model="resnet18"))
        self.assertEqual(report["cases"][0]["spec"]["rows"], 36)  # without the rows for validation

    def test_as_published(self):
        self.make("mnist", rows=400)
        options = ("--dataset", "mnist", "--data-dir", "data", "-d", "mps", "--as-published", "-b", "32")
        self.expect(0, "run", "lenet-mnist", *options, "--export-json", "out.json")
        self.validate("out.json")
        (case,) = self.expect_ok(self.report())["cases"]
        self.assertIn("as-published", case["flags"])
        self.assertTrue(case["launches"][0]["evaluations"])
