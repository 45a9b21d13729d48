"""Real files of data sets, made by scripts/make_fixture.py: what is trained on them and what is refused."""

import json
import shutil
import subprocess
import sys

from real_worker import RealWorker
from support import SOURCE, main

FIXTURE = [sys.executable, str(SOURCE / "scripts/make_fixture.py")]


class Datasets(RealWorker):
    def make(self, name, rows, test_rows, *more):
        folder = self.work / name
        command = [*FIXTURE, name, "--rows", str(rows), "--test-rows", str(test_rows), "--out", str(folder), *more]
        subprocess.run(command, check=True, capture_output=True)
        return folder

    def train(self, folder, *more, code=0, report="out.json"):
        options = ("run", "-m", "lenet5", "--mode", "train", "-d", "cpu", "--dataset", "mnist", "-r", "1")
        said = self.expect(code, *options, "--data-dir", folder, "--export-json", report, *more)
        return json.loads((self.work / report).read_text(encoding="utf-8"))["cases"][0], said

    def test_an_epoch_learns_and_is_evaluated(self):
        folder = self.make("mnist", 4000, 500)
        epoch = ("--epochs", "2", "-b", "32", "--optimizer", "adam:lr=0.002")
        case, said = self.train(folder, *epoch)
        (launch,) = case["launches"]
        self.assertEqual([(one["steps"], one["rows"]) for one in launch["epochs"]], [(112, 3584)] * 2)
        rows = {one["part"]: one["rows"] for one in launch["evaluations"]}
        self.assertEqual(rows, {"train": 3584, "validation": 400, "test": 500})
        self.assertGreater(case["metrics"]["test_accuracy"], 0.9)
        self.assertIsNotNone(case["metrics"]["data_wait_share"])
        self.assertIn("Right after 2 epochs: train ", said.out)
        self.assertNotIn("not-learning", case["flags"])
        self.validate("out.json")
        case, _ = self.train(folder, *epoch[:4], "--optimizer", "sgd:lr=1e-9:momentum=0", report="b.json")
        self.assertIn("not-learning", case["flags"])

    def test_equal_seeds_give_equal_losses(self):
        folder = self.make("mnist", 400, 50)
        losses = []
        for workers in ("0", "2", "3"):
            case, _ = self.train(
                folder, "--max-batches", "5", "--workers", workers, "-b", "16", report=f"{workers}.json"
            )
            losses.append(case["launches"][0]["losses"][:6])
        self.assertEqual(losses[0], losses[1])
        self.assertEqual(losses[0], losses[2])
        case, _ = self.train(folder, "--max-batches", "5", "--seed", "4", "-b", "16", report="other.json")
        self.assertNotEqual(losses[0], case["launches"][0]["losses"][:6])

    def test_the_first_step_is_that_of_the_files(self):
        folder = self.make("mnist", 400, 50)
        self.train(folder, "-b", "16", "--dump-first-step", "step.safetensors", "--max-batches", "1")
        shape, values = self.tensors("step.safetensors")["input"]
        self.assertEqual(shape, [16, 1, 32, 32])
        self.assertLessEqual(max(values), 1.0)  # (0 to 1, less 0.5) over 0.5; synthetic rows are normal
        self.assertGreaterEqual(min(values), -1.0)

    def test_images_of_cifar10(self):
        folder = self.make("cifar10", 200, 40)
        options = ("-m", "resnet18", "-d", "cpu", "--dataset", "cifar10", "--data-dir", folder, "-b", "4")
        self.expect(0, "run", *options, "--max-batches", "2", "--warmup", "0", "-r", "1", "--export-json", "out.json")
        cases = {case["spec"]["mode"]: case for case in self.report()["cases"]}
        self.assertEqual({case["status"] for case in cases.values()}, {"ok"})
        self.assertEqual(cases["train"]["spec"]["rows"], 180)
        self.assertEqual(cases["infer"]["spec"]["rows"], 40)
        self.assertEqual(cases["train"]["spec"]["classes"], 10)

    def test_questions_of_trec(self):
        folder = self.make("trec", 300, 40)
        vocab = [*FIXTURE, "vocab", "--rows", "2000", "--out", str(folder)]
        subprocess.run(vocab, check=True, capture_output=True)
        options = ("-m", "bert-tiny", "-d", "cpu", "--dataset", "trec", "--data-dir", folder, "-b", "8")
        measuring = ("--epochs", "3", "--mode", "train", "-r", "1", "--optimizer", "adamw:lr=0.001")
        self.expect(0, "run", *options, *measuring, "--export-json", "out.json")
        (case,) = self.report()["cases"]
        self.assertEqual(case["launches"][0]["epochs"][0]["steps"], 33)
        self.assertEqual([one["rows"] for one in case["launches"][0]["evaluations"]], [264, 30, 40])
        self.assertGreater(case["metrics"]["test_accuracy"], 0.5)  # of six classes
        self.validate("out.json")
        small = self.write("small.txt", "[PAD]\n")
        self.expect_refused("run", *options, "--vocab", small, says=["small.txt"])
        self.expect_refused("run", *options, "-m", "lenet5", says=["texts"])

    def test_refusals(self):
        folder = self.make("mnist", 400, 50)
        run = ("run", "-d", "cpu", "-m", "lenet5", "--dataset", "mnist")
        self.expect_refused(*run, "--data-dir", "nowhere", says=["nowhere", "scripts/fetch_data mnist"])
        self.expect_refused(*run, "--data-dir", folder, "--rows", "5", says=["--rows", "leave it out"])
        self.expect_refused(*run, "--data-dir", folder, "-b", "361", says=["--batch-size", "360"])
        self.expect_refused("run", "-m", "mlp", "--workers", "2", says=["--workers", "--dataset"])
        self.expect_refused(
            *("run", "-d", "cpu", "-m", "vgg11", "--dataset", "mnist", "--data-dir", folder), says=["3x224x224"]
        )
        images = folder / "train-images-idx3-ubyte"
        flipped = bytearray(images.read_bytes())
        flipped[5000] ^= 1
        images.write_bytes(flipped)
        self.expect_refused(*run, "--data-dir", folder, says=["train-images-idx3-ubyte", "SHA-256"])

    def test_the_largest_batch_of_few_rows(self):
        folder = self.make("mnist", 20, 10)
        options = ("-m", "lenet5", "-d", "cpu", "--dataset", "mnist", "--data-dir", folder, "-b", "max")
        self.expect(0, "run", *options, "--mode", "infer", "-r", "1", "--max-time", "1s", "--export-json", "out.json")
        self.assertEqual([case["spec"]["batch_size"] for case in self.report()["cases"]], [10])

    def test_a_folder_that_is_gone_cannot_be_resumed_from(self):
        folder = self.make("mnist", 400, 50)
        self.train(folder, "-b", "16", "--max-batches", "1")
        report = self.report()
        report["cases"][0]["launches"] = []
        self.write("out.json", report)
        self.make("mnist", 500, 50)
        self.expect_refused("run", "--resume", "out.json", says=["have changed", "450 rows, 360 then"])
        shutil.rmtree(folder)
        self.expect_refused("run", "--resume", "out.json", says=["no such folder"])

    def test_the_presets_plan_without_data(self):
        for name in ("lenet-mnist", "mlp-mnist", "vgg16-cifar10"):
            said = self.expect(0, "run", name, "-d", "cpu", "--dataset", "synthetic", "--dry-run")
            self.assertIn("+epochs=1", said.out)


if __name__ == "__main__":
    main()
