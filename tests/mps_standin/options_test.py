"""Tests the options of a case on the stand-in."""

from standin import TINY, StandinTest

SGD = "sgd:lr=0.1:momentum=0.9:nesterov=1:weight_decay=0.01"


class Options(StandinTest):
    def first_loss(self, report, precision):
        (case,) = [
            one for one in report["cases"] if (one["spec"]["mode"], one["spec"]["precision"]) == ("train", precision)
        ]
        return case["launches"][0]["losses"][0]

    def test_precisions_and_orders(self):
        options = ("--channels-last", "-b", "8")
        whole = self.run_mps("--mode", "train", *options, model="lenet5", device="cpu", report="whole.json")
        expected = self.first_loss(whole, "fp32")
        report = self.expect_ok(self.run_mps("--precision", "bf16,fp16", *options, model="lenet5"))
        self.assertEqual(len(report["cases"]), 4)
        found = [self.first_loss(report, precision) for precision in ("bf16", "fp16")]
        self.assertEqual(len({expected, *found}), 3)
        for loss in found:
            self.assertAlmostEqual(loss, expected, delta=0.1)

    def test_optimizers(self):
        for optimizer in (SGD, "adam:lr=0.01:amsgrad=1", "adamw:lr=0.01:weight_decay=0.1"):
            with self.subTest(optimizer=optimizer):
                report = self.run_mps("--mode", "train", "--optimizer", optimizer, device="cpu,mps")
                self.expect_same_losses(self.expect_ok(report), 1e-5)

    def test_fp16_skips_what_overflows(self):
        """With a scale of 65536, the gradients of these outputs overflow for more steps than this test makes."""
        fc = {"type": "linear", "name": "fc", "out_features": "$classes", "weight_init": {"uniform": 1000}}
        self.write("loud.json", TINY | {"parameters": {"classes": 3}, "layers": [fc]})
        for optimizer in ("adam:lr=0.01", "adamw:lr=0.01"):
            options = ("--mode", "train", "--precision", "fp16", "--loss", "mse", "--optimizer", optimizer)
            (launch,) = self.launches(self.expect_ok(self.run_mps(*options, model="loud.json")))
            self.assertGreater(len(launch["losses"]), 2)
            self.assertEqual(len(set(launch["losses"])), 1, optimizer)

    def test_input_from_the_host(self):
        report = self.expect_ok(self.run_mps("--mode", "train", "--input", "host", "-b", "4", model="lenet5"))
        self.assertIn("+input=host", report["cases"][0]["id"])

    def test_attention_says_whose_kernel_it_is(self):
        report = self.expect_ok(self.run_mps("-b", "2", model="bert-tiny"))
        kernels = {case["spec"]["mode"]: case["launches"][0]["backend"]["attention"] for case in report["cases"]}
        self.assertEqual(kernels, {"train": "math", "infer": "mps"})

    def test_a_frozen_backbone(self):
        self.expect_same_step("bert-tiny", "train", "-b", "2", "--freeze-backbone")
