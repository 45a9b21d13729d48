"""Several processes that run a launch together."""

import shutil
import statistics
import subprocess
import unittest

from dataset_files import DatasetFiles
from real_worker import BATCH, SHORT
from support import SOURCE

MLP_PARAMETERS = 658_698
STEPS = ("--max-batches", "20", "--warmup", "1", "--repeats", "1")


class WithRanks(DatasetFiles):
    device, word, engine = "cpu", "ranks", "eager"

    def run_ranks(self, ranks, *options, model="mlp", code=0, report="out.json"):
        """Returns the cases by their number of ranks."""
        options = ("-d", self.device, f"--{self.word}", ranks, "--engine", self.engine, *options)
        document = self.run_tiny(*options, model=model, code=code, report=report)
        self.validate(report)
        return {case["spec"]["ranks"]: case for case in document["cases"]}

    def expect_good(self, case, ranks):
        self.assertEqual(case["status"], "ok", self.said)
        self.assertEqual(f"+{self.word}={ranks}" in case["id"], ranks > 1)
        (launch,) = case["launches"]
        if ranks > 1:
            found = [(one["rank"], one["device"], one["status"]) for one in launch["ranks"]]
            devices = [self.device + (f":{rank}" if self.device == "cuda" and rank else "") for rank in range(ranks)]
            self.assertEqual(found, [(rank, device, "ok") for rank, device in enumerate(devices)])
        rate = case["metrics"]["rows_per_second"]
        rows = ranks * case["spec"]["batch_size"]
        if case["spec"]["epochs"]:
            seconds, steps = (sum(one[key] for one in launch["epochs"]) for key in ("seconds", "steps"))
            self.assertEqual(rate["kind"], "epochs")
            self.assertAlmostEqual(rate["value"] * seconds, rows * steps, places=6)
        else:
            self.assertEqual(rate["kind"], "median-step")
            self.assertAlmostEqual(rate["value"] * statistics.median(launch["samples_seconds"]), rows, places=6)


class Trains(WithRanks):
    sizes, joined = (1, 3), 3

    def test_training(self):
        """At the end, the worker itself compares the weights of all ranks."""
        cases = self.run_ranks(",".join(map(str, self.sizes)), "--mode", "train", "-b", "8", *STEPS)
        self.assertEqual(tuple(cases), self.sizes)
        for ranks, case in cases.items():
            self.expect_good(case, ranks)
            self.assertEqual(case["metrics"]["flops_per_step"], ranks * cases[1]["metrics"]["flops_per_step"])
        self.assertIn("GPUs" if self.word == "gpus" else "ranks", self.said.out)

    def test_communication_is_measured(self):
        (case,) = self.run_ranks("2", "--mode", "train", "-b", "8", *SHORT).values()
        self.expect_good(case, 2)
        (launch,) = case["launches"]
        measured = launch["communication"]
        self.assertEqual((measured["buckets"], measured["bytes"]), (1, 4 * MLP_PARAMETERS))
        self.assertGreater(measured["average_seconds"], 0)
        alone = [one["compute_step_seconds"] for one in launch["ranks"]]
        self.assertGreater(min(alone), 0)
        self.assertEqual(measured["compute_step_seconds"], max(alone))
        self.assertGreaterEqual(case["metrics"]["communication_exposed_seconds"], 0)

    def test_gradients_are_those_of_the_joined_batch(self):
        for ranks, batch in ((1, 4 * self.joined), (self.joined, 4)):
            dump = ("-b", batch, "--mode", "train", "--dump-first-step", f"{ranks}.safetensors")
            self.run_ranks(str(ranks), *dump, model="lenet5", report=f"{ranks}.json")
        one, joined = self.tensors("1.safetensors"), self.tensors(f"{self.joined}.safetensors")
        self.assertEqual(set(one), set(joined))
        gradients = [name for name in one if name.startswith("grad.")]
        self.assertTrue(gradients)
        for name in gradients:
            self.assertEqual(one[name][0], joined[name][0])
            scale = max(map(abs, one[name][1]))
            for a, b in zip(one[name][1], joined[name][1], strict=True):
                self.assertAlmostEqual(a, b, delta=1e-5 * scale, msg=name)


def gpu_count():
    program = shutil.which("nvidia-smi")
    done = program and subprocess.run([program, "-L"], check=False, capture_output=True, text=True)
    return done.stdout.count("UUID") if done else 0


@unittest.skipUnless(gpu_count() >= 2, "needs two NVIDIA GPUs")
class TrainsOnGpus(Trains):
    device, word = "cuda", "gpus"
    sizes, joined = (1, 2), 2


class TrainsOnGpusInAGraph(TrainsOnGpus):
    engine = "graph"


class Measures(WithRanks):
    def test_batch_norm_and_dropout(self):
        options = ("--mode", "train", "-b", "2", "--max-batches", "2", "-r", "1")
        cases = self.run_ranks("2", *options, model=SOURCE / "tests/model/files/every_layer.json")
        self.expect_good(cases[2], 2)

    def test_inference(self):
        cases = self.run_ranks("3", "--mode", "infer", "-b", "4", *BATCH, model="lenet5")
        self.expect_good(cases[3], 3)

    def test_epochs(self):
        options = ("--mode", "train", "-b", "8", "--epochs", "1", "--rows", "160", "-r", "1")
        for ranks, case in self.run_ranks("1,2", *options).items():
            self.expect_good(case, ranks)
            (epoch,) = case["launches"][0]["epochs"]
            self.assertEqual((epoch["steps"], epoch["rows"]), (20 // ranks, 160))

    def test_epochs_over_a_data_set(self):
        """Each rank has other rows of the files, and all have as many."""
        folder = self.make("mnist", 400, 50)
        options = ("--mode", "train", "-b", "8", "--epochs", "2", "--dataset", "mnist", "--data-dir", folder, "-r", "1")
        for ranks, case in self.run_ranks("1,2", *options, model="lenet5").items():
            self.expect_good(case, ranks)
            (launch,) = case["launches"]
            steps = 45 // ranks
            found = [(one["steps"], one["rows"]) for one in launch["epochs"]]
            self.assertEqual(found, [(steps, steps * ranks * 8)] * 2)
            self.assertEqual([one["rows"] for one in launch["evaluations"] if one["part"] == "test"], [50])
        keep = ("--last-batch", "keep", "--ranks", "2")
        self.expect_refused("run", "-m", "lenet5", "-d", "cpu", *options, *keep, says=["--last-batch"])
