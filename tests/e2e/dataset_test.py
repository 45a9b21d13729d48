"""Runs with files of data sets, made by scripts/make_fixture.py: how networks train on them, and what is refused."""

import hashlib
import re
import shutil

from dataset_files import DatasetFiles
from real_worker import BATCH, SHORT


class Datasets(DatasetFiles):
    def test_an_epoch_learns_and_is_evaluated(self):
        folder = self.make("mnist", 4000, 500)
        epoch = ("--epochs", "2", "-b", "32", "--optimizer", "adam:lr=0.002")
        case, said = self.train(folder, *epoch)
        (launch,) = case["launches"]
        self.assertEqual([(one["steps"], one["rows"]) for one in launch["epochs"]], [(112, 3584)] * 2)
        rows = {one["part"]: (one["steps"], one["rows"]) for one in launch["evaluations"]}
        self.assertEqual(rows, {"train": (112, 3584), "validation": (13, 400), "test": (16, 500)})
        self.assertGreater(case["metrics"]["test_accuracy"], 0.9)
        self.assertIsNotNone(case["metrics"]["data_wait_share"])
        self.assertIn("+optimizer=adam:lr=0.002: accuracy after 2 epochs: train ", said.out)
        evaluated = {one["part"]: 0.0 for one in launch["evaluations"]}
        for one in launch["evaluations"]:
            evaluated[one["part"]] += one["seconds"]
        training = sum(one["seconds"] for one in launch["epochs"]) + evaluated["train"] + evaluated["validation"]
        self.assertAlmostEqual(case["metrics"]["training_seconds"], training)
        self.assertAlmostEqual(case["metrics"]["total_seconds"], training + evaluated["test"])
        self.assertIn(f"total {(training + evaluated['test']) / 60:.2f} min", said.out)
        self.assertNotIn("not-learning", case["flags"])
        self.validate("out.json")
        case, _ = self.train(folder, *epoch[:4], "--optimizer", "sgd:lr=1e-9:momentum=0", report="b.json")
        self.assertIn("not-learning", case["flags"])

    def test_epochs_are_the_networks_first(self):
        folder = self.make("mnist", 400, 50)
        options = ("run", "-m", "lenet5", "--mode", "train", "-d", "cpu", "--dataset", "mnist", "--data-dir", folder)
        self.expect_refused(*options, "--epochs", "1", "--warmup", "5", says=["--warmup", "leave it out"])
        case, _ = self.train(folder, "-b", "32", "--epochs", "1", "--warmup", "0")
        self.assertEqual(case["launches"][0]["warmup_samples_seconds"], [])

    def test_equal_seeds_give_equal_losses(self):
        folder = self.make("mnist", 400, 50)
        losses = []
        for more in (("--workers", "0"), ("--workers", "2"), ("--seed", "4")):
            case, _ = self.train(folder, "--max-batches", "5", "-b", "16", *more)
            losses.append(case["launches"][0]["losses"][:6])
        self.assertEqual(losses[0], losses[1])
        self.assertNotEqual(losses[0], losses[2])

    def test_images_of_cifar10(self):
        folder = self.make("cifar10", 200, 40)
        options = ("-m", "resnet18", "-d", "cpu", "--dataset", "cifar10", "--data-dir", folder, "-b", "4")
        measuring = ("--mode", "train", "--max-batches", "1", "--warmup", "0", "-r", "1", "--export-json", "out.json")
        self.expect(0, "run", *options, *measuring)
        (case,) = self.report()["cases"]
        self.assertEqual((case["status"], case["spec"]["rows"], case["spec"]["classes"]), ("ok", 180, 10))

    def test_cases_that_differ_in_their_data_alone_are_valid(self):
        matrices = [
            {"model": "lenet5"},
            *({"model": "lenet5", "dataset": "mnist", "shuffle": s} for s in ("on", "off")),
        ]
        self.write("s.json", {"name": "s", "matrices": matrices})
        self.assertIn("s.json: ok: suite s, 6 cases", self.expect(0, "validate", "s.json").out)
        self.write("twice.json", {"name": "s", "matrices": matrices[:1] * 2})
        self.expect_refused("validate", "twice.json", says=["appears twice"])

    def test_questions_of_trec(self):
        folder = self.make_texts()
        options = ("-m", "bert-tiny", "-d", "cpu", "--dataset", "trec", "--data-dir", folder, "-b", "8")
        measuring = ("--epochs", "3", "--mode", "train", "-r", "1", "--optimizer", "adamw:lr=0.001", "--max-length=32")
        said = self.expect(0, "run", *options, *measuring, "--export-json", "out.json")
        self.assertNotIn("[UNK]", said.err)
        (case,) = self.report()["cases"]
        self.assertEqual(case["launches"][0]["epochs"][0]["steps"], 33)
        self.assertEqual([one["rows"] for one in case["launches"][0]["evaluations"]], [264, 30] * 3 + [40])
        self.assertGreater(case["metrics"]["test_accuracy"], 0.5)  # guessing among six classes would give 0.17
        self.validate("out.json")
        small = self.write("small.txt", "[PAD]\n")
        self.expect_refused("run", *options, "--vocab", small, says=["small.txt"])
        self.expect_refused("run", *options, "-m", "lenet5", says=["texts"])

    def shapes(self, folder, *more):
        self.run_texts(folder, "--dump-first-step", "step.safetensors", *more)
        tensors = self.tensors("step.safetensors")
        self.assertLessEqual({"token_type_ids", "logits"}, set(tensors))
        return tensors["input_ids"], tensors["attention_mask"], tensors["target"]

    def test_lengths_of_texts(self):
        folder = self.make_texts()
        (shape, _), _, (_, labels) = self.shapes(folder)
        self.assertEqual(shape, [8, 128])
        (shape, ids), (_, mask), _ = self.shapes(folder, "--pad", "longest")
        longest = max(sum(mask[row : row + shape[1]]) for row in range(0, len(mask), shape[1]))
        self.assertEqual(shape, [8, longest])
        self.assertLess(longest, 128)
        case = self.report()["cases"][0]
        self.assertEqual((case["spec"]["pad"], case["spec"]["max_length"]), ("longest", 128))
        lengths = case["launches"][0]["padded_lengths"]
        self.assertLessEqual(lengths["least"], longest)
        self.assertLessEqual(longest, lengths["most"])
        self.assertLess(lengths["most"], 128)
        self.assertTrue(lengths["least"] < lengths["mean"] < lengths["most"], lengths)
        self.assertGreaterEqual(lengths["batches"], 3)
        self.assertIsNone(case["metrics"]["flops_per_step"])
        self.assertIn("--pad longest", case["notes"]["metrics.flops_per_second"])
        self.assertTrue(case["id"].endswith("+pad=longest"), case["id"])
        (cut, first), _, (_, other) = self.shapes(folder, "--max-length", "6", "--trec-labels", "2.0.0")
        self.assertEqual(cut, [8, 6])
        self.assertEqual(first[:5], ids[:5])
        self.assertIn("+trec-labels=2.0.0", self.report()["cases"][0]["id"])
        self.assertEqual([{0: 2, 1: 1, 2: 0, 3: 3, 4: 5, 5: 4}[label] for label in labels], list(other))
        self.validate("out.json")
        graph = ("-m", "bert-tiny", "-d", "cpu", "--dataset", "trec", "--data-dir", folder, "--engine", "graph")
        self.assertIn("--pad max", self.expect(3, "run", *graph, "--pad", "longest").err)

    def test_lengths_of_synthetic_texts(self):
        bert = ("run", "-d", "cpu", "-m", "bert-tiny")
        self.expect_refused(*bert, "--max-length", "513", says=["--max-length", "bert-tiny", "512"])
        self.expect_refused("run", "-d", "cpu", "-m", "mlp", "--max-length", "64", says=["--max-length", "tokens"])
        longest = ("--dataset", "synthetic", "--pad", "longest")
        self.expect_refused(*bert, *longest, says=["--pad", "--max-length", "--dataset trec"])

    def test_the_first_rows_of_a_file(self):
        folder = self.make_texts()
        options = ("-m", "bert-tiny", "-d", "cpu", "--dataset", "trec", "--data-dir", folder, "-b", "8")
        epoch = ("--rows", "100", "--epochs", "1", "--mode", "train", "-r", "1")
        self.expect(0, "run", *options, *epoch, "--export-json", "out.json")
        (case,) = self.report()["cases"]
        (launch,) = case["launches"]
        self.assertEqual(case["spec"]["rows"], 100)
        self.assertEqual(launch["epochs"][0]["steps"], 12)
        self.assertEqual([one["rows"] for one in launch["evaluations"]], [96, 30, 40])
        self.assertIn("+rows=100", case["id"])
        too_many = ["--rows: 271 is more than the 270 training rows", "train_5500.label"]
        self.expect_refused("run", *options, "--mode", "train", "--rows", "271", says=too_many)

    def test_inference_goes_over_training_questions_in_order(self):
        folder = self.make_texts()
        first = []
        for seed in ("1", "2"):
            more = ("--seed", seed, "--dump-first-step", "step.safetensors")
            case, _ = self.run_texts(folder, *more, mode="infer")
            self.assertEqual(case["spec"]["rows"], 270)
            first.append(self.tensors("step.safetensors")["input_ids"])
        self.assertEqual(first[0], first[1])
        options = ("-m", "bert-tiny", "-d", "cpu", "--mode", "infer", "--dataset", "trec", "--data-dir", folder)
        self.expect(0, "run", *options, "-b", "200", "-r", "1", "--epochs", "1", "--export-json", "out.json")
        (case,) = self.report()["cases"]
        self.assertEqual([(one["steps"], one["rows"]) for one in case["launches"][0]["epochs"]], [(2, 270)])
        self.assertEqual(case["metrics"]["epoch_seconds"]["kind"], "measured")

    def test_the_preset_of_bert_runs_its_largest_batch(self):
        preset = ("run", "bert-infer", "-d", "cpu", "--data-dir", self.make_texts(rows=1200))
        plan = self.expect(0, *preset, "--dry-run").out
        self.assertEqual(re.findall(r"/b([0-9]+)/", plan), [str(2**power) for power in range(10)])
        options = ("-m", "bert-tiny", "-b", "512", "--max-length", "32", *BATCH)
        self.expect(0, *preset, *options, "--export-json", "out.json")
        (case,) = self.report()["cases"]
        self.assertEqual((case["status"], case["spec"]["rows"]), ("ok", 1000))

    def test_the_input_pipeline_alone(self):
        folder = self.make("mnist", 400, 50)
        options = ("-m", "lenet5", "--dataset", "mnist", "--data-dir", folder, "-b", "16", "--mode", "data")
        said = self.expect(0, "run", *options, *SHORT, "--export-json", "out.json")
        (case,) = self.report()["cases"]
        self.assertEqual(case["id"], "lenet5/data/cpu/b16/fp32/eager/mnist")
        self.assertEqual(case["status"], "ok")
        rate, step = case["metrics"]["rows_per_second"]["value"], case["metrics"]["step_seconds"]["median"]
        self.assertAlmostEqual(rate * step, 16)
        self.assertIsNone(case["metrics"]["parameters"])
        self.assertEqual(case["launches"][0]["losses"], [])
        self.assertRegex(said.out, r"lenet5 +data +cpu")
        self.assertIn("lenet5 is fed", said.out)
        self.validate("out.json")
        self.expect(0, "run", *options, "--epochs", "2", "-r", "1", "--export-json", "epochs.json")
        launch = self.report("epochs.json")["cases"][0]["launches"][0]
        self.assertEqual([(one["steps"], one["rows"]) for one in launch["epochs"]], [(22, 352)] * 2)
        self.expect_refused("run", *options, "--precision", "bf16", says=["--precision", "--mode data"])
        says = ["--mode", "not loaded from files", "--dataset"]
        self.expect_refused("run", "-m", "lenet5", "--mode", "data", says=says)
        case, _ = self.run_texts(self.make_texts(), "--pad", "longest", mode="data")
        self.assertEqual(case["id"], "bert-tiny/data/cpu/b8/fp32/eager/trec+max-batches=3+pad=longest")

    def test_other_data_is_not_compared(self):
        options = ("-m", "lenet5", "--dataset", "mnist", "-b", "16", "--mode", "data", "--data-dir")
        for seed in ("1", "2"):
            folder = self.make("mnist", 400, 50, "--seed", seed)
            self.expect(0, "run", *options, folder, *SHORT, "--host-name", "h", "--export-json", f"{seed}.json")
        files = self.report("1.json")["cases"][0]["spec"]["data_files"]
        self.assertEqual(
            {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files},
            self.report("2.json")["cases"][0]["spec"]["data_files"],
        )
        said = self.expect(4, "compare", "1.json", "2.json")
        self.assertIn("data file t10k-images-idx3-ubyte", said.err)
        self.expect(0, "compare", "1.json", "2.json", "--force")

    def test_the_largest_batch_of_few_rows(self):
        folder = self.make("mnist", 20, 10)
        options = ("-m", "lenet5", "-d", "cpu", "--dataset", "mnist", "--data-dir", folder, "-b", "max")
        self.expect(0, "run", *options, "--mode", "infer", "-r", "1", "--max-time", "1s", "--export-json", "out.json")
        self.assertEqual([case["spec"]["batch_size"] for case in self.report()["cases"]], [10])

    def test_steps_are_of_the_files_which_must_not_change_before_a_run_goes_on(self):
        folder = self.make("mnist", 400, 50)
        self.train(folder, "-b", "16", "--max-batches", "1", "--dump-first-step", "step.safetensors")
        shape, values = self.tensors("step.safetensors")["input"]
        self.assertEqual(shape, [16, 1, 32, 32])
        # Pixels are normalised from 0..1 to -1..1; synthetic rows have a normal distribution.
        self.assertLessEqual(max(values), 1.0)
        self.assertGreaterEqual(min(values), -1.0)
        report = self.report()
        report["cases"][0]["launches"] = []
        self.write("out.json", report)
        self.make("mnist", 500, 50)
        self.expect_refused("run", "--resume", "out.json", says=["have changed", "SHA-256"])
        shutil.rmtree(folder)
        self.expect_refused("run", "--resume", "out.json", says=["no such folder"])

    def test_a_suite_without_its_files_names_both_ways_on(self):
        says = ["scripts/fetch_data mnist --data-dir", "--dataset synthetic"]
        self.expect_refused("run", "lenet-mnist", "-d", "cpu", says=says)
        self.expect(0, "run", "lenet-mnist", "-d", "cpu", "--dataset", "synthetic", "--dry-run")
