"""Cases that run on several GPUs, which the fake worker pretends to have."""

from support import FrontTest, normal

TRAIN = ("-d", "cuda", "--mode", "train")


def machine(gpus, *rules):
    return {"rules": [{"case": "probe", "actions": [{"probe": {"gpus": gpus}}]}, *rules]}


class Gpus(FrontTest):
    def run_on(self, gpus, *arguments, rules=(), **options):
        report = self.run_tiny(*arguments, session=machine(gpus, *rules), **options)
        self.validate("out.json")
        return report["cases"]

    def test_one_worker_a_gpu(self):
        one, two, four = self.run_on(4, *TRAIN, "-b", "8", "--gpus", "1,2,all", "--rendezvous-timeout", "20s")
        planned = self.report()["run"]["planned"]
        self.assertEqual([case["rendezvous_timeout_seconds"] for case in planned], [20] * 3)
        base = "tiny/train/cuda/b8/fp32/eager/synthetic"
        self.assertEqual([one["id"], two["id"], four["id"]], [base, f"{base}+gpus=2", f"{base}+gpus=4"])
        self.assertNotIn("ranks", one["launches"][0])
        for launch in four["launches"]:
            devices = [rank["device"] for rank in launch["ranks"]]
            self.assertEqual(devices, ["cuda", "cuda:1", "cuda:2", "cuda:3"])
            for rank in launch["ranks"]:
                self.assertEqual(len(rank["samples_seconds"]), 64)
                self.assertIn("compute_step_seconds", rank)

    def test_efficiency(self):
        slow = {"case": "/b8/", "actions": normal(step_seconds=0.008)}
        one, two = self.run_on(2, *TRAIN, "-b", "8", "--gpus", "1,2", "--bucket-size", "1MiB", rules=[slow])
        metrics = two["metrics"]
        self.assertAlmostEqual(metrics["scaling_efficiency"]["value"], 1, places=6)
        self.assertEqual(two["spec"]["bucket_bytes"], 1 << 20)
        self.assertIsNone(one["metrics"]["scaling_efficiency"]["value"])
        step = metrics["step_seconds"]["median"]
        self.assertAlmostEqual(metrics["communication_exposed_seconds"] / step, 0.1, delta=0.02)
        self.assertIn("On 2 GPUs, tiny trains 2.00 times as many rows a second as on 1", self.said.out)
        for word in ("GPUs", "efficiency"):
            self.assertIn(word, self.said.out.splitlines()[2])
