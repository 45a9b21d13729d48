"""What only the published experiments need: a fixed number of iterations, a frozen backbone, their scripts' timing."""

import platform
import re
import resource
import unittest

from real_worker import RealWorker

LOOP = ("run", "-m", "mlp", "--mode", "train", "-b", "8", "-d", "cpu", "-r", "1", "--iterations", "40")


class Experiments(RealWorker):
    def case(self, *arguments, code=0):
        said = self.expect(code, *arguments, "--export-json", "out.json")
        (case,) = self.report()["cases"]
        self.validate("out.json")
        return case, said

    def test_a_loop_without_an_optimizer(self):
        case, said = self.case(*LOOP, "--loss", "mean", "--optimizer", "none", "--price", "500")
        (launch,) = case["launches"]
        self.assertEqual(launch["stopped_by"], "iterations")
        self.assertGreater(launch["loop_seconds"], 0)
        self.assertEqual(case["metrics"]["loop_seconds"], launch["loop_seconds"])
        self.assertEqual(len(set(launch["losses"])), 1)  # no step updates the weights
        value = case["metrics"]["rows_per_second_per_1000_dollars"]
        self.assertAlmostEqual(value, 2 * case["metrics"]["rows_per_second"]["value"])
        self.assertRegex(said.out, r"loop .*rows/s/1000\$")

    def test_the_articles_own_line(self):
        options = ("-d", "cpu,mps", "--plain")
        said = self.expect(0, *LOOP, *options, "--export-json", "out.json")
        lines = said.out.splitlines()
        seconds = self.report()["cases"][0]["metrics"]["loop_seconds"]
        self.assertEqual(lines[0], f"CPU Time: {seconds:.4f} seconds")
        self.assertTrue(re.fullmatch(r"MPS (device not found\.|Time: [0-9.]+ seconds)", lines[1]), lines)
        self.assertEqual(len(lines), 2)
        self.expect_refused(*LOOP[:-2], "--plain", says=["--plain", "--iterations N"])
        self.expect_refused(*LOOP, "--plain", "-f", "csv", says=["--plain", "-o FILE"])

    def test_the_clocks_of_the_scripts(self):
        case, said = self.case(*LOOP, "--as-published")
        (launch,) = case["launches"]
        self.assertIn("as-published", case["flags"])
        self.assertIn("+as-published=true", case["id"])
        self.assertEqual(launch["warmup_samples_seconds"], [])
        self.assertIsNone(launch["first_step_seconds"])
        self.assertEqual(len(launch["losses"]), 40)  # the loss is read after every step
        self.assertIn("as-published", said.out)

    def test_inference_as_published_keeps_what_gradients_need(self):
        loop = ("run", "-m", "resnet18", "--mode", "infer", "-b", "8", "-d", "cpu", "-r", "1", "--iterations", "3")
        peaks = []
        for options in ((), ("--as-published",)):
            case, _ = self.case(*loop, *options)
            peaks.append(case["launches"][0]["peak_resident_bytes"])
        # The outputs of many convolutions for one row: of one layer alone, the addresses of its tensors are noise.
        elements = (64 * 112**2 + 4 * 64 * 56**2) + 5 * (128 * 28**2 + 256 * 14**2 + 512 * 7**2)
        activations = 8 * elements * 4  # bytes
        self.assertGreater(
            peaks[1] - peaks[0], activations / 2
        )  # if they were not kept, the peaks would be about the same

    @unittest.skipUnless(platform.libc_ver()[0] == "glibc", "the heap is glibc's")
    def test_steps_find_their_memory_again(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
        steps = 400
        options = ("--mode", "train", "-b", "128", "-d", "cpu", "-r", "1", "--iterations", str(steps))
        self.expect(0, "run", "-m", "lenet5", *options)
        faults = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before
        self.assertLess(
            faults, 500 * steps
        )  # about 80 per step, all at the start; thousands per step if memory were returned to the system

    def test_a_frozen_backbone(self):
        options = ("run", "-m", "bert-tiny", "--mode", "train", "-d", "cpu", "-r", "1", "--freeze-backbone")
        case, _ = self.case(*options, "--max-batches", "3", "--warmup", "0", "--dump-first-step", "step.safetensors")
        gradients = {name for name in self.tensors("step.safetensors") if name.startswith("grad.")}
        self.assertEqual(gradients, {"grad.classifier.weight", "grad.classifier.bias"})
        head = sum(len(self.tensors("step.safetensors")[name][1]) for name in gradients)
        self.assertEqual(case["metrics"]["trainable_parameters"], head)
        self.assertGreater(case["metrics"]["parameters"], 100 * head)
        self.assertEqual(case["status"], "ok")

    def test_binary_cross_entropy_starts_at_ln_2(self):
        options = ("run", "-m", "bert-tiny", "--mode", "train", "-d", "cpu", "-r", "1", "--loss", "bce_with_logits")
        case, _ = self.case(*options, "--max-batches", "1", "--warmup", "0")
        self.assertAlmostEqual(case["launches"][0]["losses"][0], 0.69, delta=0.1)

    def test_losses_of_an_epoch_under_verbose(self):
        options = ("run", "-m", "mlp", "--mode", "train", "-b", "8", "-d", "cpu", "-r", "1", "--epochs", "1")
        case, said = self.case(*options, "--rows", "1840", "--verbose")
        self.assertEqual(case["metrics"]["epoch_seconds"]["kind"], "measured")
        told = re.findall(r"epoch 1/1 · batch (\d+)/230 · loss [0-9.]+", said.err)
        self.assertEqual(told, ["100", "200", "230"])
