"""Several processes that run a launch together."""

import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
import unittest

from dataset_files import DatasetFiles
from real_worker import SHORT

MLP_PARAMETERS = 658_698
STEPS = ("--max-batches", "20", "--warmup", "1", "--repeats", "1")
LONG = ("--min-time", "60s", "--max-time", "60s", "--max-noise", "1e-9", "-r", "1")


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
    sizes, joined = (1, 2, 4), 3

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
        self.assertEqual(
            (launch["communication"]["buckets"], launch["communication"]["bytes"]), (1, 4 * MLP_PARAMETERS)
        )
        self.assertGreater(launch["communication"]["average_seconds"], 0)
        alone = [one["compute_step_seconds"] for one in launch["ranks"]]
        self.assertGreater(min(alone), 0)
        self.assertEqual(launch["communication"]["compute_step_seconds"], max(alone))
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
        cases = self.run_ranks("2", "--mode", "train", "-b", "2", "--max-batches", "2", "-r", "1", model="resnet18")
        self.expect_good(cases[2], 2)

    def test_inference(self):
        cases = self.run_ranks("2,3", "--mode", "infer", "-b", "4", *SHORT, model="lenet5")
        for ranks, case in cases.items():
            self.expect_good(case, ranks)

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

    def test_refusals(self):
        run = ("run", "-m", "mlp", "-d", "cpu")
        self.expect_refused(*run, "--ranks", "0", says=("--ranks",))
        self.expect_refused(*run, "--ranks", "2,2", says=("--ranks", "appears twice"))
        published = ("--ranks", "2", "--as-published", "--iterations", "5", "--mode", "train")
        keep = ("--ranks", "2", "--epochs", "1", "--last-batch", "keep", "--mode", "train")
        self.expect_refused(*run, *keep, says=("--last-batch",))
        self.expect_refused(*run, *published, says=("--ranks: the published scripts ran in one process",))


@unittest.skipUnless(sys.platform == "linux", "looks at /proc")
class Fails(WithRanks):
    def start_two(self):
        """Starts a run of two cases, and returns it with the processes of the one that has two ranks."""
        options = ("-m", "mlp", "-d", "cpu", "--mode", "train", "-b", "8", "--ranks", "2", *LONG)
        front = self.start("run", *options, "--export-json", "out.json")
        return front, self.await_measuring(front, count=2)

    def expect_failed(self, front, *says):
        start = time.monotonic()
        done = self.finish(front)
        self.assertLess(time.monotonic() - start, 30)
        self.assertEqual(done.code, 5, done)
        (launch,) = self.report()["cases"][0]["launches"]
        for text in says:
            self.assertIn(text, launch["failure"]["message"])
        self.expect_no_orphans()

    def test_a_killed_rank(self):
        for rank in (0, 1):
            front, workers = self.start_two()
            os.kill(workers[rank], signal.SIGKILL)
            self.expect_failed(front, f"rank {rank}: ", "SIGKILL")

    def test_a_frozen_rank(self):
        front, workers = self.start_two()
        os.kill(workers[1], signal.SIGSTOP)
        self.expect_failed(front, "rank 1: the worker was stopped by a signal")
